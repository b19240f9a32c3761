// Texts and patterns that take as much work as the limits allow.

/** A text without order: a pattern that remembers the last characters needs a new state at each of them. */
export const bits = (length) =>
  Array.from({ length: Math.ceil(length / 32) }, (_, i) => ((i * 2_654_435_761) >>> 0).toString(2).padStart(32, '0'))
    .join('')
    .slice(0, length);

export const patterns = ['1[01]{400}2', '(?i)(?:a?){500}z', '(?:0|1|01|10){200}2', '[01]*1[01]{14}2'];

export const matchers = patterns.map((value) => ({ field: 'description', op: 'matches', value }));
