/**
 * From a payload in a sender's words to events in ours. Settings are compiled once (mapper.ts), payloads are mapped many
 * times a second.
 *
 * The steps, in order: texts that hold JSON are read; a handshake ends it; the list of items is found; each item is
 * ignored, or its fields are read one by one, from the mappings that name them and otherwise from the payload's own
 * field of that name. Every fault of an item is reported, not the first one only; a faulty item does not affect the
 * others.
 */
import { alertStatuses, wellKnownStatuses, type AlertStatus } from './alert-status.js';
import { eventLimits } from './event-limits.js';
import { extract } from './extract.js';
import {
  defaultMark,
  generatedMark,
  staticMark,
  wholeOf,
  wordMark,
  wordOf,
  type FieldSources,
} from './field-sources.js';
import { explicitFingerprint, generatedFingerprint } from './fingerprint.js';
import type { MappedEvent, MappingWarning, Origin, Provenance } from './mapped-event.js';
import type { BagReaders, CompiledCondition, Mapper, Reader } from './mapper.js';
import { wordKey, type MappingFault } from './mapping-settings.js';
import { replaceAt, resolve, type Path } from './path.js';
import { ownSeverities, saysAllIsWell, severities, wellKnownSeverities, type Severity } from './severity.js';
import type { BagField, TextField } from './target.js';
import { render } from './template.js';
import { exceedsBytes, exceedsCharacters, isBlank, scalarText, storable, textOf, type Meter } from './text.js';

export type ItemResult =
  | { kind: 'event'; event: MappedEvent; warnings: MappingWarning[]; provenance?: Provenance; sources?: FieldSources }
  | { kind: 'ignored'; reason: string }
  | { kind: 'faulty'; faults: MappingFault[]; provenance?: Provenance };

export type Mapped = { kind: 'handshake' } | { kind: 'items'; items: ItemResult[] };

export interface MapOptions {
  /** Say for every field where its value came from: at length (`provenance`), or as the records of events keep it (`sources`). */
  explain?: boolean | 'short';
}

// --- Mapping -----------------------------------------------------------------------------------------------------

/**
 * What mapping one payload may cost, over all its items, in the units of `Meter`: over ten times what a payload of
 * 512 KiB in a thousand items needs, and half a second at worst. Only settings that copy large parts of the payload into
 * each of many items come near it.
 */
const payloadBudget = 3_000_000;

/** One item while it is mapped. */
interface Run {
  readonly mapper: Mapper;
  readonly root: unknown;
  readonly meter: Meter;
  item: unknown;
  /** What faults and warnings of the item begin with: nothing, or `alerts[3].`. */
  prefix: string;
  faults: MappingFault[];
  warnings: MappingWarning[];
  /** Null unless an explanation is asked for. */
  provenance: Provenance | null;
  /** The same in short, for the records. */
  sources: FieldSources | null;
  /** Where `read` found its last value: the reader, and which of its paths (-1: its template, -2: its fallback). */
  reader: Reader | null;
  place: number;
}

const fromTemplate = -1;
const fromFallback = -2;

/** Maps a payload as it was parsed from JSON (or a form). Neither throws nor changes the payload, whatever that is. */
export function mapPayload(mapper: Mapper, payload: unknown, options?: MapOptions): Mapped {
  const meter: Meter = { left: payloadBudget };
  const root = readJsonTexts(mapper.parseJson, payload, meter);
  const run: Run = {
    mapper,
    root,
    meter,
    item: root,
    prefix: '',
    faults: [],
    warnings: [],
    provenance: null,
    sources: null,
    reader: null,
    place: 0,
  };
  if (firstThatHolds(mapper.handshakeWhen, run, false) !== null) return { kind: 'handshake' };

  const list = mapper.itemsPath === null ? root : resolve(mapper.itemsPath, root, root);
  if (mapper.itemsPath === null && !Array.isArray(root))
    return { kind: 'items', items: [mapItem(run, root, '', options)] };
  return { kind: 'items', items: mapItems(run, list, options) };
}

