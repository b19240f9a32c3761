import { Fault } from '@ams/contracts';
import { isMessageFault, MalformedMessage, pauseAfter } from './message-fault.js';

const withCode = (code: string): Error => Object.assign(new Error(code), { code });

test.each(['22001', '22007', '22P02', '22P05', '23502', '23505', '23514'])('%s is the fault of the message', (code) => {
  expect(isMessageFault(withCode(code))).toBe(true);
});

test.each([
  ...['25006', '40001', '40P01', '42P01', '42501', '53100', '53200', '53300', '54000', '55P03', '57014', '57P01'],
  ...['58030', 'XX000', 'XX002', 'P0001', '08006', '2202', '22P02x'],
  ...['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'EPIPE'],
])('%s is not the fault of the message', (code) => {
  expect(isMessageFault(withCode(code))).toBe(false);
});

test.each([
  ['a malformed message', new MalformedMessage('no events'), true],
  ['a wrong type', new TypeError('x is not iterable'), true],
  ['a time out of range', new RangeError('Invalid time value'), true],
  ['a type error of Node, which has a code', Object.assign(new TypeError('x'), { code: 'ERR_INVALID_STATE' }), false],
  ['a refused value', new Fault('VALIDATION_ERROR', { fields: [] }), true],
  ['an unavailable service', new Fault('UNAVAILABLE', { requestId: 'r' }), false],
  ['an unknown fault of a service', new Fault('INTERNAL_ERROR', { requestId: 'r' }), false],
  ['an unknown error', new Error('Connection terminated unexpectedly'), false],
  ['a text', 'no', false],
  ['nothing', undefined, false],
])('%s', (_name, error, expected) => {
  expect(isMessageFault(error)).toBe(expected);
});

test('pauses grow, up to five seconds', () => {
  expect([1, 2, 3, 6, 7, 1000].map(pauseAfter)).toEqual([100, 200, 400, 3200, 5000, 5000]);
});
