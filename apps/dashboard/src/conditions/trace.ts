/** The result of each node of a condition, as the API reports it. */
import type { Predicate } from './fields.js';

export type TraceNode =
  | ({ path: string; kind: 'always' } & NodeResult)
  | ({ path: string; kind: 'all' | 'any' | 'not'; children: TraceNode[] } & NodeResult)
  | TraceLeaf;

export type TraceLeaf = {
  path: string;
  kind: 'predicate';
  actual: string | number | null;
} & NodeResult &
  Predicate;

interface NodeResult {
  holds: boolean;
  /** It has no result, because evaluating it took too much work; `holds` is false. */
  undecided?: boolean;
}

/** The comparisons because of which a condition does not have the result that was wanted, or has none. */
export function failedLeaves(node: TraceNode, wanted = true): TraceLeaf[] {
  if (node.kind === 'always' || (node.holds === wanted && !node.undecided)) return [];
  if (node.kind === 'predicate') return [node];
  const inner = node.kind === 'not' ? !wanted : wanted;
  return node.children.flatMap((child) => failedLeaves(child, inner));
}