function mapItems(run: Run, list: unknown, options?: MapOptions): ItemResult[] {
  const { itemsPath, parseJson } = run.mapper;
  if (!Array.isArray(list)) {
    // A test message often lacks the list: conditions about the whole payload can still recognize it.
    const ignored = firstThatHolds(run.mapper.ignoreWhen, run, true);
    if (ignored !== null) return [{ kind: 'ignored', reason: ignored.reason }];
    const rule = list === undefined || list === null ? 'required' : 'type';
    return [faulty('itemsPath', rule, `the payload holds no list of alerts at "${itemsPath?.text}"`)];
  }
  if (list.length === 0) return [{ kind: 'ignored', reason: 'the list of alerts is empty' }];
  if (list.length > eventLimits.items)
    return [
      faulty('itemsPath', 'maxItems', `a payload holds at most ${eventLimits.items} alerts, this one ${list.length}`),
    ];

  const ofItems = parseJson.filter((path) => !path.fromRoot);
  const name = itemsPath === null ? '' : itemsPath.text.replace(/^\$\.?/, '');
  return list.map((item, index) => mapItem(run, readJsonTexts(ofItems, item, run.meter), `${name}[${index}]`, options));
}

const tooCostly = (path: string): ItemResult =>
  faulty(path, 'complexity', 'the mappings copy too much of so large a payload');

const faulty = (path: string, rule: string, message: string): ItemResult => ({
  kind: 'faulty',
  faults: [{ path, rule, message }],
});

function readJsonTexts(paths: readonly Path[], value: unknown, meter: Meter): unknown {
  for (const path of paths) {
    value = replaceAt(path, value, (text) => {
      if (typeof text !== 'string') return text;
      meter.left -= text.length >>> 3;
      try {
        return JSON.parse(text) as unknown;
      } catch {
        return text;
      }
    });
  }
  return value;
}

function firstThatHolds(
  conditions: readonly CompiledCondition[],
  run: Run,
  fromRootOnly: boolean,
): CompiledCondition | null {
  for (const condition of conditions) {
    if (fromRootOnly && !condition.path.fromRoot) continue;
    const value = resolve(condition.path, run.item, run.root);
    const holds =
      condition.equals === null ? value === undefined || value === null : scalarText(value) === condition.equals;
    if (holds) return condition;
  }
  return null;
}

function mapItem(run: Run, item: unknown, name: string, options?: MapOptions): ItemResult {
  const whole = name === '' ? '$' : name;
  if (typeof item !== 'object' || item === null) return faulty(whole, 'type', 'an alert must be an object');
  if (run.meter.left < 0) return tooCostly(whole);
  run.item = item;
  const ignored = firstThatHolds(run.mapper.ignoreWhen, run, false);
  if (ignored !== null) return { kind: 'ignored', reason: ignored.reason };

  run.prefix = name === '' ? '' : `${name}.`;
  run.faults = [];
  run.warnings = [];
  run.provenance = options?.explain === true ? (Object.create(null) as Provenance) : null;
  run.sources = options?.explain === 'short' ? {} : null;

  const { mapper } = run;
  const status = mapStatus(run);
  const title = mapTitle(run);
  const severity = mapSeverity(run, status);
  const source = mapText(run, 'source', mapper.source);
  const description = mapText(run, 'description', mapper.description);
  const identity = mapIdentity(run);
  const labels = mapBag(run, mapper.labels);
  const annotations = mapBag(run, mapper.annotations);
  if (source !== null && exceedsCharacters(source, eventLimits.source)) {
    blame(run, 'source', 'maxLength', `source has at most ${eventLimits.source} characters`);
  }
  if (description !== null && exceedsBytes(description, eventLimits.descriptionBytes)) {
    blame(run, 'description', 'maxBytes', `description has at most ${eventLimits.descriptionBytes} bytes`);
  }
  if (run.meter.left < 0) return tooCostly(whole);

  const { faults, warnings, provenance } = run;
  if (faults.length > 0 || title === null || status === null) {
    return provenance === null ? { kind: 'faulty', faults } : { kind: 'faulty', faults, provenance };
  }
  const event: MappedEvent = {
    title,
    severity,
    status,
    source,
    description,
    fingerprint: identity === null ? generatedFingerprint(title, source) : explicitFingerprint(identity),
    fingerprintSource: identity === null ? 'generated' : 'explicit',
    labels,
    annotations,
  };
  if (run.sources !== null) {
    if (identity === null) run.sources.fingerprint = generatedMark;
    return { kind: 'event', event, warnings, sources: run.sources };
  }
  if (provenance === null) return { kind: 'event', event, warnings };
  if (identity === null) provenance.fingerprint = { from: 'generated' };
  return { kind: 'event', event, warnings, provenance };
}

