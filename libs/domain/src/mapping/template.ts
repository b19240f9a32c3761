/**
 * Texts with placeholders for values of the payload: `"{{host}}: {{check.name}}"`. There are no conditions, loops or
 * escapes: the text between the braces is a path, all other text is literal.
 */
import { parsePath, resolve, type Path, type SyntaxFault } from './path.js';
import { isBlank } from '../text/text-limits.js';
import { joined, textOf, type Meter } from './value-text.js';

export const templateLimits = {
  /** Characters of the template text. */
  length: 2_048,
  /**
   * The length of a rendered text after which no placeholder is filled: twice the longest field, so that a short
   * template cannot multiply a large payload.
   */
  rendered: 65_536,
} as const;

export interface Template {
  readonly kind: 'template';
  /** The original text. */
  readonly text: string;
  /** The literal texts before, between and after the placeholders: one more than there are paths. */
  readonly literals: readonly string[];
  readonly paths: readonly Path[];
}

export function parseTemplate(text: string): Template | SyntaxFault {
  if (text.length > templateLimits.length) {
    return {
      kind: 'fault',
      position: templateLimits.length,
      message: `a template may have at most ${templateLimits.length} characters`,
    };
  }
  const literals: string[] = [];
  const paths: Path[] = [];
  let at = 0;
  for (;;) {
    const open = text.indexOf('{{', at);
    if (open < 0) break;
    const close = text.indexOf('}}', open);
    if (close < 0) return { kind: 'fault', position: open, message: '"{{" is not closed' };
    const inside = text.slice(open + 2, close);
    const path = parsePath(inside.trim());
    if (path.kind === 'fault') {
      const indent = inside.length - inside.trimStart().length;
      return { ...path, position: open + 2 + indent + path.position };
    }
    literals.push(text.slice(at, open));
    paths.push(path);
    at = close + 2;
  }
  literals.push(text.slice(at));
  return { kind: 'template', text, literals, paths };
}

/**
 * The text with its placeholders filled: objects and lists as JSON, missing values as empty text. Undefined when all
 * placeholders are empty: separators alone have no meaning, and as a fingerprint they would merge many alerts.
 */
export function render(template: Template, item: unknown, root: unknown, meter: Meter): string | undefined {
  const { literals, paths } = template;
  let text = literals[0]!;
  let filled = paths.length === 0;
  for (let i = 0; i < paths.length && text.length <= templateLimits.rendered && meter.left >= 0; i++) {
    meter.left -= paths[i]!.segments.length;
    const found = resolve(paths[i]!, item, root, meter);
    const value = textOf(paths[i]!.many ? joined(found, meter) : found, meter);
    if (value !== undefined && !isBlank(value)) {
      filled = true;
      text += value;
    }
    text += literals[i + 1]!;
  }
  return filled ? text : undefined;
}

/** The cost limit for filling one text: far more than a record needs. */
const costLimit = 1_000_000;

/**
 * A user's text with its placeholders filled from a record: `"{{labels.service}}: {{title}}"`. Undefined as in
 * `render`; an invalid template is used as literal text.
 */
export function rendered(text: string, record: unknown): string | undefined {
  const template = parseTemplate(text);
  return template.kind === 'fault' ? text : render(template, record, record, { left: costLimit });
}
