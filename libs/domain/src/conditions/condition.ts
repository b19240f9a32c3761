/**
 * Conditions: what must be true of an alert, its related records and the time before a workflow runs or a suppression
 * window matches.
 *
 * A condition is a tree of `{all}`, `{any}` and `{not}` with predicates `{field, op, value}` as its leaves. It is
 * validated when it is saved and evaluated on every event. Evaluation never throws: a missing field, a label that is
 * not a number and a time zone that is no longer known have no value.
 *
 * The work is limited (evaluation-budget.ts). A predicate beyond the limit has no result, which is null. A condition
 * has no result when it depends on such a predicate: `{any: [true, null]}` is true, `{not: null}` is null.
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
import { evaluationBudget, type EvaluationBudget } from './evaluation-budget.js';
import { isFound } from './pattern.js';

type Result = boolean | null;

type Comparison = (actual: FieldValue, value: unknown, kind: Kind, budget: EvaluationBudget) => Result;

const isSame = (actual: FieldValue, value: unknown, { anyCase }: Kind): boolean => {
  if (typeof value === 'number') return numberOf(actual) === value;
  if (typeof value !== 'string' || typeof actual !== 'string') return false;
  return anyCase ? actual.toLowerCase() === value.toLowerCase() : actual === value;
};

const isAmong = (actual: FieldValue, value: unknown, kind: Kind): boolean =>
  Array.isArray(value) && value.some((entry) => isSame(actual, entry, kind));

const texts =
  (holds: (actual: string, value: string, budget: EvaluationBudget) => Result): Comparison =>
  (actual, value, _kind, budget) =>
    typeof actual === 'string' && typeof value === 'string' && holds(actual, value, budget);

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
  matches: texts((actual, value, budget) => isFound(value, actual, budget)),
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
export function predicateHolds(
  predicate: Predicate,
  facts: ConditionFacts,
  budget: EvaluationBudget = evaluationBudget(),
): Result {
  if (budget.left < 0) return null;
  const field = fieldOf(predicate.field);
  return someHolds(valuesOf(field, facts, predicate.timezone), (actual) =>
    holdsFor(predicate, actual, field?.kind, budget),
  );
}

function holdsFor(
  predicate: Predicate,
  actual: FieldValue | null,
  kind: Kind | undefined,
  budget: EvaluationBudget,
): Result {
  budget.left -= stepsOf(predicate, actual);
  if (budget.left < 0) return null;
  return kind === undefined || actual === null
    ? holdsWithoutValue(predicate)
    : comparisons[predicate.op](actual, predicate.value, kind, budget);
}

/** A time in a zone takes about as long as a thousand steps. */
const timeSteps = 1_000;

/** The steps of a comparison in the worst case. A pattern counts its own in addition. */
function stepsOf({ field, op, value }: Predicate, actual: FieldValue | null): number {
  const length = typeof actual === 'string' ? actual.length : 0;
  let steps = 4 + (length >>> 4);
  if (op === 'contains' && typeof value === 'string') steps += Math.min(length, value.length) * (length >>> 4);
  if (Array.isArray(value)) steps += value.length * (1 + (Math.min(length, maxValueLength) >>> 4));
  return field.startsWith('now.') ? steps + timeSteps : steps;
}

/** True when one holds; otherwise null when one has no result. */
function someHolds<T>(parts: readonly T[], holds: (part: T) => Result): Result {
  let result: Result = false;
  for (const part of parts) {
    const one = holds(part);
    if (one === true) return true;
    if (one === null) result = null;
  }
  return result;
}

const opposite = (result: Result): Result => (result === null ? null : !result);

/** False when one does not hold; otherwise null when one has no result. */
export const everyHolds = <T>(parts: readonly T[], holds: (part: T) => Result): Result =>
  opposite(someHolds(parts, (part) => opposite(holds(part))));

