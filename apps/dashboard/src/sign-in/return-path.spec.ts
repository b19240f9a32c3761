import fc from 'fast-check';
import { returnPath } from './return-path.js';

it.each([
  [undefined, '/'],
  ['/alerts?status=firing#x', '/alerts?status=firing#x'],
  ['//evil.example/x', '/'],
  ['/\\evil.example', '/'],
  ['https://evil.example', '/'],
  ['javascript:alert(1)', '/'],
  ['alerts', '/'],
  ['/sign-in?return=/alerts', '/'],
  ['/\t/evil.example', '/'],
])('%s leads to %s', (wanted, expected) => {
  expect(returnPath(wanted)).toBe(expected);
});

it('never leaves the dashboard', () => {
  const part = fc.constantFrom(
    '/',
    '\\',
    '.',
    '..',
    ':',
    '@',
    'evil.example',
    'http',
    '\t',
    '\n',
    '%2f',
    '?',
    '#',
    'a',
  );
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const path = returnPath(`/${parts.join('')}`);
      expect(new URL(path, 'https://own.example').origin).toBe('https://own.example');
    }),
  );
});
