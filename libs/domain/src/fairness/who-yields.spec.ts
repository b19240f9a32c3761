import fc from 'fast-check';
import { whoYields, type Holding } from './who-yields.js';

const holding = (bytes: number, canYield = true): Holding => ({ bytes, canYield });

it.each<[string, [string, Holding][], string | null]>([
  ['nobody holds anything', [], null],
  [
    'the largest yields',
    [
      ['a', holding(1)],
      ['b', holding(3)],
      ['c', holding(2)],
    ],
    'b',
  ],
  [
    'one that cannot yield is left out',
    [
      ['a', holding(1)],
      ['b', holding(3, false)],
    ],
    'a',
  ],
  ['nobody can', [['b', holding(3, false)]], null],
  ['also one without bytes can yield', [['a', holding(0)]], 'a'],
])('%s', (_what, holdings, expected) => expect(whoYields(holdings)).toBe(expected));

it('no sender within its equal share yields while another one that can holds more', () => {
  const holdings = fc.array(fc.record({ bytes: fc.nat(1000), canYield: fc.boolean() }), { minLength: 1 });
  fc.assert(
    fc.property(holdings, (list) => {
      const found = whoYields(list.entries());
      const able = list.filter(({ canYield }) => canYield);
      if (found === null) return able.length === 0;
      const { bytes, canYield } = list[found] as Holding;
      return canYield && able.every((other) => other.bytes <= bytes);
    }),
  );
});
