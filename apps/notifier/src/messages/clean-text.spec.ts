import fc from 'fast-check';
import { hostileText } from '../../testing/notices.js';
import { cut, cutEscaped, manyLines, oneLine, webAddress } from './clean-text.js';

describe('a line', () => {
  test.each([
    ['High CPU', 'High CPU'],
    ['  a \t b\r\nBcc: x@example.com', 'a b Bcc: x@example.com'],
    ['a\u2028b\u2029c\u0085d\u0000e\u0007f', 'a b c d e f'],
    ['pay\u202egnp.exe\u2066x\u200fy', 'paygnp.exexy'],
    ['zero\u200bwidth\ufeff', 'zerowidth'],
    ['half \ud800 of one', 'half \ufffd of one'],
    ['👩‍👩‍👧 stays', '👩‍👩‍👧 stays'],
    ['a\u{e0041}b', 'ab'],
    ['', ''],
  ])('%j becomes %j', (text, clean) => expect(oneLine(text)).toBe(clean));

  test('never contains a line break, a control character, a direction mark or half of a surrogate pair', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(oneLine(text)).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]/u);
        expect(oneLine(text).isWellFormed()).toBe(true);
      }),
    );
  });
});

describe('lines', () => {
  test.each([
    ['a\r\nb\rc', 'a\nb\nc'],
    ['a\n\n\n\n\nb', 'a\n\nb'],
    ['a  \n b\t', 'a\n b'],
    ['a\u0000b\u001b[31mred', 'a b [31mred'],
    ['x\u202ey', 'xy'],
  ])('%j become %j', (text, clean) => expect(manyLines(text)).toBe(clean));
});

describe('cutting', () => {
  test.each([
    ['short', 5, 'short'],
    ['longer', 5, 'long…'],
    ['a b c', 3, 'a…'],
    ['ab😀cd', 4, 'ab…'],
    ['ab', 1, '…'],
  ])('%j to %d is %j', (text, max, kept) => expect(cut(text, max)).toBe(kept));

  test('an escaped text keeps to the limit, and no escape is split', () => {
    const escape = (text: string) => text.replace(/</g, '&lt;');
    expect(cutEscaped('<<<<', 16, escape)).toBe('&lt;&lt;&lt;&lt;');
    expect(cutEscaped('<<<<<', 16, escape)).toBe('&lt;&lt;&lt;…');
    fc.assert(
      fc.property(hostileText, fc.integer({ min: 10, max: 400 }), (text, max) => {
        const kept = cutEscaped(text, max, escape);
        expect(kept.length).toBeLessThanOrEqual(max);
        expect(kept.replaceAll('&lt;', '')).not.toContain('<');
      }),
    );
  });
});

test.each([
  ['https://example.com/a?b=1', 'https://example.com/a?b=1'],
  [' http://example.com ', 'http://example.com/'],
  ['HTTPS://Example.com/"><b>', 'https://example.com/%22%3E%3Cb%3E'],
  ['javascript:alert(1)', null],
  ['data:text/html,x', null],
  ['mailto:a@example.com', null],
  ['//example.com', null],
  ['see https://example.com', null],
  ['https://user:pw@example.com', null],
  ['https://', null],
  [`https://example.com/${'a'.repeat(2100)}`, null],
  ['', null],
])('%j as a web address is %j', (text, href) => expect(webAddress(text)).toBe(href));
