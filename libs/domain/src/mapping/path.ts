/**
 * Paths into a payload:
 *
 *     labels.host keys, joined by dots
 *     alerts.0.status · alerts[0].status a number indexes a list
 *     labels["app.kubernetes.io/name"] a key with dots, in brackets (' or ", a backslash escapes)
 *     $.commonLabels.team · $ from the whole payload, when other paths start at one of its items
 *
 * Only own properties of the payload resolve, never inherited ones such as `constructor`. A path is compiled once;
 * resolving it allocates nothing.
 */

export const pathLimits = { length: 512, segments: 32 } as const;

export interface Path {
  readonly kind: 'path';
  /** The original text. */
  readonly text: string;
  /** Whether it starts at the whole payload instead of the current item. */
  readonly fromRoot: boolean;
  readonly segments: readonly string[];
  /** The list index of each segment; -1 when the segment is not an index. */
  readonly indexes: readonly number[];
}

export interface SyntaxFault {
  readonly kind: 'fault';
  /** Offset of the invalid character, from 0. */
  readonly position: number;
  readonly message: string;
}

const refusedKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
const listIndex = /^(?:0|[1-9]\d{0,8})$/;

const fault = (position: number, message: string): SyntaxFault => ({ kind: 'fault', position, message });

export function parsePath(text: string): Path | SyntaxFault {
  if (text.length > pathLimits.length)
    return fault(pathLimits.length, `a path may have at most ${pathLimits.length} characters`);
  const fromRoot = text === '$' || text.startsWith('$.') || text.startsWith('$[');
  const segments: string[] = [];
  let at = fromRoot ? 1 : 0;
  if (!fromRoot && text === '') return fault(0, 'the path is empty');

  while (at < text.length || (segments.length === 0 && !fromRoot)) {
    const start = at;
    const segment = text[at] === '[' ? bracket(text, at) : name(text, at, segments.length > 0 || fromRoot);
    if ('kind' in segment) return segment;
    if (refusedKeys.has(segment.key)) return fault(start, `"${segment.key}" is not allowed as a field in a path`);
    segments.push(segment.key);
    if (segments.length > pathLimits.segments)
      return fault(start, `a path may have at most ${pathLimits.segments} segments`);
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
  if (dotted && text[start] !== '.') return fault(start, 'a dot or a bracket is missing');
  const from = dotted ? start + 1 : start;
  let end = from;
  while (end < text.length && text[end] !== '.' && text[end] !== '[' && text[end] !== ']') end++;
  if (text[end] === ']') return fault(end, 'a closing bracket has no opening bracket');
  if (end === from) return fault(from, 'the key is empty');
  return { key: text.slice(from, end), end };
}

function bracket(text: string, start: number): Segment | SyntaxFault {
  const quote = text[start + 1];
  if (quote !== '"' && quote !== "'") {
    const close = text.indexOf(']', start);
    if (close < 0) return fault(start, 'a bracket is not closed');
    const key = text.slice(start + 1, close);
    return listIndex.test(key)
      ? { key, end: close + 1 }
      : fault(start + 1, 'brackets must contain a number or a quoted key');
  }
  let key = '';
  let at = start + 2;
  while (at < text.length && text[at] !== quote) {
    if (text[at] === '\\') at++;
    key += text[at] ?? '';
    at++;
  }
  if (text[at] !== quote || text[at + 1] !== ']') return fault(start, 'a bracket is not closed');
  return { key, end: at + 2 };
}

/** The value at a path, or undefined when there is none. */
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
 * A copy of `root` in which the value at the path is `change(value)`; the rest is shared. Returns `root` itself when
 * there is no value, or it does not change.
 */
export function replaceAt(path: Path, root: unknown, change: (value: unknown) => unknown): unknown {
  const old = resolve(path, root, root);
  if (old === undefined) return root;
  const changed = change(old);
  return changed === old ? root : withValue(path, 0, root, changed);
}

/** Requires that `resolve` has found the path, so every step of it exists. */
function withValue(path: Path, depth: number, parent: unknown, value: unknown): unknown {
  if (depth === path.segments.length) return value;
  // Both copies define properties instead of assigning them, so a sender's "__proto__" key stays an ordinary key.
  const copy = Array.isArray(parent) ? parent.slice() : { ...(parent as object) };
  const holder = copy as Record<string | number, unknown>;
  const key = Array.isArray(parent) ? path.indexes[depth]! : path.segments[depth]!;
  holder[key] = withValue(path, depth + 1, holder[key], value);
  return copy;
}
