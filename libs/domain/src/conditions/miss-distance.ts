/** How far a condition was from its opposite: explanations name the nearest misses first. */
import type { TraceNode } from './condition.js';

/**
 * The least number of predicates that would have to have the other result for the condition to hold; 0 when it holds.
 * `Infinity` when no results of its predicates would do, as for `{not: always}`.
 */
export const missDistance = (trace: TraceNode): number => distance(trace, true);

function distance(node: TraceNode, wanted: boolean): number {
  if (!node.undecided && node.holds === wanted) return 0;
  switch (node.kind) {
    case 'always':
      return Infinity;
    case 'predicate':
      return 1;
    case 'not':
      return Math.min(...node.children.map((child) => distance(child, !wanted)));
    case 'all':
      return wanted ? sum(node.children, wanted) : least(node.children, wanted);
    case 'any':
      return wanted ? least(node.children, wanted) : sum(node.children, wanted);
  }
}

const sum = (nodes: readonly TraceNode[], wanted: boolean): number =>
  nodes.reduce((total, node) => total + distance(node, wanted), 0);

const least = (nodes: readonly TraceNode[], wanted: boolean): number =>
  Math.min(...nodes.map((node) => distance(node, wanted)));
