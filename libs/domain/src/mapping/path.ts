/**
 * Paths into a payload:
 *
 *     labels.host                        keys, joined by dots
 *     alerts.0.status · alerts[0].status a number indexes a list
 *     labels["app.kubernetes.io/name"]   a key with dots, in brackets (' or ", a backslash escapes)
 *     $.commonLabels.team · $            from the whole payload, when a path otherwise starts at one item of it
 *
 * Only what the payload itself holds resolves, never what it inherits: `constructor` is not a field of anybody's alert.
 * A path is compiled once; resolving one allocates nothing.
 */

export const pathLimits = { length: 512, segments: 32 } as const;

export interface Path {
  readonly kind: 'path';
  /** As it was written. */
  readonly text: string;
  /** Whether it starts at the whole payload, whatever item is being mapped. */
  readonly fromRoot: boolean;
  readonly segments: readonly string[];
  /** The place each segment names in a list; -1 for one that names none. */
  readonly indexes: readonly number[];
}

export interface SyntaxFault {
  readonly kind: 'fault';
  /** Offset of the offending character, from 0. */
  readonly position: number;
  readonly message: string;
}

const refusedKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
const listIndex = /^(?:0|[1-9]\d{0,8})$/;

const fault = (position: number, message: string): SyntaxFault => ({ kind: 'fault', position, message });

export function parsePath(text: string): Path | SyntaxFault {
  if (text.length > pathLimits.length)
    return fault(pathLimits.length, `a path has at most ${pathLimits.length} characters`);
  const fromRoot = text === '$' || text.startsWith('$.') || text.startsWith('$[');
  const segments: string[] = [];
  let at = fromRoot ? 1 : 0;
  if (!fromRoot && text === '') return fault(0, 'a path is empty');

  while (at < text.length || (segments.length === 0 && !fromRoot)) {
    const start = at;
    const segment = text[at] === '[' ? bracket(text, at) : name(text, at, segments.length > 0 || fromRoot);
    if ('kind' in segment) return segment;
    if (refusedKeys.has(segment.key)) return fault(start, `"${segment.key}" is not a field a path may name`);
    segments.push(segment.key);
    if (segments.length > pathLimits.segments)
      return fault(start, `a path has at most ${pathLimits.segments} segments`);
    at = segment.end;
  }
  const indexes = segments.map((segment) => (listIndex.test(segment) ? Number(segment) : -1));
  return { kind: 'path', text, fromRoot, segments, indexes };
}

interface Segment {
  key: string;
  /** Where the next segment begins. */
  end: number;
}

function name(text: string, start: number, dotted: boolean): Segment | SyntaxFault {
  if (dotted && text[start] !== '.') return fault(start, 'a dot or a bracket is missing here');
  const from = dotted ? start + 1 : start;
  let end = from;
  while (end < text.length && text[end] !== '.' && text[end] !== '[' && text[end] !== ']') end++;
  if (text[end] === ']') return fault(end, 'a bracket closes that was never opened');
  if (end === from) return fault(from, 'a key is empty');
  return { key: text.slice(from, end), end };
}

function bracket(text: string, start: number): Segment | SyntaxFault {
  const quote = text[start + 1];
  if (quote !== '"' && quote !== "'") {
    const close = text.indexOf(']', start);
    if (close < 0) return fault(start, 'a bracket is never closed');
    const key = text.slice(start + 1, close);
    return listIndex.test(key) ? { key, end: close + 1 } : fault(start + 1, 'brackets hold a number or a quoted key');
  }
  let key = '';
  let at = start + 2;
  while (at < text.length && text[at] !== quote) {
    if (text[at] === '\\') at++;
    key += text[at] ?? '';
    at++;
  }
  if (text[at] !== quote || text[at + 1] !== ']') return fault(start, 'a bracket is never closed');
  return { key, end: at + 2 };
}

/** The value a path leads to, or undefined where nothing is there. */
export function resolve(path: Path, item: unknown, root: unknown): unknown {
  let value = path.fromRoot ? root : item;
  const { segments, indexes } = path;
  for (let i = 0; i < segments.length; i++) {
    if (typeof value !== 'object' || value === null) return undefined;
    if (Array.isArray(value)) {
      const index = indexes[i]!;
      if (index < 0 || index >= value.length) return undefined;
      value = value[index];
    } else {
      const key = segments[i]!;
      if (!Object.hasOwn(value, key)) return undefined;
      value = (value as Record<string, unknown>)[key];
    }
  }
  return value;
}

/**
 * A copy of `root` in which the value that the path leads to has become `change(value)`; what lies beside the path is
 * shared. `root` itself when nothing is there, or nothing changes.
 */
export function replaceAt(path: Path, root: unknown, change: (value: unknown) => unknown): unknown {
  const old = resolve(path, root, root);
  if (old === undefined) return root;
  const changed = change(old);
  return changed === old ? root : withValue(path, 0, root, changed);
}

/** Relies on `resolve` having found the path: every step of it is there. */
function withValue(path: Path, depth: number, parent: unknown, value: unknown): unknown {
  if (depth === path.segments.length) return value;
  // Both copies define their properties and never assign them, so a sender's "__proto__" key stays a mere key.
  const copy = Array.isArray(parent) ? parent.slice() : { ...(parent as object) };
  const holder = copy as Record<string | number, unknown>;
  const key = Array.isArray(parent) ? path.indexes[depth]! : path.segments[depth]!;
  holder[key] = withValue(path, depth + 1, holder[key], value);
  return copy;
}
