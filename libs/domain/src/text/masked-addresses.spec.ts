import fc from 'fast-check';
import { maskedAddresses } from './masked-addresses.js';

it.each([
  ['mira@example.com', 'm…@example.com'],
  ['m@example.com', 'm…@example.com'],
  ['Mira.Okafor+pager@eu.example.com', 'M…@eu.example.com'],
  ['550 5.1.1 <mira@example.com>: no such user', '550 5.1.1 <m…@example.com>: no such user'],
  ['Notified: a@example.com, bo@example.com.', 'Notified: a…@example.com, b…@example.com.'],
  ["o'brien'@example.com", 'o…@example.com'],
  ['hooks.slack.com', 'hooks.slack.com'],
  ['', ''],
  ['on @ off', 'on @ off'],
])('%s becomes %s', (text, expected) => expect(maskedAddresses(text)).toBe(expected));

it('leaves nothing of an address but its first character and its domain, and a masked text as it is', () =>
  fc.assert(
    fc.property(fc.emailAddress(), fc.string(), (address, before) => {
      const masked = maskedAddresses(`${before} ${address}`);
      expect(masked).not.toContain(address);
      expect(maskedAddresses(masked)).toBe(masked);
    }),
  ));
