import fc from 'fast-check';
import { storable } from './storable-text.js';

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

