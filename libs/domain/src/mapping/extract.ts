/**
 * Part of a text, by a regular expression with one group. The expressions are users' own and run on whatever a sender
 * sends, so they are RE2's: no back-references, and time linear in the text.
 */
import { RE2JS } from 're2js';
import type { SyntaxFault } from './path.js';
import type { Meter } from './value-text.js';

export const extractLimits = {
  /** Characters of the expression. */
  pattern: 256,
  /** Instructions it compiles to: what each character of the text can cost. */
  program: 250,
  /** Characters of a text that is searched; a longer one stays as it is. */
  text: 4_096,
} as const;

export interface Extraction {
  readonly kind: 'extract';
  readonly pattern: string;
  readonly expression: RE2JS;
  /** Instructions it compiled to. */
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
    return fault(
      `is not a regular expression of RE2's syntax: ${error instanceof Error ? error.message : 'unreadable'}`,
    );
  }
  if (expression.groupCount() !== 1) return fault('an expression has exactly one group, which is what it extracts');
  const program = expression.programSize();
  if (program > extractLimits.program) return fault('an expression repeats too much');
  return { kind: 'extract', pattern, expression, program };
}

/** The group where the expression matches (anywhere in the text), otherwise the text unchanged. */
export function extract(compiled: Extraction, text: string, meter: Meter): string {
  if (text.length > extractLimits.text) return text;
  // Measured at worst: a character costs an instruction of the program some 25 ns, a quarter of what a key costs.
  meter.left -= (text.length * compiled.program) >>> 2;
  return compiled.expression.exec(text)?.[1] ?? text;
}
