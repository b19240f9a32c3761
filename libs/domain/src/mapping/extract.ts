/**
 * Extracts parts of a text with a regular expression: its groups, one after another. Users write the expressions, and
 * they run on texts from any sender, so they use RE2: no back-references, and a run time that is linear in the text.
 */
import { RE2JS } from 're2js';
import { Automaton } from '../conditions/automaton.js';
import type { SyntaxFault } from './path.js';

export const extractLimits = {
  /** Characters of the expression. */
  pattern: 256,
  /** Compiled instructions: the maximum cost for each character of the text. */
  program: 250,
  groups: 4,
  /** Characters of a text that is searched; a longer text stays unchanged. */
  text: 4_096,
  /** Steps of one search: three milliseconds at most. */
  steps: 100_000,
  /** Steps of all searches for one payload. */
  payloadSteps: 1_000_000,
} as const;

export interface Extraction {
  readonly kind: 'extract';
  readonly pattern: string;
  readonly expression: RE2JS;
  readonly automaton: Automaton;
}

const fault = (message: string): SyntaxFault => ({ kind: 'fault', position: 0, message });

export function parseExtract(pattern: string): Extraction | SyntaxFault {
  if (pattern.length > extractLimits.pattern)
    return fault(`an expression has at most ${extractLimits.pattern} characters`);
  let expression: RE2JS;
  try {
    expression = RE2JS.compile(pattern, RE2JS.DOTALL);
  } catch (error) {
    return fault(`is not a valid RE2 regular expression: ${error instanceof Error ? error.message : 'unreadable'}`);
  }
  const groups = expression.groupCount();
  if (groups < 1 || groups > extractLimits.groups)
    return fault(`an expression must have one group, which is extracted, or up to ${extractLimits.groups}`);
  const program = expression.programSize();
  if (program > extractLimits.program) return fault('an expression has too many repetitions');
  return { kind: 'extract', pattern, expression, automaton: new Automaton(expression) };
}

/** Numbers that an automaton may hold in memory. */
const keptNumbers = 20_000;

/**
 * The groups that took part, if the expression matches anywhere in the text; otherwise the unchanged text. Null when
 * this would take more steps than are left. The steps are taken from `budget`.
 */
export function extract({ automaton, expression }: Extraction, text: string, budget: { left: number }): string | null {
  if (text.length > extractLimits.text) return text;
  const { found, steps } = automaton.measure(text, Math.min(extractLimits.steps, budget.left));
  budget.left -= steps;
  if (automaton.weight > keptNumbers) automaton.clear();
  if (found === null) return null;
  const [, ...groups] = found ? (expression.exec(text) ?? []) : [];
  const taken = groups.filter((group) => group !== undefined && group !== null);
  return taken.length === 0 ? text : taken.join('');
}
