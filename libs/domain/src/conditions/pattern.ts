/**
 * Regular expressions of users. They run on texts from any sender, so they use RE2: no back-references, and a run time
 * that is linear in the text.
 */
import { RE2JS } from 're2js';
import type { SyntaxFault } from '../mapping/path.js';

export const patternLimits = {
  /** Characters. */
  length: 1_000,
  /**
   * The cost limit for a pattern and for all patterns of one condition: the larger of its number of characters and its
   * number of compiled instructions. In the worst case, an instruction takes about 12 ns for each character of a text
   * (measured): with the longest description, 32 KiB, the total is below one second.
   */
  cost: 2_000,
} as const;

export interface Pattern {
  readonly kind: 'pattern';
  readonly expression: RE2JS;
  readonly cost: number;
}

/**
 * As in the extracts of field mappings, a dot matches any character, including a new line. The caller checks whether
 * the cost is too high.
 */
export function parsePattern(source: string): Pattern | SyntaxFault {
  try {
    const expression = RE2JS.compile(source, RE2JS.DOTALL);
    return { kind: 'pattern', expression, cost: Math.max(source.length, expression.programSize()) };
  } catch (error) {
    return { kind: 'fault', position: 0, message: error instanceof Error ? error.message : 'unreadable' };
  }
}

/** How many compiled patterns are cached: compiling takes as long as about fifty searches of a title. */
const keptPatterns = 1_000;

/** By source, least recently used first; null for an invalid pattern. */
const compiled = new Map<string, RE2JS | null>();

function expressionOf(source: string): RE2JS | null {
  const known = compiled.get(source);
  const expression = known === undefined ? compile(source) : known;
  compiled.delete(source);
  compiled.set(source, expression);
  if (compiled.size > keptPatterns) compiled.delete(compiled.keys().next().value!);
  return expression;
}

function compile(source: string): RE2JS | null {
  const pattern = parsePattern(source);
  return pattern.kind === 'pattern' && pattern.cost <= patternLimits.cost ? pattern.expression : null;
}

/**
 * Whether the pattern matches anywhere in the text; an invalid pattern never matches. Uses a matcher, not `test`, whose
 * automaton may hold 8 MB for each pattern.
 */
export const isFound = (source: string, text: string): boolean => expressionOf(source)?.matcher(text).find() ?? false;
