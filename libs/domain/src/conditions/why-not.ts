/** Why a condition does not hold, as text for people. */
import type { Operator } from './condition-fields.js';
import type { TraceNode } from './condition.js';

type PredicateNode = Extract<TraceNode, { kind: 'predicate' }>;
type GroupNode = Extract<TraceNode, { children: TraceNode[] }>;

/** The maximum number of characters shown of a value. */
const shownLength = 60;

function quoted(value: unknown): string {
  if (Array.isArray(value)) return value.slice(0, 5).map(quoted).join(', ') + (value.length > 5 ? ', …' : '');
  const text = JSON.stringify(value) ?? '';
  return text.length <= shownLength ? text : `${text.slice(0, shownLength)}…`;
}

const verbs: Readonly<Record<Exclude<Operator, 'exists'>, string>> = {
  eq: 'be',
  neq: 'be other than',
  in: 'be one of',
  notIn: 'be none of',
  contains: 'contain',
  startsWith: 'start with',
  endsWith: 'end with',
  matches: 'match',
  gt: 'be above',
  gte: 'be at least',
  lt: 'be below',
  lte: 'be at most',
};

/** The requirement of a predicate on its field: `be at least "high"`. */
const demand = ({ op, value }: PredicateNode): string =>
  op === 'exists' ? (value === true ? 'be present' : 'be missing') : `${verbs[op]} ${quoted(value)}`;

const found = ({ field, actual }: PredicateNode): string =>
  `${field} is ${actual === null ? 'missing' : quoted(actual)}`;

/**
 * The first failing node of a trace, down to its leaf: `severity is "low", but must be at least "high"`. Empty when
 * the condition holds.
 */
export function whyNot(trace: TraceNode): string {
  if (trace.holds) return '';
  switch (trace.kind) {
    case 'predicate':
      return trace.undecided
        ? `${trace.field} could not be compared: its value or the condition is too large`
        : `${found(trace)}, but must ${demand(trace)}`;
    case 'all':
      return whyNot(trace.children.find(({ holds }) => !holds) ?? trace);
    case 'any':
      return (
        `none of ${trace.children.length} alternatives is true. The first one: ` +
        `${whyNot(trace.children[0] ?? trace)}`
      );
    case 'not':
      return exclusion(trace);
  }
}

function exclusion({ path, children }: GroupNode): string {
  const [child] = children;
  if (child?.undecided) return whyNot(child);
  return child?.kind === 'predicate'
    ? `${found(child)}, but must not ${demand(child)}`
    : `the condition at ${path} is true, but must be false`;
}