/** Whether a condition holds; null always holds. Evaluation stops as soon as the result is known. */
export function conditionHolds(
  condition: Condition | null,
  facts: ConditionFacts,
  budget: EvaluationBudget = evaluationBudget(),
): Result {
  if (condition === null) return true;
  const holds = (part: Condition): Result => conditionHolds(part, facts, budget);
  if ('all' in condition) return everyHolds(condition.all, holds);
  if ('any' in condition) return someHolds(condition.any, holds);
  if ('not' in condition) return opposite(holds(condition.not));
  return predicateHolds(condition, facts, budget);
}

/** The tree of a condition with the result of each node; `path` is the path of the node, as in validation errors. */
export type TraceNode =
  | { path: string; kind: 'always'; holds: true; undecided?: undefined }
  | ({ path: string; kind: 'all' | 'any' | 'not'; children: TraceNode[] } & NodeResult)
  | ({
      path: string;
      kind: 'predicate';
      /**
       * The value of the field; null when it has none. With `alerts.any.<field>` a value for which the predicate holds,
       * or the values of all alerts.
       */
      actual: FieldValue | null;
    } & NodeResult &
      Predicate);

interface NodeResult {
  holds: boolean;
  /** It has no result, because the work of the evaluation is limited; `holds` is false. */
  undecided?: true;
}

const shownResult = (result: Result): NodeResult =>
  result === null ? { holds: false, undecided: true } : { holds: result };

const resultOf = ({ holds, undecided }: NodeResult): Result => (undecided ? null : holds);

/** The result of `conditionHolds`, with an explanation. Evaluates every node. */
export function explainCondition(
  condition: Condition | null,
  facts: ConditionFacts,
  budget: EvaluationBudget = evaluationBudget(),
): { holds: Result; trace: TraceNode } {
  const trace: TraceNode =
    condition === null
      ? { path: 'conditions', kind: 'always', holds: true }
      : traceOf(condition, facts, 'conditions', budget);
  return { holds: resultOf(trace), trace };
}

function traceOf(condition: Condition, facts: ConditionFacts, path: string, budget: EvaluationBudget): TraceNode {
  const traces = (parts: Condition[], group: string) =>
    parts.map((part, index) => traceOf(part, facts, `${path}.${group}[${index}]`, budget));
  if ('all' in condition) {
    const children = traces(condition.all, 'all');
    return { path, kind: 'all', ...shownResult(everyHolds(children, resultOf)), children };
  }
  if ('any' in condition) {
    const children = traces(condition.any, 'any');
    return { path, kind: 'any', ...shownResult(someHolds(children, resultOf)), children };
  }
  if ('not' in condition) {
    const child = traceOf(condition.not, facts, `${path}.not`, budget);
    return { path, kind: 'not', ...shownResult(opposite(resultOf(child))), children: [child] };
  }
  return traceOfPredicate(condition, facts, path, budget);
}

function traceOfPredicate(
  predicate: Predicate,
  facts: ConditionFacts,
  path: string,
  budget: EvaluationBudget,
): TraceNode {
  const field = fieldOf(predicate.field);
  const values = valuesOf(field, facts, predicate.timezone);
  let holding: FieldValue | null | undefined;
  const result = someHolds(values, (value) => {
    const one = holdsFor(predicate, value, field?.kind, budget);
    if (one === true) holding = value;
    return one;
  });
  const actual = holding === undefined ? together(values) : holding;
  return { ...predicate, path, kind: 'predicate', ...shownResult(result), actual: shown(actual) };
}

/** The different values of several alerts as a list in one text. */
function together(values: readonly (FieldValue | null)[]): FieldValue | null {
  const different = [...new Set(values.filter((value) => value !== null))];
  return different.length < 2 ? (different[0] ?? null) : different.join(', ');
}

/** A long text is shortened: a trace may be stored, and has up to 200 nodes. */
const shown = (actual: FieldValue | null): FieldValue | null =>
  typeof actual === 'string' && actual.length > maxValueLength ? `${actual.slice(0, maxValueLength)}…` : actual;
