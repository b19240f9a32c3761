/**
 * The parts of validators: a check takes a value of any type and reports every error with its path. A validator is a
 * tree of checks that describes the form of a setting. It never throws.
 */
import { exceedsCharacters, isBlank } from '../text/text-limits.js';

/** An error in one part of settings from a user. */
export interface SettingsFault {
  /** The path, such as `steps[2].params.url`. */
  path: string;
  /** The machine-readable rule, such as `required` or `type`. */
  rule: string;
  message: string;
}

export type Report = (path: string, rule: string, message: string) => void;
export type Check = (value: unknown, path: string, report: Report) => void;

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isAbsent = (value: unknown): value is undefined | null => value === undefined || value === null;

/** An own property of the object; inherited properties were not sent. */
export const ownValue = (object: Record<string, unknown>, key: string): unknown =>
  Object.hasOwn(object, key) ? object[key] : undefined;

export const optional =
  (check: Check): Check =>
  (value, path, report) => {
    if (!isAbsent(value)) check(value, path, report);
  };

export const required =
  (check: Check): Check =>
  (value, path, report) => {
    if (isAbsent(value)) report(path, 'required', 'is missing');
    else check(value, path, report);
  };

export const textUpTo =
  (limit: number): Check =>
  (value, path, report) => {
    if (typeof value !== 'string') report(path, 'type', 'must be text');
    else if (exceedsCharacters(value, limit)) report(path, 'maxLength', `must have at most ${limit} characters`);
  };

export const filledTextUpTo = (limit: number): Check => {
  const check = textUpTo(limit);
  return (value, path, report) => {
    if (typeof value === 'string' && isBlank(value)) report(path, 'required', 'must not be empty');
    else check(value, path, report);
  };
};

export const checkBoolean: Check = (value, path, report) => {
  if (typeof value !== 'boolean') report(path, 'type', 'must be true or false');
};

export const wholeNumber =
  (least: number, most: number): Check =>
  (value, path, report) => {
    if (!Number.isInteger(value)) report(path, 'type', 'must be an integer');
    else if ((value as number) < least || (value as number) > most)
      report(path, 'range', `must be from ${least} to ${most}`);
  };

export const oneOf =
  (words: readonly string[]): Check =>
  (value, path, report) => {
    if (typeof value !== 'string' || !words.includes(value)) report(path, 'enum', `must be one of ${words.join(', ')}`);
  };

/** A list of `least` to `most` entries. When the list is too long, its entries are not checked. */
export const listOf =
  (check: Check, most: number, least = 0): Check =>
  (value, path, report) => {
    if (!Array.isArray(value)) return report(path, 'type', 'must be a list');
    if (value.length < least)
      return report(path, 'required', `must have at least ${least === 1 ? 'one entry' : `${least} entries`}`);
    if (value.length > most) return report(path, 'maxItems', `must have at most ${most} entries`);
    value.forEach((entry, index) => check(entry, `${path}[${index}]`, report));
  };

/** The path of a field of the value at `path`; the whole input has the empty path. */
export const fieldPath = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

export function refuseUnknown(
  value: Record<string, unknown>,
  known: (key: string) => boolean,
  path: string,
  report: Report,
): void {
  for (const key of Object.keys(value)) {
    if (!known(key)) report(fieldPath(path, key), 'unknown', 'is not a known field');
  }
}

/** An object with these fields and no others. */
export const record =
  (fields: Record<string, Check>): Check =>
  (value, path, report) => {
    if (!isObject(value)) return report(path, 'type', 'must be an object');
    refuseUnknown(value, (key) => Object.hasOwn(fields, key), path, report);
    for (const [key, check] of Object.entries(fields)) check(ownValue(value, key), fieldPath(path, key), report);
  };

/** A bound on the number of reports, because a body can have very many unknown fields. */
const maxFaults = 200;

/** All errors that a check reports; an error of the whole value has the path `$`. */
export function faultsOf(check: Check, value: unknown, path = ''): SettingsFault[] {
  const faults: SettingsFault[] = [];
  check(value, path, (at, rule, message) => {
    if (faults.length < maxFaults) faults.push({ path: at === '' ? '$' : at, rule, message });
  });
  return faults;
}
