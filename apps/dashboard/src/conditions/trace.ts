/** The result of each node of a condition, as the API reports it. */
import type { Predicate } from './fields.js';

export type TraceNode =
  | { path: string; kind: 'always'; holds: boolean }
  | { path: string; kind: 'all' | 'any' | 'not'; holds: boolean; children: TraceNode[] }
  | TraceLeaf;

export type TraceLeaf = {
  path: string;
  kind: 'predicate';
  holds: boolean;
  actual: string | number | null;
} & Predicate;

/** The comparisons because of which a condition does not have the result that was wanted. */
export function failedLeaves(node: TraceNode, wanted = true): TraceLeaf[] {
  if (node.holds === wanted || node.kind === 'always') return [];
  if (node.kind === 'predicate') return [node];
  const inner = node.kind === 'not' ? !wanted : wanted;
  return node.children.flatMap((child) => failedLeaves(child, inner));
}