function blame(run: Run, field: string, rule: string, message: string): void {
  run.faults.push({ path: run.prefix + field, rule, message });
}

function warn(run: Run, field: string, message: string): void {
  run.warnings.push({ path: run.prefix + field, message });
}

// --- Reading values ----------------------------------------------------------------------------------------------

function isThere(value: unknown, meter: Meter): boolean {
  if (typeof value !== 'string') return value !== undefined && value !== null;
  if (!isBlank(value)) return true;
  meter.left -= value.length >>> 3;
  return false;
}

/** The first value that is there, or undefined. Leaves in `run` where it was found. Nothing is there once the meter ran out. */
function read(run: Run, readers: readonly Reader[]): unknown {
  for (const reader of readers) {
    if (run.meter.left < 0) break;
    run.reader = reader;
    for (let place = 0; place < reader.paths.length; place++) {
      const path = reader.paths[place]!;
      run.meter.left -= path.segments.length;
      const value = resolve(path, run.item, run.root);
      if (!isThere(value, run.meter)) continue;
      run.place = place;
      return value;
    }
    if (reader.template !== null) {
      const text = render(reader.template, run.item, run.root, run.meter);
      if (isThere(text, run.meter)) {
        run.place = fromTemplate;
        return text;
      }
    }
    if (isThere(reader.fallback, run.meter)) {
      run.place = fromFallback;
      return reader.fallback;
    }
  }
  run.reader = null;
  return undefined;
}

/** A scalar as a text that can be stored, the group extracted that the reader asks for; undefined for other shapes. */
function cleanText(run: Run, value: unknown): string | undefined {
  const text = scalarText(value);
  if (text === undefined) return undefined;
  run.meter.left -= text.length >>> 3;
  return storable(extracted(run, text));
}

function extracted(run: Run, text: string): string {
  const compiled = run.reader?.extract ?? null;
  return compiled === null || run.place === fromFallback ? text : extract(compiled, text, run.meter);
}

/**
 * A field that is one text, or null. A value of another shape is a fault, unless it is a field of the sender's own that
 * merely has the name of ours, in a payload that mappings describe.
 */
function mapText(run: Run, field: TextField, readers: readonly Reader[]): string | null {
  const value = read(run, readers);
  if (value === undefined) return null;
  const text = cleanText(run, value);
  if (text === undefined) {
    wrongShape(run, field, 'must be text, not an object or a list');
    return null;
  }
  if (run.provenance !== null) run.provenance[field] = origin(run, value);
  // Of the two names of the identity, mapIdentity says which one counted.
  else if (run.sources !== null && field !== 'dedup_key') keepMark(run.sources, field, markOf(run));
  return isBlank(text) ? null : text;
}

function wrongShape(run: Run, field: string, message: string): void {
  if (run.mapper.standard || run.reader?.from !== 'standard') blame(run, field, 'type', `${field} ${message}`);
  else warn(run, field, `the payload's own ${field} is left out: it ${message}`);
}

const shown = (text: string): string => JSON.stringify(text.length <= 64 ? text : `${text.slice(0, 64)}…`);

/** Where the last value that was read came from. */
function origin(run: Run, raw: unknown, via?: Origin['via']): Origin {
  const { reader, place } = run;
  if (reader === null) return { from: 'default' };
  const from: Origin = { from: place === fromFallback ? reader.fallbackFrom : reader.from };
  if (reader.entry >= 0) from.entry = reader.entry;
  if (place >= 0) from.path = reader.paths[place]!.text;
  if (place === fromTemplate) from.template = reader.template!.text;
  const text = scalarText(raw);
  if (text !== undefined) from.raw = storable(text.length <= 256 ? text : `${text.slice(0, 256)}…`);
  if (via !== undefined) from.via = via;
  return from;
}

