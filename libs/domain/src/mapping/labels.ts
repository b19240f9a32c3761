/** Collects the labels or the annotations of an event. */
import { eventLimits } from '../alerts/event-limits.js';
import { storable } from '../text/storable-text.js';
import { cutToBytes, cutToCharacters, isBlank } from '../text/text-limits.js';
import { staticMark, wholeOf } from './field-sources.js';
import type { Origin } from './mapped-event.js';
import type { BagReaders } from './mapper.js';
import {
  addWarning,
  extracted,
  fitting,
  keepMark,
  markOf,
  origin,
  pauseIsDue,
  read,
  shown,
  wrongShape,
  type MappingRun,
} from './read-value.js';
import type { BagField } from './target.js';
import { scalarText, textOf, unwritable } from './value-text.js';

/** The most bytes of a UTF-16 code unit in UTF-8. */
const bytesPerUnit = 3;

/**
 * An object that inherits nothing. V8 stores the result of `Object.create(null)` as a hash table, which JSON.stringify
 * reads slowly. An instance of this class has a hidden class.
 */
const Values = function () {} as unknown as new () => object;
Values.prototype = Object.create(null) as object;

/** Labels or annotations during collection. */
interface Bag {
  readonly field: BagField;
  readonly limit: number;
  readonly values: Record<string, string>;
  size: number;
  /** No value is longer, in UTF-16 code units. */
  longest: number;
  /** All values together are not longer, in UTF-16 code units. */
  length: number;
  /** Entries for which there was no place. */
  leftOut: number;
  /** The keys of the sender's own entries. An entry that the settings name replaces the last of them. */
  readonly replaceable: string[];
}

/**
 * Adds all entries together (`labels.*`, or the payload's own), then single entries, then the static labels; later ones
 * replace earlier ones. A mapped single entry with a blank value is left out, because senders send "" for a missing
 * link. Entries that come together keep blank values.
 */
export function* mapBag(
  run: MappingRun,
  { field, limit, valueBytes, allBytes, all, entries }: BagReaders,
): Generator<void, Record<string, string>> {
  const bag: Bag = {
    field,
    limit,
    values: new Values() as Record<string, string>,
    size: 0,
    longest: 0,
    length: 0,
    leftOut: 0,
    replaceable: [],
  };
  all.forEach((reader, index) => {
    const value = read(run, reader);
    if (value === undefined) return;
    if (run.sources !== null) keepMark(run.sources, wholeOf(field, index), markOf(run));
    putAll(run, bag, value);
  });
  for (const { key, readers } of entries) {
    const value = read(run, readers);
    const text = textOf(value, run.meter);
    if (text === undefined) continue;
    const found = extracted(run, text);
    if (isBlank(found)) continue;
    const from = run.provenance !== null ? origin(run, value) : run.sources !== null ? markOf(run) : null;
    putNamed(run, bag, key, found, from);
    if (pauseIsDue(run)) yield;
  }
  if (field === 'labels') {
    const from = run.provenance !== null ? { from: 'static' as const } : run.sources !== null ? staticMark : null;
    for (const [key, value] of run.mapper.staticLabels) putNamed(run, bag, key, value, from);
  }
  fitValues(run, bag, valueBytes, allBytes);
  if (bag.leftOut > 0)
    addWarning(run, field, `${bag.leftOut} ${field} are left out: an alert has at most ${limit} ${field}`);
  return bag.values;
}

/** Cuts long values, and leaves out those for which there is no room beside the others. */
function fitValues(
  run: MappingRun,
  { field, values, longest, length }: Bag,
  valueBytes: number,
  allBytes: number,
): void {
  if (longest * bytesPerUnit <= valueBytes && length * bytesPerUnit <= allBytes) return;
  let room = allBytes;
  for (const key in values) {
    const value = fitting(run, `${field}.${key}`, values[key]!, cutToBytes, valueBytes);
    values[key] = value;
    if (value.length * bytesPerUnit > room && Buffer.byteLength(value) > room) {
      delete values[key];
      addWarning(run, `${field}.${key}`, `is left out: all ${field} together have at most ${allBytes} bytes`);
    } else room -= Buffer.byteLength(value);
  }
}

/** Adds an entry that the settings name. It replaces an entry of the sender when the bag is full. */
function putNamed(run: MappingRun, bag: Bag, key: string, value: string, from: Origin | string | null): void {
  if (bag.size === bag.limit && bag.values[key] === undefined) {
    const last = bag.replaceable.pop();
    if (last !== undefined) {
      delete bag.values[last];
      bag.size--;
      bag.leftOut++;
      const name = `${bag.field}.${last}`;
      if (run.sources !== null) delete run.sources[name];
      if (run.provenance !== null) delete run.provenance[name];
    }
  }
  put(run, bag, key, value, from);
  const at = bag.replaceable.indexOf(key);
  if (at >= 0) bag.replaceable.splice(at, 1);
}

