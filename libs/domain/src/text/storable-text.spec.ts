import fc from 'fast-check';
import { storable, storableJson, storableValue, unstorableTexts } from './storable-text.js';

test.each([
  ['plain', 'plain'],
  ['a\0b', 'a\uFFFDb'],
  ['\uD83D', '\uFFFD'],
  ['\uDE00\uD83D', '\uFFFD\uFFFD'],
  ['😀', '😀'],
])('%j is stored as %j', (text, stored) => {
  expect(storable(text)).toBe(stored);
});

test('a storable text is unchanged by UTF-8 encoding, and keeps its length', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.array(fc.integer({ min: 0xd800, max: 0xdfff })), (text, halves) => {
      const stored = storable(text + String.fromCharCode(...halves));
      expect(Buffer.from(stored, 'utf8').toString('utf8')).toBe(stored);
      expect(stored).not.toContain('\0');
      expect(stored).toHaveLength(text.length + halves.length);
    }),
  );
});

const anyText = fc.string({ unit: 'binary' }).map((text) => text.replaceAll('x', '\0').replaceAll('y', '\uD83D'));
const anyValue = fc.object({
  key: anyText,
  values: [anyText, fc.integer(), fc.constant(null)],
  withNullPrototype: false,
});

test('text that was made storable has no unstorable character, and storable text stays unchanged', () => {
  fc.assert(
    fc.property(anyValue, (value) => {
      const stored = storableValue(value);
      expect(unstorableTexts(stored, 10)).toEqual([]);
      if (unstorableTexts(value, 1).length === 0) expect(stored).toEqual(value);
      expect(unstorableTexts(JSON.parse(storableJson(value)), 10)).toEqual([]);
    }),
  );
});

test('reports where each unstorable text is', () => {
  expect(unstorableTexts({ a: ['ok', { b: '\0' }], c: { 'x\uD800': 1 }, d: '\uDC00' }, 10)).toEqual([
    { path: 'a[1].b', in: 'text' },
    { path: 'c', in: 'name' },
    { path: 'd', in: 'text' },
  ]);
  expect(unstorableTexts('\0', 10)).toEqual([{ path: '', in: 'text' }]);
  expect(unstorableTexts(new Array(20).fill('\0'), 3)).toHaveLength(3);
});

test('escapes in a text that is storable stay as they are', () => {
  const text = 'a\0b \\u0000 \\\\ud800 \ud83d\ude00 \udc00';
  const stored = 'a�b \\u0000 \\\\ud800 😀 �';
  expect(JSON.parse(storableJson({ [text]: text }))).toEqual({ [stored]: stored });
});
