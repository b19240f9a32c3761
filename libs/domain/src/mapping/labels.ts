/** Collects the labels or the annotations of an event. */
import { eventLimits } from '../alerts/event-limits.js';
import { storable } from '../text/storable-text.js';
import { exceedsBytes, exceedsCharacters, isBlank } from '../text/text-limits.js';
import { staticMark, wholeOf } from './field-sources.js';
import type { Origin } from './mapped-event.js';
import type { BagReaders } from './mapper.js';
import {
  addWarning,
  addFault,
  extracted,
  keepMark,
  markOf,
  origin,
  read,
  shown,
  wrongShape,
  type MappingRun,
} from './read-value.js';
import type { BagField } from './target.js';
import { scalarText, textOf } from './value-text.js';

/** Labels or annotations during collection. */
interface Bag {
  readonly field: BagField;
  readonly limit: number;
  readonly values: Record<string, string>;
  size: number;
  overfull: boolean;
}

/**
 * Adds all entries together (`labels.*`, or the payload's own), then single entries, then the static labels; later ones
 * replace earlier ones. A mapped single entry with a blank value is left out, because senders send "" for a missing
 * link. Entries that come together keep blank values.
 */
export function mapBag(run: MappingRun, readers: BagReaders): Record<string, string> {
  const { field, limit } = readers;
  const bag: Bag = { field, limit, values: Object.create(null) as Record<string, string>, size: 0, overfull: false };
  readers.all.forEach((reader, index) => {
    const value = read(run, reader);
    if (value === undefined) return;
    if (run.sources !== null) keepMark(run.sources, wholeOf(field, index), markOf(run));
    putAll(run, bag, value);
  });
  for (const { key, readers: entryReaders } of readers.entries) {
    const value = read(run, entryReaders);
    const text = textOf(value, run.meter);
    if (text === undefined) continue;
    const found = extracted(run, text);
    if (!isBlank(found))
      put(
        run,
        bag,
        key,
        found,
        run.provenance !== null ? origin(run, value) : run.sources !== null ? markOf(run) : null,
      );
  }
  if (field === 'labels') {
    for (const [key, value] of run.mapper.staticLabels)
      put(
        run,
        bag,
        key,
        value,
        run.provenance !== null ? { from: 'static' } : run.sources !== null ? staticMark : null,
      );
  }
  checkLimits(run, bag);
  return bag.values;
}

function checkLimits(run: MappingRun, { field, limit, values, overfull }: Bag): void {
  if (overfull) addFault(run, field, 'maxItems', `an alert has at most ${limit} ${field}`);
  for (const key in values) {
    if (exceedsCharacters(key, eventLimits.key))
      addFault(
        run,
        `${field}.${key.slice(0, 32)}…`,
        'maxLength',
        `a key may have at most ${eventLimits.key} characters`,
      );
    else if (exceedsBytes(values[key]!, eventLimits.valueBytes))
      addFault(run, `${field}.${key}`, 'maxBytes', `a value has at most ${eventLimits.valueBytes} bytes`);
  }
}

/** Adds one entry. A value without a text form (null, undefined) is left out; a nested value is stored as JSON. */
function put(run: MappingRun, bag: Bag, rawKey: string, value: unknown, from: Origin | string | null): void {
  if (bag.overfull || run.meter.left < 0) return;
  const text = textOf(value, run.meter);
  if (text === undefined) return;
  const { field, values } = bag;
  const key = storable(rawKey);
  if (key === '__proto__' || isBlank(key)) return addWarning(run, field, `an entry named ${shown(key)} is left out`);
  if (values[key] === undefined) {
    if (bag.size === bag.limit) {
      bag.overfull = true;
      return;
    }
    bag.size++;
  }
  values[key] = storable(text);
  if (typeof from === 'string') run.sources![`${field}.${key}`] = from;
  else if (from !== null) run.provenance![`${field}.${key}`] = from;
}

/**
 * The entries of an object, of a list of pairs (`{name, value}`, `{key, value}`, `{tag, value}`, `[key, value]` or
 * `"key:value"`), or of a text `"key:value,key:value"`, where a word without a colon is a tag and is left out. The last
 * entry with a key is used.
 */
function putAll(run: MappingRun, bag: Bag, value: unknown): void {
  const from = run.provenance === null ? null : origin(run, undefined);
  if (typeof value === 'string') {
    run.meter.left -= value.length >>> 1; // A text of two characters can look like a pair.
    for (const pair of extracted(run, value).split(',')) putPairText(run, bag, pair, from);
  } else if (Array.isArray(value)) {
    run.meter.left -= value.length;
    let others = 0;
    for (const pair of value as unknown[]) if (!putPair(run, bag, pair, from)) others++;
    if (others > 0)
      addWarning(
        run,
        bag.field,
        `${others} of ${value.length} entries are left out: they are not pairs of a key and a value`,
      );
  } else if (typeof value === 'object' && value !== null) {
    const keys = Object.keys(value);
    run.meter.left -= keys.length;
    for (const key of keys) put(run, bag, key, (value as Record<string, unknown>)[key], from);
  } else {
    wrongShape(run, bag.field, 'must be an object, a list of pairs or a text of pairs');
  }
}

const pairNames = ['name', 'key', 'tag'] as const;

/** Whether the entry of a list is a pair (or only a tag, which is not an error). */
function putPair(run: MappingRun, bag: Bag, pair: unknown, from: Origin | null): boolean {
  if (typeof pair === 'string') {
    putPairText(run, bag, pair, from);
    return true;
  }
  if (typeof pair !== 'object' || pair === null) return false;
  const name = Array.isArray(pair) ? 0 : pairNames.find((candidate) => Object.hasOwn(pair, candidate));
  if (name === undefined) return false;
  const fields = pair as Record<string | number, unknown>;
  const key = scalarText(fields[name]);
  if (key === undefined) return false;
  put(run, bag, key, Array.isArray(pair) ? pair[1] : Object.hasOwn(pair, 'value') ? fields.value : undefined, from);
  return true;
}

function putPairText(run: MappingRun, bag: Bag, pair: string, from: Origin | null): void {
  const colon = pair.indexOf(':');
  const key = colon < 0 ? '' : pair.slice(0, colon).trim();
  if (key !== '') put(run, bag, key, pair.slice(colon + 1).trim(), from);
}
