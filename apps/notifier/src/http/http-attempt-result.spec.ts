import fc from 'fast-check';
import { attemptResultOf, quoted, retryAfterSeconds, secretsOfUrl } from './http-attempt-result.js';
import { teamsAttemptResultOf } from '../channels/teams.js';
import type { HttpResult } from './http-client.js';

const now = Date.parse('2026-11-20T14:00:00Z');
type Response = Extract<HttpResult, { kind: 'response' }>;
const answered = (status: number, fields: Partial<Response> = {}): HttpResult => ({
  kind: 'response',
  host: 'hooks.example.com',
  status,
  retryAfter: null,
  text: '',
  ...fields,
});

describe('a status', () => {
  test.each([200, 201, 202, 204, 299])('%d is sent', (status) =>
    expect(attemptResultOf(answered(status), [], now)).toMatchObject({
      reply: { kind: 'sent' },
      result: 'sent',
      blame: 'none',
    }),
  );

  test.each([408, 425, 429, 500, 501, 502, 503, 504, 599])(
    '%d is tried again, and counts as a failure of the target',
    (status) => {
      expect(attemptResultOf(answered(status), [], now)).toMatchObject({
        reply: { kind: 'failed', retry: true, retryAfterSeconds: null },
        result: 'retry',
        blame: 'target',
      });
    },
  );

  test.each([300, 301, 302, 303, 304, 305, 400, 401, 403, 404, 405, 409, 410, 413, 415, 422, 451])(
    '%d is not tried again, and does not count as a failure',
    (status) => {
      expect(attemptResultOf(answered(status), [], now)).toMatchObject({
        reply: { kind: 'failed', retry: false, retryAfterSeconds: null },
        result: 'failed',
        blame: 'none',
      });
    },
  );

  test.each([
    [429, 7],
    [503, 7],
    [500, null],
    [408, null],
    [404, null],
  ])('%d with Retry-After says %s', (status, seconds) => {
    expect(attemptResultOf(answered(status, { retryAfter: '7' }), [], now).reply).toMatchObject({
      retryAfterSeconds: seconds,
    });
  });
});

test.each([
  ['0', 0],
  ['1', 1],
  [' 120 ', 120],
  ['3600', 3600],
  ['3601', 3600],
  ['99999999999999999999', 3600],
  ['Fri, 20 Nov 2026 14:00:30 GMT', 30],
  ['Friday, 20-Nov-26 14:01:00 GMT', 60],
  ['Fri Nov 20 14:00:05 2026 GMT', 5],
  ['Fri, 20 Nov 2026 13:00:00 GMT', 0],
  ['Sat, 21 Nov 2026 14:00:00 GMT', 3600],
  ['', null],
  [null, null],
  ['-5', null],
  ['1.5', null],
  ['soon', null],
  ['2026-11-20T14:00:30Z', null],
  ['Tomorrow morning', null],
  ['1e3', null],
])('Retry-After %j is %s s', (header, seconds) => expect(retryAfterSeconds(header, now)).toBe(seconds));

test('Retry-After counts as an hour at most', () => {
  fc.assert(
    fc.property(fc.string(), (header) => {
      const seconds = retryAfterSeconds(header, now);
      if (seconds !== null) expect(seconds >= 0 && seconds <= 3600 && Number.isInteger(seconds)).toBe(true);
    }),
  );
});

describe('the text of the other side', () => {
  test.each([
    ['no_service', ': no_service'],
    ['\r\n\r\n  channel_is_archived \r\nsecond line', ': channel_is_archived'],
    ['{"message":"Unknown Webhook","code":10015}', ': {"message":"Unknown Webhook","code":10015}'],
    ['<!DOCTYPE html><html>', ''],
    ['', ''],
    ['a\u0000b\u202ec', ': a bc'],
    ['\ufffd\ufffd binary', ''],
    ['x'.repeat(500), `: ${'x'.repeat(149)}…`],
  ])('%j is shown as %j', (text, shown) => expect(quoted(text, [])).toBe(shown));

  test('is not shown when it holds a secret of the request', () => {
    const secrets = secretsOfUrl(
      'https://hooks.slack.com/services/T00000000/B00000000/XXXXYYYYZZZZ?sig=abc%2Fdefgh&v=1',
    );
    for (const secret of ['XXXXYYYYZZZZ', 'B00000000', 'abc%2Fdefgh', 'abc/defgh'])
      expect(quoted(`you sent ${secret}`, secrets)).toBe('');
    expect(quoted('invalid_payload v=1', secrets)).toBe(': invalid_payload v=1');
    expect(quoted(`${'x'.repeat(145)} whsec_verysecret`, ['whsec_verysecret'])).toBe('');
  });

  test('a malformed address has no secrets', () => expect(secretsOfUrl('nonsense')).toEqual([]));
  test('an address that cannot be decoded keeps its parts', () =>
    expect(secretsOfUrl('https://example.com/%zz')).toContain('%zz'));
});

test('without an answer another attempt makes sense, and the reason contains no address', () => {
  for (const code of [
    'TIMEOUT',
    'ECONNREFUSED',
    'ENOTFOUND',
    'ETIMEOUT',
    'ECONNRESET',
    'CERT_HAS_EXPIRED',
    'UND_ERR_SOCKET',
  ]) {
    const { reply, blame } = attemptResultOf({ kind: 'error', host: 'hooks.example.com', code }, [], now);
    expect([reply, blame]).toEqual([
      {
        kind: 'failed',
        retry: true,
        retryAfterSeconds: null,
        reason: expect.stringMatching(/^hooks\.example\.com .+\.$/) as string,
      },
      'target',
    ]);
  }
});

test('an attempt that sent nothing does not count as a failure of any hop', () => {
  expect(attemptResultOf({ kind: 'blocked', code: 'private', why: 'It is private.' }, [], now)).toEqual({
    reply: { kind: 'failed', reason: 'It is private.', retry: false, retryAfterSeconds: null },
    result: 'failed',
    blame: 'unknown',
    code: 'private',
  });
});

const teamsError = 'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error';

test.each([
  ['1', 'sent'],
  [`${teamsError} 429 with ContextId tcid=0`, 'retry'],
  [`${teamsError} 403 with ContextId tcid=0`, 'failed'],
])('Teams answers 200 and %j: %s', (text, result) => {
  expect(teamsAttemptResultOf(answered(200, { text }), [], now).result).toBe(result);
  expect(attemptResultOf(answered(200, { text }), [], now).result).toBe('sent');
});