/**
 * Adds one entry, and returns whether it was usable. A value without a text form (null, undefined) is left out; a
 * nested value is stored as JSON.
 */
function put(run: MappingRun, bag: Bag, rawKey: string, value: unknown, from: Origin | string | null): boolean {
  if (run.meter.left < 0) return true;
  const { field, values } = bag;
  const whole = storable(rawKey);
  if (whole === '__proto__' || isBlank(whole)) {
    addWarning(run, field, `an entry named ${shown(whole)} is left out`);
    return true;
  }
  const isFull = bag.size === bag.limit;
  if (isFull && value !== undefined && value !== null && values[whole] === undefined) {
    bag.leftOut++;
    return true;
  }
  const text = textOf(value, run.meter);
  if (text === undefined) return false;
  const key = whole.length <= eventLimits.key ? whole : cutKey(run, field, whole);
  if (text === unwritable && value !== unwritable) addWarning(run, `${field}.${key}`, 'is nested too deeply: left out');
  if (values[key] === undefined) {
    bag.size++;
    bag.replaceable.push(key);
  }
  bag.longest = Math.max(bag.longest, text.length);
  bag.length += text.length;
  values[key] = storable(text);
  if (typeof from === 'string') run.sources![`${field}.${key}`] = from;
  else if (from !== null) run.provenance![`${field}.${key}`] = from;
  return true;
}

function cutKey(run: MappingRun, field: BagField, whole: string): string {
  const key = cutToCharacters(whole, eventLimits.key);
  if (key !== whole)
    addWarning(run, field, `the key ${shown(whole)} is too long: cut to ${eventLimits.key} characters`);
  return key;
}

/**
 * The entries of an object, of a list of pairs (`{name, value}`, `{key, value}`, `{tag, value}`, `[key, value]` or
 * `"key:value"`), or of a text `"key:value,key:value"`, where a word without a colon is a tag and is left out. The last
 * entry with a key is used.
 */
function putAll(run: MappingRun, bag: Bag, value: unknown): void {
  const from = run.provenance === null ? null : origin(run, undefined);
  let usable = 0;
  let others = 0;
  let all = 1;
  if (typeof value === 'string') {
    run.meter.left -= value.length >>> 1; // A text of two characters can look like a pair.
    for (const pair of extracted(run, value).split(',')) if (putPairText(run, bag, pair, from)) usable++;
  } else if (Array.isArray(value)) {
    all = value.length;
    run.meter.left -= all;
    for (const pair of value as unknown[]) {
      const kind = putPair(run, bag, pair, from);
      if (kind === 'pair') usable++;
      else if (kind === 'other') others++;
    }
  } else if (typeof value === 'object' && value !== null) {
    const keys = Object.keys(value);
    all = keys.length;
    run.meter.left -= all;
    for (const key of keys) if (put(run, bag, key, (value as Record<string, unknown>)[key], from)) usable++;
  } else return wrongShape(run, bag.field, 'must be an object, a list of pairs or a text of pairs');
  if (others > 0)
    addWarning(run, bag.field, `${others} of ${all} entries are left out: they are not pairs of a key and a value`);
  else if (usable === 0 && all > 0)
    addWarning(run, bag.field, 'nothing in it is a pair of a key and a value: left out');
}

const pairNames = ['name', 'key', 'tag'] as const;

/** What the entry of a list is. A tag, or a key without a value, beside pairs causes no warning. */
function putPair(run: MappingRun, bag: Bag, pair: unknown, from: Origin | null): 'pair' | 'tag' | 'other' {
  if (typeof pair === 'string') return putPairText(run, bag, pair, from) ? 'pair' : 'tag';
  if (typeof pair !== 'object' || pair === null) return 'other';
  const name = Array.isArray(pair) ? 0 : pairNames.find((candidate) => Object.hasOwn(pair, candidate));
  if (name === undefined) return 'other';
  const fields = pair as Record<string | number, unknown>;
  const key = scalarText(fields[name]);
  if (key === undefined) return 'other';
  const value = Array.isArray(pair) ? pair[1] : Object.hasOwn(pair, 'value') ? fields.value : undefined;
  return put(run, bag, key, value, from) ? 'pair' : 'tag';
}

function putPairText(run: MappingRun, bag: Bag, pair: string, from: Origin | null): boolean {
  const colon = pair.indexOf(':');
  const key = colon < 0 ? '' : pair.slice(0, colon).trim();
  return key !== '' && put(run, bag, key, pair.slice(colon + 1).trim(), from);
}
