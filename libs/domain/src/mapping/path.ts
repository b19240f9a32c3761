/**
 * Paths into a payload:
 *
 *     labels.host                       keys, joined by dots
 *     alerts.0.status                   a number is an index of a list; also alerts[0].status; [first] is [0]
 *     labels["app.kubernetes.io/name"]  a key with dots, in brackets (' or ", a backslash escapes)
 *     $.commonLabels.team               from the whole payload ($), not from one of its items
 *     jobs[any].name                    of the first element in which the rest of the path has a value
 *     jobs[all].name                    of all elements: a list, for a text its distinct values joined by ", "
 *     jobs[status=failed].name          as [any], of the elements in which `status` is the text; also [status!=ok]
 *     jobs[all status=failed].name      as [all], of these elements; quotes around a key or a text are optional
 *
 * Only own properties of the payload resolve, never inherited ones such as `constructor`. A path is compiled once;
 * resolving it allocates nothing, except the list of [all].
 */
import { scalarText, type Meter } from './value-text.js';

export const pathLimits = { length: 512, segments: 32 } as const;

/** Elements of a list. */
interface Selector {
  readonly all: boolean;
  readonly condition: ElementCondition | null;
}

/** Compares the value at a path in an element with a text. A missing value is different from every text. */
interface ElementCondition {
  readonly keys: readonly string[];
  readonly indexes: readonly number[];
  readonly text: string;
  readonly equal: boolean;
}

export interface Path {
  readonly kind: 'path';
  /** The original text. */
  readonly text: string;
  /** Whether it starts at the whole payload instead of the current item. */
  readonly fromRoot: boolean;
  readonly segments: readonly string[];
  /** The list index of each segment; -1 when the segment is not an index. */
  readonly indexes: readonly number[];
  /** The selector of each segment; null when no segment is one. */
  readonly selectors: readonly (Selector | null)[] | null;
  /** Whether it has an [all]. Then it resolves to a list. */
  readonly many: boolean;
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
const refusedKey = (position: number, key: string): SyntaxFault =>
  fault(position, `"${key}" is not allowed as a field in a path`);
const indexOf = (segment: string): number => (listIndex.test(segment) ? Number(segment) : -1);

export function parsePath(text: string): Path | SyntaxFault {
  if (text.length > pathLimits.length)
    return fault(pathLimits.length, `a path may have at most ${pathLimits.length} characters`);
  const fromRoot = text === '$' || text.startsWith('$.') || text.startsWith('$[');
  const segments: string[] = [];
  const selectors: (Selector | null)[] = [];
  let at = fromRoot ? 1 : 0;
  if (!fromRoot && text === '') return fault(0, 'the path is empty');

  while (at < text.length || (segments.length === 0 && !fromRoot)) {
    const start = at;
    const segment = text[at] === '[' ? bracket(text, at) : name(text, at, segments.length > 0 || fromRoot);
    if ('kind' in segment) return segment;
    if (segment.selector === null && refusedKeys.has(segment.key)) return refusedKey(start, segment.key);
    segments.push(segment.key);
    selectors.push(segment.selector);
    if (segments.length > pathLimits.segments)
      return fault(start, `a path may have at most ${pathLimits.segments} segments`);
    at = segment.end;
  }
  return {
    kind: 'path',
    text,
    fromRoot,
    segments,
    indexes: segments.map(indexOf),
    selectors: selectors.some((selector) => selector !== null) ? selectors : null,
    many: selectors.some((selector) => selector?.all === true),
  };
}

/** A path to one value of the payload, which can be replaced. */
export function parsePathOfOne(text: string): Path | SyntaxFault {
  const path = parsePath(text);
  if (path.kind === 'fault' || path.selectors === null) return path;
  return fault(text.indexOf('['), 'this path cannot select elements of a list: only a number is allowed in brackets');
}

interface Segment {
  key: string;
  selector: Selector | null;
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
  return { key: text.slice(from, end), selector: null, end };
}

const word = /(?:first|any|all)(?=\])|(?:any|all)(?= )/y;

function bracket(text: string, start: number): Segment | SyntaxFault {
  const inside = start + 1;
  word.lastIndex = inside;
  const selected = word.exec(text)?.[0] ?? null;
  if (selected !== null) {
    const end = inside + selected.length;
    if (text[end] === ' ') return condition(text, start, end + 1, selected === 'all');
    if (selected === 'first') return { key: '0', selector: null, end: end + 1 };
    return { key: selected, selector: { all: selected === 'all', condition: null }, end: end + 1 };
  }
  if (isQuote(text[inside])) {
    const key = quoted(text, inside);
    if (key === null) return fault(start, 'a bracket is not closed');
    if (text[key.end] === ']') return { key: key.text, selector: null, end: key.end + 1 };
    if (isOperator(text, key.end)) return condition(text, start, inside, false);
    return fault(start, 'a bracket is not closed');
  }
  const close = text.indexOf(']', start);
  if (close < 0) return fault(start, 'a bracket is not closed');
  const key = text.slice(inside, close);
  if (listIndex.test(key)) return { key, selector: null, end: close + 1 };
  if (key.includes('=')) return condition(text, start, inside, false);
  return fault(inside, 'brackets must contain a number, a quoted key, first, any, all, or a condition (key=text)');
}

