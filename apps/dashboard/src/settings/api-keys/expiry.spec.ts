import { expiryOf } from './expiry.js';

const now = Date.parse('2026-12-31T23:30:00Z');

it.each([
  ['never', '', null],
  ['30', '', '2027-01-30'],
  ['365', '2026-01-01', '2027-12-31'],
  ['date', '2027-02-03', '2027-02-03'],
] as const)('%s %s', (choice, date, expected) => {
  expect(expiryOf(choice, date, now)).toBe(expected);
});
