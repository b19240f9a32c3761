import fc from 'fast-check';
import { parseWebUrl } from './web-url.js';

test.each([
  ['https://hooks.example.com/a?b=c', undefined, 'https://hooks.example.com/a?b=c'],
  ['HTTP://Example.com', undefined, 'http://example.com/'],
  ['https://bücher.example/x', undefined, 'https://xn--bcher-kva.example/x'],
  ['/next', new URL('https://example.com/first'), 'https://example.com/next'],
  ['nonsense', undefined, 'form'],
  ['/next', undefined, 'form'],
  ['https://', undefined, 'form'],
  ['https://exam ple.com', undefined, 'form'],
  [' https://example.com', undefined, 'form'],
  ['https://example.com/\n', undefined, 'form'],
  ['javascript:alert(1)', undefined, 'scheme'],
  ['mailto:a@example.com', undefined, 'scheme'],
  ['https://user:secret@example.com', undefined, 'credentials'],
  ['https://user@example.com', undefined, 'credentials'],
])('%j from %s: %s', (text, base, expected) => {
  const parsed = parseWebUrl(text, base);
  expect(parsed.kind === 'url' ? parsed.url.href : parsed.fault).toBe(expected);
});

test('a parsed URL can be parsed again and stays the same', () => {
  fc.assert(
    fc.property(fc.oneof(fc.webUrl({ withQueryParameters: true, withFragments: true }), fc.string()), (text) => {
      const parsed = parseWebUrl(text);
      if (parsed.kind === 'url') expect(parseWebUrl(parsed.url.href)).toEqual(parsed);
    }),
  );
});
