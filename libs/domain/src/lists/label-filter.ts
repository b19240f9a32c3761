/**
 * A filter of a list by a label:
 *
 *   service:db     the label has this value
 *   service!:db    it has another value, or the record does not have the label
 *   service~:^db   a part of its value matches the pattern (RE2)
 *   service!~:^db  nothing in its value matches the pattern, or the record does not have the label
 *   service        the record has the label
 *   !service       it does not
 *
 * The first colon ends the name. A value may contain more of them.
 */
import { newSeries } from '../conditions/evaluation-budget.js';
import { isFound, parsePattern } from '../conditions/pattern.js';

export type LabelTerm =
  | { kind: 'equals'; key: string; value: string; negated: boolean }
  | { kind: 'matches'; key: string; pattern: string; negated: boolean }
  | { kind: 'present'; key: string; negated: boolean };

export type ParsedLabel = { kind: 'term'; term: LabelTerm } | { kind: 'fault'; rule: string; message: string };

export const labelFilterLimits = {
  /** Filters of one request. */
  terms: 20,
  /** Patterns of one request. */
  patterns: 3,
  /** The size of a pattern: see `patternLimits`. */
  patternCost: 500,
  /** Alerts that the other filters leave, of which the values of the label are read. */
  rows: 200_000,
  /** Different values of the label among them. */
  values: 2_000,
  /** Steps of searching all values: about 30 milliseconds. */
  work: 3_000_000,
} as const;

const fault = (rule: string, message: string): ParsedLabel => ({ kind: 'fault', rule, message });

const withoutName = fault('form', 'must have the form key:value, key!:value, key~:pattern, key!~:pattern, key or !key');

/** A message completes a sentence that begins with the name of the parameter. */
export function parseLabelTerm(text: string): ParsedLabel {
  const colon = text.indexOf(':');
  if (colon < 0) return presence(text);
  const { key, negated, isPattern } = nameOf(text.slice(0, colon));
  const value = text.slice(colon + 1);
  if (key === '') return withoutName;
  if (key.startsWith('!')) return fault('form', `must have the ! before the colon: ${key.slice(1)}!:${value}`);
  if (!isPattern) return { kind: 'term', term: { kind: 'equals', key, value, negated } };
  const pattern = parsePattern(value);
  if (pattern.kind === 'fault') return fault('pattern', `has a pattern that cannot be read: ${pattern.message}`);
  if (pattern.cost > labelFilterLimits.patternCost)
    return fault('pattern', `has a pattern that is too large (${pattern.cost} of ${labelFilterLimits.patternCost})`);
  return { kind: 'term', term: { kind: 'matches', key, pattern: value, negated } };
}

function presence(text: string): ParsedLabel {
  const negated = text.startsWith('!');
  const key = negated ? text.slice(1) : text;
  return key === '' ? withoutName : { kind: 'term', term: { kind: 'present', key, negated } };
}

function nameOf(text: string): { key: string; negated: boolean; isPattern: boolean } {
  const isPattern = text.endsWith('~');
  const name = isPattern ? text.slice(0, -1) : text;
  const negated = name.endsWith('!');
  return { key: negated ? name.slice(0, -1) : name, negated, isPattern };
}

/** The terms of filters that were checked already. */
export const labelTermsOf = (texts: readonly string[]): LabelTerm[] =>
  texts.map((text) => {
    const parsed = parseLabelTerm(text);
    if (parsed.kind === 'fault') throw new Error(`an unchecked label filter ${parsed.message}`);
    return parsed.term;
  });

export type MatchedValues = { kind: 'values'; values: string[] } | { kind: 'tooMuch' };

/** Those of the values that the pattern matches. `tooMuch`: this would take too long. */
export function matchingValues(pattern: string, values: readonly string[]): MatchedValues {
  const series = newSeries();
  const budget = { left: labelFilterLimits.work, series };
  const matching: string[] = [];
  for (const value of values) {
    const found = isFound(pattern, value, budget);
    if (found === null) return { kind: 'tooMuch' };
    budget.left += series.known;
    series.known = 0;
    if (found) matching.push(value);
  }
  return { kind: 'values', values: matching };
}