/** `key=text` or `key!=text`, until the closing bracket. An unquoted key may have dots. */
function condition(text: string, start: number, from: number, all: boolean): Segment | SyntaxFault {
  let at = from;
  let keys: string[];
  if (isQuote(text[at])) {
    const key = quoted(text, at);
    if (key === null) return fault(start, 'a bracket is not closed');
    keys = [key.text];
    at = key.end;
  } else {
    while (at < text.length && text[at] !== ']' && !isOperator(text, at)) at++;
    keys = text.slice(from, at).split('.');
  }
  if (keys.some((key) => key === '')) return fault(from, 'the key of the condition is empty');
  const refused = keys.find((key) => refusedKeys.has(key));
  if (refused !== undefined) return refusedKey(from, refused);
  if (!isOperator(text, at)) return fault(Math.min(at, text.length), 'a condition must have = or !=');
  const equal = text[at] === '=';
  at += equal ? 1 : 2;
  let compared: string;
  if (isQuote(text[at])) {
    const value = quoted(text, at);
    if (value === null) return fault(start, 'a bracket is not closed');
    compared = value.text;
    at = value.end;
  } else {
    const close = text.indexOf(']', at);
    if (close < 0) return fault(start, 'a bracket is not closed');
    compared = text.slice(at, close);
    at = close;
  }
  if (text[at] !== ']') return fault(at, 'a bracket is not closed');
  const selector = { all, condition: { keys, indexes: keys.map(indexOf), text: compared, equal } };
  return { key: text.slice(start, at + 1), selector, end: at + 1 };
}

const isQuote = (character: string | undefined): boolean => character === '"' || character === "'";
const isOperator = (text: string, at: number): boolean =>
  text[at] === '=' || (text[at] === '!' && text[at + 1] === '=');

/** The text between the quotes, and the offset behind them; null when they are not closed. */
function quoted(text: string, start: number): { text: string; end: number } | null {
  const quote = text[start];
  let found = '';
  let at = start + 1;
  while (at < text.length && text[at] !== quote) {
    if (text[at] === '\\') at++;
    found += text[at] ?? '';
    at++;
  }
  return text[at] === quote ? { text: found, end: at + 1 } : null;
}

/** The value at a path, or undefined when there is none. Only selectors use the meter: one unit for each element. */
export function resolve(path: Path, item: unknown, root: unknown, meter?: Meter): unknown {
  const start = path.fromRoot ? root : item;
  return path.selectors === null
    ? valueAt(path.segments, path.indexes, start)
    : selectedValue(path as SelectingPath, 0, start, meter ?? { left: unmetered });
}

const unmetered = 1_000_000;

function valueAt(keys: readonly string[], indexes: readonly number[], start: unknown): unknown {
  let value = start;
  for (let i = 0; i < keys.length && value !== undefined; i++) value = child(value, keys[i]!, indexes[i]!);
  return value;
}

function child(value: unknown, key: string, index: number): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return index < 0 || index >= value.length ? undefined : (value[index] as unknown);
  return Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
}

type SelectingPath = Path & { readonly selectors: readonly (Selector | null)[] };

function selectedValue(path: SelectingPath, from: number, start: unknown, meter: Meter): unknown {
  const { segments, indexes, selectors } = path;
  let value = start;
  for (let depth = from; depth < segments.length && value !== undefined; depth++) {
    const selector = selectors[depth]!;
    if (selector === null) {
      value = child(value, segments[depth]!, indexes[depth]!);
      continue;
    }
    const found: unknown[] = [];
    for (const element of selectedElements(selector, value, meter)) {
      const rest = selectedValue(path, depth + 1, element, meter);
      if (rest === undefined || rest === null) continue;
      if (!selector.all) return rest;
      found.push(rest);
    }
    return selector.all && found.length > 0 ? found.flatMap(inOneList(path, depth)) : undefined;
  }
  return value;
}

/** The lists of a later [all] become one list. */
const inOneList =
  ({ selectors }: SelectingPath, depth: number) =>
  (value: unknown): unknown =>
    selectors.some((selector, at) => at > depth && selector?.all === true) ? value : [value];

function* selectedElements({ condition }: Selector, list: unknown, meter: Meter): Generator<unknown> {
  if (!Array.isArray(list)) return;
  for (const element of list as readonly unknown[]) {
    if (--meter.left < 0) return;
    if (condition === null || holds(condition, element)) yield element;
  }
}

const holds = ({ keys, indexes, text, equal }: ElementCondition, element: unknown): boolean =>
  (scalarText(valueAt(keys, indexes, element)) === text) === equal;

/**
 * Whether the value at the path passes the test: with [any] or a condition the value of one element, with [all] the
 * values of all elements, of which there must be one.
 */
export function someValue(
  path: Path,
  item: unknown,
  root: unknown,
  test: (value: unknown) => boolean,
  meter: Meter,
): boolean {
  const start = path.fromRoot ? root : item;
  return path.selectors === null
    ? test(valueAt(path.segments, path.indexes, start))
    : passes(path as SelectingPath, 0, start, test, meter);
}

function passes(
  path: SelectingPath,
  from: number,
  start: unknown,
  test: (value: unknown) => boolean,
  meter: Meter,
): boolean {
  const { segments, indexes, selectors } = path;
  let value = start;
  for (let depth = from; depth < segments.length; depth++) {
    const selector = selectors[depth]!;
    if (selector === null) {
      value = child(value, segments[depth]!, indexes[depth]!);
      continue;
    }
    let tested = 0;
    for (const element of selectedElements(selector, value, meter)) {
      tested++;
      const passed = passes(path, depth + 1, element, test, meter);
      if (passed !== selector.all) return passed;
    }
    return selector.all && tested > 0;
  }
  return test(value);
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
