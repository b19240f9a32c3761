import fc from 'fast-check';
import { hrefOf, partsOf } from './links.js';

const linksOf = (text: string): string[] => partsOf(text).flatMap(({ href }) => href ?? []);

describe('addresses in texts', () => {
  it.each<[string, string[]]>([
    ['no address', []],
    ['see https://example.com/a?b=c#d.', ['https://example.com/a?b=c#d']],
    ['(https://example.com/wiki/A_(b))', ['https://example.com/wiki/A_(b)']],
    ['[https://example.com], http://b.example!', ['https://example.com/', 'http://b.example/']],
    ['javascript:alert(1) data:text/html,x', []],
    ['xhttps://example.com', []],
    ['https://', []],
    ['<a href="https://example.com">x</a>', ['https://example.com/']],
    ['https://example.com/\u202egnp.exe', ['https://example.com/']],
  ])('%s', (text, expected) => expect(linksOf(text)).toEqual(expected));

  it.each(['javascript:alert(1)', 'https://a b', 'ftp://example.com', '//example.com', ''])('%s is no link', (text) =>
    expect(hrefOf(text)).toBeNull(),
  );

  it('is fast with many brackets', () => {
    const text = `https://example.com/${')'.repeat(200_000)}`;
    expect(linksOf(text)).toEqual(['https://example.com/']);
  });

  it('keeps the text, and makes only links of http and https', () => {
    const word = fc.oneof(
      fc.string(),
      fc.constantFrom('https://a.example/b?c=d', 'http://x.example', 'javascript:x', 'https://', ')', '('),
    );
    fc.assert(
      fc.property(fc.array(word), (words) => {
        const text = words.join('');
        expect(
          partsOf(text)
            .map((part) => part.text)
            .join(''),
        ).toBe(text);
        for (const href of linksOf(text)) expect(href).toMatch(/^https?:\/\/[^/]/);
      }),
    );
  });
});
