import { exceedsBytes } from '../text/text-limits.js';
import { textOf } from './value-text.js';

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
  ])('a value that is %s gives a text that is too long for every field', (_, value) => {
    expect(exceedsBytes(textOf(value, { left: 0 })!, 32 * 1_024)).toBe(true);
  });

  test('counts the cost of what it reads', () => {
    const meter = { left: 100 };
    textOf({ key: 'x'.repeat(80) }, meter);
    expect(meter.left).toBeLessThan(20);
  });
});
