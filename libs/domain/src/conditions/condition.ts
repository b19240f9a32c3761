/**
 * Conditions: what must be true of an alert, its related records and the time before a workflow runs or a suppression
 * window matches.
 *
 * A condition is a tree of `{all}`, `{any}` and `{not}` with predicates `{field, op, value}` as its leaves. It is
 * validated when it is saved and evaluated on every event. Evaluation never throws: a missing field, a label that is
 * not a number and a time zone that is no longer known have no value.
 */
import type { ConditionFacts } from './condition-facts.js';
import {
  fieldOf,
  maxValueLength,
  numberOf,
  valuesOf,
  type FieldValue,
  type Kind,
  type Operator,
} from './condition-fields.js';
import type { Condition, Predicate } from './condition-schema.js';
import { isFound } from './pattern.js';

type Comparison = (actual: FieldValue, value: unknown, kind: Kind) => boolean;

const isSame: Comparison = (actual, value, { anyCase }) => {
  if (typeof value === 'number') return numberOf(actual) === value;
  if (typeof value !== 'string' || typeof actual !== 'string') return false;
  return anyCase ? actual.toLowerCase() === value.toLowerCase() : actual === value;
};

const isAmong: Comparison = (actual, value, kind) =>
  Array.isArray(value) && value.some((entry) => isSame(actual, entry, kind));

const texts =
  (holds: (actual: string, value: string) => boolean): Comparison =>
  (actual, value) =>
    typeof actual === 'string' && typeof value === 'string' && holds(actual, value);

const ranks =
  (holds: (actual: FieldValue, value: FieldValue) => boolean): Comparison =>
  (actual, value, { rank }) => {
    const [left, right] = [rank(actual), rank(value)];
    return left !== null && right !== null && holds(left, right);
  };

const comparisons: Readonly<Record<Operator, Comparison>> = {
  eq: isSame,
  neq: (actual, value, kind) => !isSame(actual, value, kind),
  in: isAmong,
  notIn: (actual, value, kind) => !isAmong(actual, value, kind),
  contains: texts((actual, value) => actual.includes(value)),
  startsWith: texts((actual, value) => actual.startsWith(value)),
  endsWith: texts((actual, value) => actual.endsWith(value)),
  matches: texts((actual, value) => isFound(value, actual)),
  exists: (_actual, value) => value === true,
  gt: ranks((actual, value) => actual > value),
  gte: ranks((actual, value) => actual >= value),
  lt: ranks((actual, value) => actual < value),
  lte: ranks((actual, value) => actual <= value),
};

const holdsWithoutValue = ({ op, value }: Predicate): boolean =>
  op === 'neq' || op === 'notIn' || (op === 'exists' && value === false);

/**
 * Whether a predicate holds. Texts compare exactly, numbers as numbers, severities and statuses regardless of case.
 * `gt`, `gte`, `lt` and `lte` compare severities by rank and labels as numbers. Without a value, only `neq`, `notIn`
 * and `exists: false` hold. A predicate on `alerts.any.<field>` holds when it holds for at least one alert.
 */
export function predicateHolds(predicate: Predicate, facts: ConditionFacts): boolean {
  const field = fieldOf(predicate.field);
  return valuesOf(field, facts, predicate.timezone).some((actual) => holdsFor(predicate, actual, field?.kind));
}

const holdsFor = (predicate: Predicate, actual: FieldValue | null, kind: Kind | undefined): boolean =>
  kind === undefined || actual === null
    ? holdsWithoutValue(predicate)
    : comparisons[predicate.op](actual, predicate.value, kind);

/** Whether a condition holds; null always holds. Evaluation stops as soon as the result is known. */
export function conditionHolds(condition: Condition | null, facts: ConditionFacts): boolean {
  if (condition === null) return true;
  if ('all' in condition) return condition.all.every((part) => conditionHolds(part, facts));
  if ('any' in condition) return condition.any.some((part) => conditionHolds(part, facts));
  if ('not' in condition) return !conditionHolds(condition.not, facts);
  return predicateHolds(condition, facts);
}

/** The tree of a condition with the result of each node; `path` is the path of the node, as in validation errors. */
export type TraceNode =
  | { path: string; kind: 'always'; holds: true }
  | { path: string; kind: 'all' | 'any' | 'not'; holds: boolean; children: TraceNode[] }
  | ({
      path: string;
      kind: 'predicate';
      holds: boolean;
      /**
       * The value of the field; null when it has none. With `alerts.any.<field>` a value for which the predicate holds,
       * or the values of all alerts.
       */
      actual: FieldValue | null;
    } & Predicate);

/** The result of `conditionHolds`, with an explanation. Evaluates every node. */
export function explainCondition(
  condition: Condition | null,
  facts: ConditionFacts,
): { holds: boolean; trace: TraceNode } {
  const trace: TraceNode =
    condition === null ? { path: 'conditions', kind: 'always', holds: true } : traceOf(condition, facts, 'conditions');
  return { holds: trace.holds, trace };
}

function traceOf(condition: Condition, facts: ConditionFacts, path: string): TraceNode {
  const traces = (parts: Condition[], group: string) =>
    parts.map((part, index) => traceOf(part, facts, `${path}.${group}[${index}]`));
  if ('all' in condition) {
    const children = traces(condition.all, 'all');
    return { path, kind: 'all', holds: children.every(({ holds }) => holds), children };
  }
  if ('any' in condition) {
    const children = traces(condition.any, 'any');
    return { path, kind: 'any', holds: children.some(({ holds }) => holds), children };
  }
  if ('not' in condition) {
    const child = traceOf(condition.not, facts, `${path}.not`);
    return { path, kind: 'not', holds: !child.holds, children: [child] };
  }
  const field = fieldOf(condition.field);
  const values = valuesOf(field, facts, condition.timezone);
  const holding = values.find((value) => holdsFor(condition, value, field?.kind));
  const actual = holding === undefined ? together(values) : holding;
  return { ...condition, path, kind: 'predicate', holds: holding !== undefined, actual: shown(actual) };
}

/** The different values of several alerts as a list in one text. */
function together(values: readonly (FieldValue | null)[]): FieldValue | null {
  const different = [...new Set(values.filter((value) => value !== null))];
  return different.length < 2 ? (different[0] ?? null) : different.join(', ');
}

/** A long text is shortened: a trace may be stored, and has up to 200 nodes. */
const shown = (actual: FieldValue | null): FieldValue | null =>
  typeof actual === 'string' && actual.length > maxValueLength ? `${actual.slice(0, maxValueLength)}…` : actual;
