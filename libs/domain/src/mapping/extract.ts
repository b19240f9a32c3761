/**
 * Extracts parts of a text with a regular expression: its groups, one after another. Users write the expressions, and
 * they run on texts from any sender, so they use RE2: no back-references, and a run time that is linear in the text.
 */
import { RE2JS } from 're2js';
import type { SyntaxFault } from './path.js';
import type { Meter } from './value-text.js';

export const extractLimits = {
  /** Characters of the expression. */
  pattern: 256,
  /** Compiled instructions: the maximum cost for each character of the text. */
  program: 250,
  groups: 4,
  /** Characters of a text that is searched; a longer text stays unchanged. */
  text: 4_096,
} as const;

export interface Extraction {
  readonly kind: 'extract';
  readonly pattern: string;
  readonly expression: RE2JS;
  /** The number of compiled instructions. */
  readonly program: number;
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
  return { kind: 'extract', pattern, expression, program };
}

/** The groups that took part, if the expression matches anywhere in the text; otherwise the unchanged text. */
export function extract(compiled: Extraction, text: string, meter: Meter): string {
  if (text.length > extractLimits.text) return text;
  // Measured in the worst case: an instruction takes about 25 ns for each character, a quarter of the cost of a key.
  meter.left -= (text.length * compiled.program) >>> 2;
  const [, ...groups] = compiled.expression.exec(text) ?? [];
  const found = groups.filter((group) => group !== undefined && group !== null);
  return found.length === 0 ? text : found.join('');
}
