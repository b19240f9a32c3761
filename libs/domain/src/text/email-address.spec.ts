import fc from 'fast-check';
import { emailLimits, isEmailAddress, parseEmailAddress } from './email-address.js';

describe('an e-mail address', () => {
  test.each([
    ['mira@example.com', 'mira', 'example.com'],
    ["o'neil+ops@example.com", "o'neil+ops", 'example.com'],
    ['Mira@Example.COM', 'Mira', 'example.com'],
    ['jörg@example.com', 'jörg', 'example.com'],
    ['用户@例え.jp', '用户', 'xn--r8jz45g.jp'],
    ['a@bücher.example', 'a', 'xn--bcher-kva.example'],
    ['a@xn--bcher-kva.example', 'a', 'xn--bcher-kva.example'],
    ['ops@localhost', 'ops', 'localhost'],
    ['a..b@docomo.example', 'a..b', 'docomo.example'],
    [`${'a'.repeat(64)}@example.com`, 'a'.repeat(64), 'example.com'],
  ])('%s', (text, localPart, domain) => expect(parseEmailAddress(text)).toEqual({ localPart, domain }));

  test.each([
    ['', 'an empty text'],
    ['mira', 'a text without @'],
    ['mira@', 'an address without a domain'],
    ['@example.com', 'an address without a local part'],
    ['a@b@example.com', 'two @'],
    ['Mira <mira@example.com>', 'a display name'],
    ['a@example.com, b@example.com', 'two addresses'],
    ['a@example.com\r\nBcc: b@example.com', 'a line break'],
    [' a@example.com', 'a space in front'],
    ['"a b"@example.com', 'a quoted local part'],
    ['a\u00a0b@example.com', 'a no-break space'],
    ['a\u202eb@example.com', 'a character that turns the direction of writing'],
    ['a\0@example.com', 'U+0000'],
    ['\ud800@example.com', 'half of a surrogate pair'],
    ['a＠example.com', 'a full-width @'],
    ['a@-example.com', 'a label that begins with a hyphen'],
    ['a@exam_ple.com', 'an underscore in the domain'],
    ['a@example..com', 'an empty label'],
    ['a@example.com.', 'a dot at the end'],
    ['a@ex。ample', 'a dot of another script'],
    ['a@[192.0.2.1]', 'an address literal'],
    ['a@192.0.2.1', 'an IP address as domain'],
    ['a@0x7f.1', 'another spelling of an IP address'],
    [`${'a'.repeat(65)}@example.com`, 'a local part of 65 bytes'],
    [`${'ö'.repeat(33)}@example.com`, 'a local part of 66 bytes'],
    [`a@${'b.'.repeat(126)}de`, 'an address of 256 bytes'],
  ])('%j is invalid: %s', (text) => {
    expect(isEmailAddress(text)).toBe(false);
  });

  test('a valid address can be written into an SMTP command, and its parts form a valid address again', () => {
    const near = fc
      .tuple(fc.string({ unit: 'grapheme' }), fc.constantFrom('', '@', 'ö@', 'a@'), fc.string({ unit: 'grapheme' }))
      .map((parts) => parts.join(''));
    const likely = fc
      .tuple(fc.stringMatching(/^[a-zö.+ß用-]{1,10}$/), fc.stringMatching(/^[a-zü用]{1,5}(\.[a-zé]{1,5}){0,2}$/))
      .map((parts) => parts.join('@'));
    fc.assert(
      fc.property(fc.oneof(near, likely, fc.emailAddress()), (text) => {
        const parsed = parseEmailAddress(text);
        if (parsed === null) return;
        const sent = `${parsed.localPart}@${parsed.domain}`;
        // eslint-disable-next-line no-control-regex -- control characters are what must not be there
        expect(sent).not.toMatch(/[\s<>,;:"()[\]\\\x00-\x1f\x7f]/);
        expect(sent.split('@')).toHaveLength(2);
        expect(Buffer.byteLength(sent)).toBeLessThanOrEqual(emailLimits.address);
        expect(parsed.domain).toMatch(/^[a-z0-9.-]+$/);
        expect(parseEmailAddress(sent)).toEqual(parsed);
      }),
      { numRuns: 2_000 },
    );
  });
});
