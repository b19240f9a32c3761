/**
 * Texts with places for values of the payload: `"{{host}}: {{check.name}}"`. No conditions, no loops, no escapes: what
 * stands between the braces is a path, and everything else stands for itself.
 */
import { parsePath, resolve, type Path, type SyntaxFault } from './path.js';
import { isBlank } from '../text/text-limits.js';
import { textOf, type Meter } from './value-text.js';

export const templateLimits = {
  /** Characters of the template as it is written. */
  length: 2_048,
  /**
   * Characters after which a rendered text stops growing: twice the longest field, so that it is still refused as too
   * long, and a short template cannot blow a large payload up.
   */
  rendered: 65_536,
} as const;

export interface Template {
  readonly kind: 'template';
  /** As it was written. */
  readonly text: string;
  /** What stands before, between and after the places: one more than there are paths. */
  readonly literals: readonly string[];
  readonly paths: readonly Path[];
}

export function parseTemplate(text: string): Template | SyntaxFault {
  if (text.length > templateLimits.length) {
    return {
      kind: 'fault',
      position: templateLimits.length,
      message: `a template has at most ${templateLimits.length} characters`,
    };
  }
  const literals: string[] = [];
  const paths: Path[] = [];
  let at = 0;
  for (;;) {
    const open = text.indexOf('{{', at);
    if (open < 0) break;
    const close = text.indexOf('}}', open);
    if (close < 0) return { kind: 'fault', position: open, message: '"{{" is never closed' };
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
 * The text with its places filled; an object or a list appears as JSON, a missing value as nothing. Undefined when the
 * template has places and none of them holds anything: a text of separators alone says nothing, and as a fingerprint it
 * would make one alert of many.
 */
export function render(template: Template, item: unknown, root: unknown, meter: Meter): string | undefined {
  const { literals, paths } = template;
  let text = literals[0]!;
  let filled = paths.length === 0;
  for (let i = 0; i < paths.length && text.length <= templateLimits.rendered && meter.left >= 0; i++) {
    meter.left -= paths[i]!.segments.length;
    const value = textOf(resolve(paths[i]!, item, root), meter);
    if (value !== undefined && !isBlank(value)) {
      filled = true;
      text += value;
    }
    text += literals[i + 1]!;
  }
  return filled ? text : undefined;
}

/** What filling one text may look at: far more than a record of ours holds. */
const ampleWork = 1_000_000;

/**
 * A text of a user with its places filled from a record: `"{{labels.service}}: {{title}}"`. Undefined as in `render`; a text
 * that is no template stands for itself.
 */
export function rendered(text: string, record: unknown): string | undefined {
  const template = parseTemplate(text);
  return template.kind === 'fault' ? text : render(template, record, record, { left: ampleWork });
}
