/**
 * Validates conditions from users in three steps: the number and depth of nodes, which bounds the cost of the next
 * steps; the structure, by the schema; and the rules that a schema cannot express: the field is known, and the
 * operator, value, pattern and time zone fit it.
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
  /** The allowed fields; all fields when it is left out. */
  fields?: (field: string) => boolean;
}

const checkCondition = checkOf(conditionSchema);
const checkPredicate = checkOf(predicateSchema);

/**
 * Every error of a condition from a user, each with the path of its node (`<path>.all[1].not.value`); an empty list
 * when the condition can be evaluated. `null` is the condition that always holds.
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

/** Every error of a value that must be a single predicate. */
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

/** The parts of a group, each with its path; null when the value is not a group. */
function partsOf(node: unknown, path: string): [part: unknown, path: string][] | null {
  if (!isObject(node)) return null;
  const found = groups.filter((group) => Object.hasOwn(node, group));
  if (found.length === 0) return null;
  return found.flatMap((group): [unknown, string][] => {
    const [parts, at] = [node[group], fieldPath(path, group)];
    if (group === 'not') return [[parts, at]];
    // One more than the limit is enough to detect too many.
    return Array.isArray(parts)
      ? parts.slice(0, conditionLimits.nodes + 1).map((part, index) => [part, `${at}[${index}]`])
      : [];
  });
}

/** Whether the condition is within the limits of nodes and levels; reports the first node over a limit. */
function hasAllowedSize(root: unknown, path: string, report: Report): boolean {
  let nodes = 0;
  const isAllowed = (node: unknown, at: string, depth: number): boolean => {
    if (++nodes > conditionLimits.nodes)
      report(at, 'maxItems', `exceeds the limit of ${conditionLimits.nodes} nodes in a condition`);
    else if (depth > conditionLimits.depth)
      report(at, 'maxDepth', `exceeds the limit of ${conditionLimits.depth} levels in a condition`);
    else return (partsOf(node, at) ?? []).every(([part, below]) => isAllowed(part, below, depth + 1));
    return false;
  };
  return isAllowed(root, path, 1);
}

/** A predicate of a condition that names a field, with its path. */
export interface NamedField {
  field: string;
  path: string;
}

/** The fields that the predicates of a condition name; none of a condition over the limits. It may be invalid. */
export function fieldsNamedIn(condition: unknown, path: string): NamedField[] {
  const named: NamedField[] = [];
  if (hasAllowedSize(condition, path, () => undefined))
    checkPredicatesIn(condition, path, ({ field }, at) => {
      if (typeof field === 'string' && field.length <= conditionLimits.field) named.push({ field, path: at });
    });
  return named;
}

type PredicateCheck = (predicate: Record<string, unknown>, path: string) => void;

function checkPredicatesIn(node: unknown, path: string, check: PredicateCheck): void {
  const parts = partsOf(node, path);
  if (parts === null) {
    if (isObject(node)) check(node, path);
  } else for (const [part, at] of parts) checkPredicatesIn(part, at, check);
}

/** Validates the predicates of a condition one after another; the costs of their patterns add up. */
function predicateChecks(report: Report, { fields: isAllowed = () => true }: ConditionOptions): PredicateCheck {
  const checkPattern = patternCheck();
  return ({ field, op, value, timezone }, path) => {
    const kind = fieldKind(field, isAllowed);
    if (kind === null) report(fieldPath(path, 'field'), 'enum', 'is not a known field');
    const operator = operators.find((word) => word === op);
    if (kind && operator !== undefined) {
      if (!kind.ops.includes(operator))
        report(fieldPath(path, 'op'), 'enum', `must be one of ${kind.ops.join(', ')} for this field`);
      else if (!isAbsent(value)) valueCheck(kind, operator, checkPattern)(value, fieldPath(path, 'value'), report);
    }
    if (timezone !== undefined) checkTimeZone(timezone, field, fieldPath(path, 'timezone'), report);
  };
}

/** The kind of a field: null when the field is unknown, undefined when the schema already rejects its name. */
function fieldKind(field: unknown, isAllowed: (field: string) => boolean): Kind | null | undefined {
  if (typeof field !== 'string' || field.length > conditionLimits.field) return undefined;
  return isAllowed(field) ? (fieldOf(field)?.kind ?? null) : null;
}

/** The check for the value of a predicate. */
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

/**
 * The costs of the patterns of one condition. Compiling takes time too: after the limit is exceeded, further patterns
 * are not compiled.
 */
function patternCheck(): Check {
  let cost = 0;
  return (value, path, report) => {
    if (typeof value !== 'string') return report(path, 'type', 'must be text');
    if (value.length > patternLimits.length)
      return report(path, 'maxLength', `must have at most ${patternLimits.length} characters`);
    if (cost > patternLimits.cost) return;
    const pattern = parsePattern(value);
    cost += pattern.kind === 'fault' ? value.length : pattern.cost;
    if (pattern.kind === 'fault') report(path, 'syntax', `is not a valid RE2 regular expression: ${pattern.message}`);
    else if (pattern.program > patternLimits.program) {
      cost = Infinity;
      report(
        path,
        'complexity',
        `has ${pattern.program} instructions, at most ${patternLimits.program} are allowed: a repetition such as ` +
          '(?:ab){20} has those of its part 20 times',
      );
    } else if (cost > patternLimits.cost)
      report(
        path,
        'complexity',
        'exceeds the limit: the patterns of a condition are too long or have too many repetitions',
      );
  };
}

function checkTimeZone(timezone: unknown, field: unknown, path: string, report: Report): void {
  if (typeof field === 'string' && !field.startsWith('now.'))
    report(path, 'exclusive', 'is allowed only with the fields now.*');
  if (!isTimeZone(timezone)) report(path, 'timezone', 'must be a time zone such as Europe/Berlin');
}