/** The mark of where the last value that was read came from. */
function markOf({ reader, place }: Run): string | null {
  if (reader === null) return null;
  return place === fromTemplate
    ? reader.marks.template
    : place === fromFallback
      ? reader.marks.fallback
      : reader.marks.paths[place]!;
}

function keepMark(sources: FieldSources, name: string, mark: string | null): void {
  if (mark !== null) sources[name] = mark;
}

// --- The fields --------------------------------------------------------------------------------------------------

function mapTitle(run: Run): string | null {
  const faultsBefore = run.faults.length;
  const title = mapText(run, 'title', run.mapper.title)?.trim() ?? null;
  if (title === null) {
    if (run.faults.length === faultsBefore) blame(run, 'title', 'required', 'title is required');
  } else if (exceedsCharacters(title, eventLimits.title)) {
    blame(run, 'title', 'maxLength', `title has at most ${eventLimits.title} characters`);
  }
  return title;
}

/** Firing when the sender says nothing; null, with a fault, when it says something unknown. */
function mapStatus(run: Run): AlertStatus | null {
  const { statusMap, status: readers } = run.mapper;
  const faultsBefore = run.faults.length;
  const word = mapText(run, 'status', readers);
  if (word === null) {
    if (run.faults.length > faultsBefore) return null;
    if (readers[0]!.from === 'mapping') warn(run, 'status', 'not found in the payload: taken as firing');
    if (run.provenance !== null) run.provenance.status = { from: 'default' };
    if (run.sources !== null) run.sources.status = defaultMark();
    return 'firing';
  }
  const key = wordKey(word);
  const mapped = statusMap?.get(key);
  const status = mapped ?? wellKnownStatuses.get(key);
  if (status === undefined) {
    blame(
      run,
      'status',
      'enum',
      `status ${shown(word)} is unknown: it must be one of ${alertStatuses.join(', ')}, or be in the statusMap`,
    );
    return null;
  }
  if (run.provenance !== null) run.provenance.status!.via = mapped === undefined ? 'knownWords' : 'statusMap';
  if (run.sources !== null && word !== status)
    run.sources[wordOf('status')] = wordMark(mapped === undefined ? 'known' : 'map', word);
  return status;
}

/** Null, with a fault, when the severity is missing or unknown; null without one when the alert resolves. */
function mapSeverity(run: Run, status: AlertStatus | null): Severity | null {
  const { severityMap, defaultSeverity, strictSeverity, severity: readers } = run.mapper;
  const value = read(run, readers);
  const word = value === undefined ? undefined : cleanText(run, value);
  const key = word === undefined ? '' : wordKey(word);
  const mapped = severityMap?.get(key);
  const severity = mapped ?? (strictSeverity ? ownSeverities : wellKnownSeverities).get(key);
  const resolved = status === 'resolved';
  if (severity !== undefined && !(resolved && mapped === undefined && saysAllIsWell(key))) {
    if (run.provenance !== null)
      run.provenance.severity = origin(run, value, mapped === undefined ? 'knownWords' : 'severityMap');
    if (run.sources !== null) {
      keepMark(run.sources, 'severity', markOf(run));
      if (word !== severity) run.sources[wordOf('severity')] = wordMark(mapped === undefined ? 'known' : 'map', word!);
    }
    return severity;
  }
  const missing = value === undefined;
  const said = word === undefined ? 'is not text' : `${shown(word)} is unknown`;
  if (resolved) {
    if (!missing && severity === undefined) warn(run, 'severity', `${said}: left out`);
    return null;
  }
  if (defaultSeverity !== null) {
    warn(run, 'severity', `${missing ? 'not found in the payload' : said}: taken as ${defaultSeverity}`);
    if (run.provenance !== null)
      run.provenance.severity = missing ? { from: 'default' } : { ...origin(run, value), from: 'default' };
    if (run.sources !== null) {
      run.sources.severity = defaultMark();
      if (word !== undefined) run.sources[wordOf('severity')] = wordMark('unknown', word);
    }
    return defaultSeverity;
  }
  if (missing) blame(run, 'severity', 'required', `severity is required: one of ${severities.join(', ')}`);
  else blame(run, 'severity', 'enum', `severity ${said}: it must be one of ${severities.join(', ')}`);
  return null;
}

