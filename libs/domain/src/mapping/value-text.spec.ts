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

  test('a large value is written whole, and its cost is counted', () => {
    const meter = { left: 1_000_000 };
    const value = new Array(100_000).fill('x');
    expect(textOf(value, meter)).toBe(JSON.stringify(value));
    expect(meter.left).toBeLessThan(800_000);
  });

  test.each([
    ['is nested too deeply', nested(20_000), 1_000],
    ['costs more than is left', new Array(100_000).fill('x'), 1_000],
  ])('a value that %s is not written', (_, value, left) => {
    expect(textOf(value, { left })).toBe('…');
  });

  test('counts the cost of what it reads', () => {
    const meter = { left: 100 };
    textOf({ key: 'x'.repeat(80) }, meter);
    expect(meter.left).toBeLessThan(20);
  });
});
