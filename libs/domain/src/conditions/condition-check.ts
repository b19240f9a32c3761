/**
 * The check of conditions that a user sent. First how many nodes there are and how deep, so that what follows is bounded;
 * then the structure, by the schema; then what no schema can say: that a field is known, and that operator, value, pattern
 * and time zone fit it.
 */
import { isTimeZone } from '../time/time-zone.js';
import {
  checkBoolean,
  faultsOf,
  fieldPath,
  isAbsent,
  isObject,
  listOf,
  type Check,
  type Report,
  type SettingsFault,
} from '../validation/check.js';
import { checkOf } from '../validation/schema-check.js';
import { checkNumeric, checkText, fieldOf, operators, tag, type Kind, type Operator } from './condition-fields.js';
import { conditionLimits, conditionSchema, predicateSchema } from './condition-schema.js';
import { parsePattern, patternLimits } from './pattern.js';

interface ConditionOptions {
  /** Which of the fields may be named here; all of them when it is left out. */
  fields?: (field: string) => boolean;
}

const checkCondition = checkOf(conditionSchema);
const checkPredicate = checkOf(predicateSchema);

/**
 * Every fault of a condition that a user sent, each at its node (`<path>.all[1].not.value`); none when it can be evaluated.
 * `null` is the condition that always holds.
 */
export const validateCondition = (input: unknown, path: string, options: ConditionOptions = {}): SettingsFault[] =>
  faultsOf(
    (value, at, report) => {
      if (value === null || !hasAllowedSize(value, at, report)) return;
      checkCondition(value, at, report);
      checkPredicatesIn(value, at, predicateChecks(report, options));
    },
    input,
    path,
  );

/** Every fault of what must be a single predicate. */
export const validatePredicate = (input: unknown, path: string, options: ConditionOptions = {}): SettingsFault[] =>
  faultsOf(
    (value, at, report) => {
      checkPredicate(value, at, report);
      if (isObject(value)) predicateChecks(report, options)(value, at);
    },
    input,
    path,
  );

const groups = ['all', 'any', 'not'] as const;

/** The parts of a group, each with its path; null for what is no group. */
function partsOf(node: unknown, path: string): [part: unknown, path: string][] | null {
  if (!isObject(node)) return null;
  const found = groups.filter((group) => Object.hasOwn(node, group));
  if (found.length === 0) return null;
  return found.flatMap((group): [unknown, string][] => {
    const [parts, at] = [node[group], fieldPath(path, group)];
    if (group === 'not') return [[parts, at]];
    // One more than is allowed is enough to see that there are too many.
    return Array.isArray(parts)
      ? parts.slice(0, conditionLimits.nodes + 1).map((part, index) => [part, `${at}[${index}]`])
      : [];
  });
}

/** Whether the limits of nodes and levels are kept; reports the first node that is over one. */
function hasAllowedSize(root: unknown, path: string, report: Report): boolean {
  let nodes = 0;
  const isAllowed = (node: unknown, at: string, depth: number): boolean => {
    if (++nodes > conditionLimits.nodes)
      report(at, 'maxItems', `is one too many: a condition has at most ${conditionLimits.nodes} nodes`);
    else if (depth > conditionLimits.depth)
      report(at, 'maxDepth', `is nested too deep: a condition has at most ${conditionLimits.depth} levels`);
    else return (partsOf(node, at) ?? []).every(([part, below]) => isAllowed(part, below, depth + 1));
    return false;
  };
  return isAllowed(root, path, 1);
}

type PredicateCheck = (predicate: Record<string, unknown>, path: string) => void;

function checkPredicatesIn(node: unknown, path: string, check: PredicateCheck): void {
  const parts = partsOf(node, path);
  if (parts === null) {
    if (isObject(node)) check(node, path);
  } else for (const [part, at] of parts) checkPredicatesIn(part, at, check);
}

/** The check of one predicate after another of a condition: what their patterns cost is counted together. */
function predicateChecks(report: Report, { fields: isAllowed = () => true }: ConditionOptions): PredicateCheck {
  const checkPattern = patternCheck();
  return ({ field, op, value, timezone }, path) => {
    const kind = fieldKind(field, isAllowed);
    if (kind === null) report(fieldPath(path, 'field'), 'enum', 'is not a field that is known here');
    const operator = operators.find((word) => word === op);
    if (kind && operator !== undefined) {
      if (!kind.ops.includes(operator))
        report(fieldPath(path, 'op'), 'enum', `must be one of ${kind.ops.join(', ')} for this field`);
      else if (!isAbsent(value)) valueCheck(kind, operator, checkPattern)(value, fieldPath(path, 'value'), report);
    }
    if (timezone !== undefined) checkTimeZone(timezone, field, fieldPath(path, 'timezone'), report);
  };
}

/** The kind of a field: null when it is not known here, undefined when the schema refuses the name already. */
function fieldKind(field: unknown, isAllowed: (field: string) => boolean): Kind | null | undefined {
  if (typeof field !== 'string' || field.length > conditionLimits.field) return undefined;
  return isAllowed(field) ? (fieldOf(field)?.kind ?? null) : null;
}

/** What the value of a predicate is checked by. */
function valueCheck(kind: Kind, operator: Operator, checkPattern: Check): Check {
  switch (operator) {
    case 'exists':
      return checkBoolean;
    case 'in':
    case 'notIn':
      return listOf(kind.comparand, conditionLimits.values, 1);
    case 'matches':
      return checkPattern;
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

/** Of the patterns of one condition. To compile costs time too: once they are over their limit, no other is looked at. */
function patternCheck(): Check {
  let cost = 0;
  return (value, path, report) => {
    if (typeof value !== 'string') return report(path, 'type', 'must be text');
    if (value.length > patternLimits.length)
      return report(path, 'maxLength', `must have at most ${patternLimits.length} characters`);
    if (cost > patternLimits.cost) return;
    const pattern = parsePattern(value);
    cost += pattern.kind === 'fault' ? value.length : pattern.cost;
    if (pattern.kind === 'fault')
      report(path, 'syntax', `is not a regular expression of RE2's syntax: ${pattern.message}`);
    else if (cost > patternLimits.cost)
      report(path, 'complexity', 'is too much: the patterns of a condition are too long, or repeat too much');
  };
}

function checkTimeZone(timezone: unknown, field: unknown, path: string, report: Report): void {
  if (typeof field === 'string' && !field.startsWith('now.'))
    report(path, 'exclusive', 'has a use for the fields now.* only');
  if (!isTimeZone(timezone)) report(path, 'timezone', 'must be a time zone such as Europe/Berlin');
}
