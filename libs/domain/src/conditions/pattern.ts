/**
 * Patterns that users search texts for. They run on whatever a sender sends, so they are RE2's: no back-references, and
 * time linear in the text.
 */
import { RE2JS } from 're2js';
import type { SyntaxFault } from '../mapping/path.js';

export const patternLimits = {
  /** Characters. */
  length: 1_000,
  /**
   * What a pattern, or all patterns of one condition, may cost: the characters or, when they are more, the instructions it
   * compiles to. An instruction takes some 12 ns for each character of a text (measured, at worst): with the longest
   * description, 32 KiB, that is less than a second.
   */
  cost: 2_000,
} as const;

export interface Pattern {
  readonly kind: 'pattern';
  readonly expression: RE2JS;
  readonly cost: number;
}

/** As in the extracts of field mappings, a dot is any character, a new line too. Whether the cost is too high is the caller's to say. */
export function parsePattern(source: string): Pattern | SyntaxFault {
  try {
    const expression = RE2JS.compile(source, RE2JS.DOTALL);
    return { kind: 'pattern', expression, cost: Math.max(source.length, expression.programSize()) };
  } catch (error) {
    return { kind: 'fault', position: 0, message: error instanceof Error ? error.message : 'unreadable' };
  }
}

/** How many patterns stay compiled: to compile one costs as much as some fifty searches of a title. */
const keptPatterns = 1_000;

/** By their sources, the one whose use is longest ago first; null for one that cannot be used. */
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
 * Whether the pattern matches somewhere in the text; one that cannot be used matches nowhere. Searches with a matcher,
 * not with `test`, whose automaton may keep 8 MB for each pattern.
 */
export const isFound = (source: string, text: string): boolean => expressionOf(source)?.matcher(text).find() ?? false;
