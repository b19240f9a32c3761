/**
 * Conditions: what must be true of an alert, of what is around it and of the time, before a workflow runs or a suppression
 * window hides the alert (decisions §8 and §10).
 *
 * A condition is a tree of `{all}`, `{any}` and `{not}` with predicates `{field, op, value}` as its leaves. It is checked
 * once, when it is saved, and evaluated on every event, so evaluation is total: a field that is not there, a label that is
 * no number and a zone that is not known any more have no value, and nothing throws.
 */
import { isTimeZone } from '../time/time-zone.js';
import {
  checkBoolean,
  fieldPath,
  faultsOf,
  isAbsent,
  isObject,
  listOf,
  ownValue,
  refuseUnknown,
  type Check,
  type Report,
  type SettingsFault,
} from '../validation/check.js';
import type { ConditionFacts } from './condition-facts.js';
import {
  checkNumeric,
  checkText,
  fieldOf,
  fieldValue,
  maxValueLength,
  numberOf,
  operators,
  tag,
  type FieldValue,
  type Kind,
  type Operator,
} from './condition-fields.js';
import { isFound, parsePattern, patternLimits } from './pattern.js';

export interface Predicate {
  /** A field of `condition-fields.ts`, `labels.<key>` or `annotations.<key>`; what follows the first dot is the key, dots and all. */
  field: string;
  op: Operator;
  /** Text, a number, a list of them (`in`, `notIn`) or true and false (`exists`): what fits the field and the operator. */
  value: unknown;
  /** An IANA zone, for the fields `now.*` only; UTC when it is left out. */
  timezone?: string;
}

export type Condition = { all: Condition[] } | { any: Condition[] } | { not: Condition } | Predicate;

export const conditionLimits = {
  /** Nodes on the way from the root to a predicate, both counted. */
  depth: 10,
  nodes: 200,
  /** Entries of the list of `in` and `notIn`. */
  values: 100,
} as const;

// --- Evaluation -----------------------------------------------------------------------------------------------------

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
 * Whether a predicate holds. Texts compare exactly, numbers as numbers, severities and statuses in any case; `gt` and its
 * kin compare severities by how bad they are and labels as numbers. Without a value only `neq`, `notIn` and
 * `exists: false` hold.
 */
export function predicateHolds(predicate: Predicate, facts: ConditionFacts): boolean {
  const field = fieldOf(predicate.field);
  const actual = field?.read(facts, predicate.timezone ?? 'UTC') ?? null;
  return field === undefined || actual === null
    ? holdsWithoutValue(predicate)
    : comparisons[predicate.op](actual, predicate.value, field.kind);
}

/** Whether a condition holds, which no condition (null) always does. Looks no further than it has to. */
export function conditionHolds(condition: Condition | null, facts: ConditionFacts): boolean {
  if (condition === null) return true;
  if ('all' in condition) return condition.all.every((part) => conditionHolds(part, facts));
  if ('any' in condition) return condition.any.some((part) => conditionHolds(part, facts));
  if ('not' in condition) return !conditionHolds(condition.not, facts);
  return predicateHolds(condition, facts);
}

/** The tree of a condition with what came of each node; `path` names the node as the faults of a workflow do. */
export type TraceNode =
  | { path: string; kind: 'always'; holds: true }
  | { path: string; kind: 'all' | 'any' | 'not'; holds: boolean; children: TraceNode[] }
  | ({
      path: string;
      kind: 'predicate';
      holds: boolean;
      /** What the field holds, null for nothing. */ actual: FieldValue | null;
    } & Predicate);

/** What `conditionHolds` says, and why. Evaluates every node, so that nothing is left to be guessed. */
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
  const actual = fieldValue(condition.field, facts, condition.timezone);
  return { ...condition, path, kind: 'predicate', holds: predicateHolds(condition, facts), actual: shown(actual) };
}

/** A long text is shown by its beginning: a trace may be kept, and has up to 200 nodes. */
const shown = (actual: FieldValue | null): FieldValue | null =>
  typeof actual === 'string' && actual.length > maxValueLength ? `${actual.slice(0, maxValueLength)}…` : actual;

// --- Validation -----------------------------------------------------------------------------------------------------

interface ConditionOptions {
  /** Which of the fields may be named here; all of them when it is left out. */
  fields?: (field: string) => boolean;
}

/** What one validation has seen so far. */
interface Walk {
  readonly report: Report;
  readonly isAllowed: (field: string) => boolean;
  nodes: number;
  /** Of the patterns. */
  cost: number;
}

const walkFrom = (report: Report, { fields: isAllowed = () => true }: ConditionOptions): Walk => ({
  report,
  isAllowed,
  nodes: 0,
  cost: 0,
});

/**
 * Every fault of a condition that a user sent, each at its node (`<path>.all[1].not.value`); none when it can be evaluated.
 * `null` is the condition that always holds.
 */
export const validateCondition = (input: unknown, path: string, options: ConditionOptions = {}): SettingsFault[] =>
  faultsOf((value, at, report) => value !== null && checkNode(value, at, 1, walkFrom(report, options)), input, path);

/** Every fault of what must be a single predicate. */
export const validatePredicate = (input: unknown, path: string, options: ConditionOptions = {}): SettingsFault[] =>
  faultsOf((value, at, report) => checkPredicate(value, at, walkFrom(report, options)), input, path);