/** The sender's own key, or null. Of two that differ the first name's wins. */
function mapIdentity(run: Run): string | null {
  let identity: string | null = null;
  for (const { field, readers } of run.mapper.identity) {
    const key = mapText(run, field, readers);
    if (key === null) continue;
    if (identity !== null) {
      if (key !== identity) warn(run, field, 'fingerprint and dedup_key differ: the fingerprint is used');
      continue;
    }
    identity = key;
    if (run.provenance !== null) run.provenance.fingerprint = run.provenance[field]!;
    if (run.sources !== null) keepMark(run.sources, 'fingerprint', markOf(run));
  }
  return identity;
}

// --- Labels and annotations --------------------------------------------------------------------------------------

/** Labels or annotations while they are collected. */
interface Bag {
  readonly field: BagField;
  readonly limit: number;
  readonly values: Record<string, string>;
  size: number;
  overfull: boolean;
}

/**
 * Everything at once (`labels.*`, or the payload's own), then single entries over it, then what the operator fixed. An
 * entry that a mapping names and that is blank is left out: senders write "" for a link they do not have. What comes as
 * a whole keeps its blanks, as the sender sent it.
 */
function mapBag(run: Run, readers: BagReaders): Record<string, string> {
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

function checkLimits(run: Run, { field, limit, values, overfull }: Bag): void {
  if (overfull) blame(run, field, 'maxItems', `an alert has at most ${limit} ${field}`);
  for (const key in values) {
    if (exceedsCharacters(key, eventLimits.key))
      blame(run, `${field}.${key.slice(0, 32)}…`, 'maxLength', `a key has at most ${eventLimits.key} characters`);
    else if (exceedsBytes(values[key]!, eventLimits.valueBytes))
      blame(run, `${field}.${key}`, 'maxBytes', `a value has at most ${eventLimits.valueBytes} bytes`);
  }
}

/** One entry; a value without a text form (null, undefined) is left out, a nested one is kept as JSON. */
function put(run: Run, bag: Bag, rawKey: string, value: unknown, from: Origin | string | null): void {
  if (bag.overfull || run.meter.left < 0) return;
  const text = textOf(value, run.meter);
  if (text === undefined) return;
  const { field, values } = bag;
  const key = storable(rawKey);
  if (key === '__proto__' || isBlank(key)) return warn(run, field, `an entry named ${shown(key)} is left out`);
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
 * Entries of an object, of a list of pairs (`{name, value}`, `{key, value}`, `{tag, value}`, `[key, value]` or
 * `"key:value"`), or of a text `"key:value,key:value"`, in which a word without a colon is a tag, not a pair, and is
 * left out. Of the same key the last one stays.
 */
function putAll(run: Run, bag: Bag, value: unknown): void {
  const from = run.provenance === null ? null : origin(run, undefined);
  if (typeof value === 'string') {
    run.meter.left -= value.length >>> 1; // Two characters can be a pair.
    for (const pair of extracted(run, value).split(',')) putPairText(run, bag, pair, from);
  } else if (Array.isArray(value)) {
    run.meter.left -= value.length;
    let others = 0;
    for (const pair of value as unknown[]) if (!putPair(run, bag, pair, from)) others++;
    if (others > 0)
      warn(run, bag.field, `${others} of ${value.length} are left out: they are not pairs of a key and a value`);
  } else if (typeof value === 'object' && value !== null) {
    const keys = Object.keys(value);
    run.meter.left -= keys.length;
    for (const key of keys) put(run, bag, key, (value as Record<string, unknown>)[key], from);
  } else {
    wrongShape(run, bag.field, 'must be an object, a list of pairs or a text of pairs');
  }
}

const pairNames = ['name', 'key', 'tag'] as const;

/** Whether the entry of a list is a pair (or a mere tag, which is no mistake). */
function putPair(run: Run, bag: Bag, pair: unknown, from: Origin | null): boolean {
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

function putPairText(run: Run, bag: Bag, pair: string, from: Origin | null): void {
  const colon = pair.indexOf(':');
  const key = colon < 0 ? '' : pair.slice(0, colon).trim();
  if (key !== '') put(run, bag, key, pair.slice(colon + 1).trim(), from);
}
