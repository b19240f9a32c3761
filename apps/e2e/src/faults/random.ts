/** Random numbers that a seed repeats. */
export interface Random {
  /** From 0 to 1, without 1. */
  next(): number;
  /** An integer from `low` to `high`, with both. */
  between(low: number, high: number): number;
  oneOf<T>(list: readonly T[]): T;
  /** A copy in a random order. */
  shuffled<T>(list: readonly T[]): T[];
}

/** Equal parts give equal numbers. */
export function randomOf(...parts: (string | number)[]): Random {
  let state = hashOf(parts.join('\u0000'));
  // mulberry32, in the public domain: https://gist.github.com/tommyettinger/46a874533244883189143505d203312c
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const between = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    between,
    oneOf: (list) => list[between(0, list.length - 1)] as (typeof list)[number],
    shuffled(list) {
      const copy = [...list];
      for (let last = copy.length - 1; last > 0; last--) {
        const other = between(0, last);
        [copy[last], copy[other]] = [copy[other] as (typeof copy)[number], copy[last] as (typeof copy)[number]];
      }
      return copy;
    },
  };
}

/** FNV-1a with 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash;
}
