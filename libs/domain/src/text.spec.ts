import fc from 'fast-check';
import { exceedsBytes, exceedsCharacters, storable, textOf } from './text.js';

test.each([
  ['plain', 'plain'],
  ['a\0b', 'a\uFFFDb'],
  ['\uD83D', '\uFFFD'],
  ['\uDE00\uD83D', '\uFFFD\uFFFD'],
  ['😀', '😀'],
])('%j is stored as %j', (text, stored) => {
  expect(storable(text)).toBe(stored);
});

test('a storable text survives UTF-8, and is as long as it was', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.array(fc.integer({ min: 0xd800, max: 0xdfff })), (text, halves) => {
      const stored = storable(text + String.fromCharCode(...halves));
      expect(Buffer.from(stored, 'utf8').toString('utf8')).toBe(stored);
      expect(stored).not.toContain('\0');
      expect(stored).toHaveLength(text.length + halves.length);
    }),
  );
});

test('limits count characters and bytes exactly', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 0, max: 20 }), (text, limit) => {
      expect(exceedsCharacters(text, limit)).toBe([...text].length > limit);
      expect(exceedsBytes(text, limit)).toBe(Buffer.byteLength(text) > limit);
    }),
  );
});

describe('textOf', () => {
  const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as unknown;

  test.each([
    ['x', 'x'],
    [1.5, '1.5'],
    [false, 'false'],
    [null, undefined],
    [undefined, undefined],
    [{ a: [1] }, '{"a":[1]}'],
  ])('%j', (value, text) => {
    expect(textOf(value, { left: 1_000 })).toBe(text);
  });

  test.each([
    ['too deep', nested(20_000)],
    ['too large', new Array(100_000).fill('x')],
  ])('a value that is %s becomes a text that is too long for every field', (_, value) => {
    expect(exceedsBytes(textOf(value, { left: 0 })!, 32 * 1_024)).toBe(true);
  });

  test('charges for what it looks at', () => {
    const meter = { left: 100 };
    textOf({ key: 'x'.repeat(80) }, meter);
    expect(meter.left).toBeLessThan(20);
  });
});
