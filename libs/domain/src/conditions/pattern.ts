/**
 * Regular expressions of users. They run on texts from any sender, so they use RE2, which has no back-references, and
 * every search has a limited number of steps (automaton.ts).
 */
import { RE2JS } from 're2js';
import type { SyntaxFault } from '../mapping/path.js';
import { Automaton } from './automaton.js';
import type { EvaluationBudget } from './evaluation-budget.js';

export const patternLimits = {
  /** Characters. */
  length: 1_000,
  /** Compiled instructions of a pattern, in which `x{50}` counts as 50 times `x`. A literal of `length` fits. */
  program: 1_100,
  /**
   * The limit for all patterns of one condition together: for each the larger of its number of characters and its
   * number of instructions. Patterns that were saved before there was the limit `program` have up to this cost.
   */
  cost: 2_000,
  /** Characters of a text that are searched. The longest text of an alert, its description, is shorter. */
  text: 32_768,
  /** Steps of one search: about two milliseconds at most. A common search takes one step for four characters. */
  steps: 100_000,
} as const;

export interface Pattern {
  readonly kind: 'pattern';
  readonly expression: RE2JS;
  readonly cost: number;
  /** The number of compiled instructions. */
  readonly program: number;
}

/**
 * As in the extracts of field mappings, a dot matches any character, including a new line. The caller checks whether
 * the program or the cost is too large.
 */
export function parsePattern(source: string): Pattern | SyntaxFault {
  try {
    const expression = RE2JS.compile(source, RE2JS.DOTALL);
    const program = expression.programSize();
    return { kind: 'pattern', expression, cost: Math.max(source.length, program), program };
  } catch (error) {
    return { kind: 'fault', position: 0, message: error instanceof Error ? error.message : 'unreadable' };
  }
}

/** How many compiled patterns are cached: compiling takes as long as about fifty searches of a title. */
const keptPatterns = 1_000;
/** Numbers that the automata of all cached patterns may hold, 32 MB. */
const keptNumbers = 4_000_000;
/** An automaton that has grown further begins again. */
const keptInAutomaton = 100_000;

/** By source, least recently used first; null for an invalid pattern. */
const compiled = new Map<string, Automaton | null>();
let held = 0;

function automatonOf(source: string): Automaton | null {
  const known = compiled.get(source);
  const automaton = known === undefined ? compile(source) : known;
  compiled.delete(source);
  compiled.set(source, automaton);
  while (compiled.size > keptPatterns || held > keptNumbers) {
    const [[oldest, dropped]] = compiled as unknown as [[string, Automaton | null]];
    if (dropped === automaton) break;
    held -= dropped?.weight ?? 0;
    compiled.delete(oldest);
  }
  return automaton;
}

function compile(source: string): Automaton | null {
  const pattern = parsePattern(source);
  return pattern.kind === 'pattern' && pattern.cost <= patternLimits.cost ? new Automaton(pattern.expression) : null;
}

/**
 * Whether the pattern matches anywhere in the beginning of the text (`patternLimits.text`); an invalid pattern never
 * matches. Null: this takes more steps than a search may have, or than are left. The steps are taken from `budget`.
 */
export function isFound(source: string, text: string, budget: EvaluationBudget): boolean | null {
  const automaton = automatonOf(source);
  if (automaton === null) return false;
  held -= automaton.weight;
  const searched = text.length > patternLimits.text ? text.slice(0, patternLimits.text) : text;
  const limit = Math.min(patternLimits.steps, budget.left);
  const { found, steps, known } = automaton.find(searched, limit, budget.series?.number);
  budget.left -= steps;
  if (budget.series) budget.series.known += known;
  if (automaton.weight > keptInAutomaton) automaton.clear();
  held += automaton.weight;
  return found;
}
