import fc from 'fast-check';
import { exceedsBytes, exceedsCharacters } from './text-limits.js';

test('limits count characters and bytes exactly', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 0, max: 20 }), (text, limit) => {
      expect(exceedsCharacters(text, limit)).toBe([...text].length > limit);
      expect(exceedsBytes(text, limit)).toBe(Buffer.byteLength(text) > limit);
    }),
  );
});
