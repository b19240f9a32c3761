import { failedLeaves, type TraceLeaf, type TraceNode } from './trace.js';

const leaf = (field: string, holds: boolean, undecided = false): TraceLeaf => ({
  path: field,
  kind: 'predicate',
  field,
  op: 'eq',
  value: 'x',
  actual: null,
  holds,
  ...(undecided && { undecided }),
});
const node = (kind: 'all' | 'any' | 'not', holds: boolean, children: TraceNode[], undecided = false): TraceNode => ({
  path: kind,
  kind,
  holds,
  children,
  ...(undecided && { undecided }),
});

test.each<[string, TraceNode, string[]]>([
  ['it holds', node('all', true, [leaf('title', true)]), []],
  ['one of two does not hold', node('all', false, [leaf('title', true), leaf('source', false)]), ['source']],
  ['what must not hold holds', node('not', false, [leaf('title', true)]), ['title']],
  ['an alternative holds', node('any', true, [leaf('title', true), leaf('source', false)]), []],
  ['one has no result', node('all', false, [leaf('title', true), leaf('source', false, true)], true), ['source']],
  ['what must not hold has no result', node('not', false, [leaf('title', false, true)], true), ['title']],
])('the comparisons that fail: %s', (_, trace, fields) =>
  expect(failedLeaves(trace).map(({ field }) => field)).toEqual(fields),
);