const groups = ['all', 'any', 'not'];

function checkNode(node: unknown, path: string, depth: number, walk: Walk): void {
  const { report } = walk;
  if (++walk.nodes > conditionLimits.nodes)
    return report(path, 'maxItems', `is one too many: a condition has at most ${conditionLimits.nodes} nodes`);
  if (depth > conditionLimits.depth)
    return report(path, 'maxDepth', `is nested too deep: a condition has at most ${conditionLimits.depth} levels`);
  if (!isObject(node)) return report(path, 'type', 'must be an object: {all}, {any}, {not} or {field, op, value}');
  const found = groups.filter((group) => Object.hasOwn(node, group));
  if (found.length === 0) return checkPredicate(node, path, walk);
  if (found.length > 1) report(path, 'exclusive', `must have only one of ${found.join(', ')}`);
  refuseUnknown(node, (key) => groups.includes(key), path, report);
  for (const group of found) {
    if (group === 'not') checkNode(node[group], fieldPath(path, group), depth + 1, walk);
    else checkParts(node[group], fieldPath(path, group), depth + 1, walk);
  }
}

function checkParts(parts: unknown, path: string, depth: number, walk: Walk): void {
  if (!Array.isArray(parts)) return walk.report(path, 'type', 'must be a list');
  if (parts.length === 0) return walk.report(path, 'required', 'must have at least one entry');
  for (let index = 0; index < parts.length && walk.nodes <= conditionLimits.nodes; index++)
    checkNode(parts[index], `${path}[${index}]`, depth, walk);
}

const predicateKeys = ['field', 'op', 'value', 'timezone'];

function checkPredicate(node: unknown, path: string, walk: Walk): void {
  const { report } = walk;
  if (!isObject(node)) return report(path, 'type', 'must be an object: {field, op, value}');
  refuseUnknown(node, (key) => predicateKeys.includes(key), path, report);
  const [field, op, value, timezone] = predicateKeys.map((key) => ownValue(node, key));
  const kind = checkField(field, fieldPath(path, 'field'), walk);
  const operator = checkOperator(op, kind, fieldPath(path, 'op'), walk);
  if (isAbsent(value)) report(fieldPath(path, 'value'), 'required', 'is missing');
  else if (kind !== undefined && operator !== undefined)
    checkerOf(kind, operator, walk)(value, fieldPath(path, 'value'), report);
  if (timezone !== undefined) checkTimezone(timezone, field, fieldPath(path, 'timezone'), report);
}

function checkField(field: unknown, path: string, { report, isAllowed }: Walk): Kind | undefined {
  if (isAbsent(field)) report(path, 'required', 'is missing');
  else if (typeof field !== 'string') report(path, 'type', 'must be text');
  else {
    const known = fieldOf(field);
    if (known !== undefined && isAllowed(field)) return known.kind;
    report(path, 'enum', 'is not a field that is known here');
  }
  return undefined;
}

function checkOperator(op: unknown, kind: Kind | undefined, path: string, { report }: Walk): Operator | undefined {
  const possible = kind?.ops ?? operators;
  const operator = possible.find((word) => word === op);
  if (isAbsent(op)) report(path, 'required', 'is missing');
  else if (operator === undefined)
    report(path, 'enum', `must be one of ${possible.join(', ')}${kind === undefined ? '' : ' for this field'}`);
  return operator;
}

/** What the value of a predicate is checked by. */
function checkerOf(kind: Kind, operator: Operator, walk: Walk): Check {
  switch (operator) {
    case 'exists':
      return checkBoolean;
    case 'in':
    case 'notIn':
      return listOf(kind.comparand, conditionLimits.values, 1);
    case 'matches':
      return (value, path) => checkPattern(value, path, walk);
    case 'contains':
    case 'startsWith':
    case 'endsWith':
      return checkText;
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return kind === tag ? checkNumeric : kind.comparand;
    case 'eq':
    case 'neq':
      return kind.comparand;
  }
}

function checkPattern(value: unknown, path: string, walk: Walk): void {
  const { report } = walk;
  if (typeof value !== 'string') return report(path, 'type', 'must be text');
  if (value.length > patternLimits.length)
    return report(path, 'maxLength', `must have at most ${patternLimits.length} characters`);
  // To compile costs time too: once the patterns are over their limit, which is said once, no other is looked at.
  if (walk.cost > patternLimits.cost) return;
  const pattern = parsePattern(value);
  walk.cost += pattern.kind === 'fault' ? value.length : pattern.cost;
  if (pattern.kind === 'fault')
    report(path, 'syntax', `is not a regular expression of RE2's syntax: ${pattern.message}`);
  else if (walk.cost > patternLimits.cost)
    report(path, 'complexity', 'is too much: the patterns of a condition are too long, or repeat too much');
}

function checkTimezone(timezone: unknown, field: unknown, path: string, report: Report): void {
  if (typeof field === 'string' && !field.startsWith('now.'))
    report(path, 'exclusive', 'has a use for the fields now.* only');
  if (!isTimeZone(timezone)) report(path, 'timezone', 'must be a time zone such as Europe/Berlin');
}
