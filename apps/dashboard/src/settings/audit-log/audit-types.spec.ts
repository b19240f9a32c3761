import { auditTypes, pageOf, typeText, valueText } from './audit-types.js';

it.each([
  ['suppression_window.updated', 'Suppression window updated'],
  ['member.signed_in', 'Member signed in'],
  ['something_new.was_done', 'Something new was done'],
  ['odd', 'Odd'],
])('writes %s as %s', (type, text) => {
  expect(typeText(type)).toBe(text);
});

it('offers each type once, in order', () => {
  expect([...new Set(auditTypes)].sort()).toEqual([...auditTypes]);
});

it.each([
  [null, '–'],
  ['', ''],
  [0, '0'],
  [{ a: 1 }, '{\n  "a": 1\n}'],
])('shows %j', (value, text) => {
  expect(valueText(value)).toBe(text);
});

it('links records that have a page', () => {
  expect([pageOf('client', 'cli_1'), pageOf('operation', 'listAlerts')]).toEqual(['/clients/cli_1', null]);
});
