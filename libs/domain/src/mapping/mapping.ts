/**
 * Maps a sender's payload to events. Settings are compiled once (mapper.ts); payloads are mapped many times a second.
 *
 * The steps, in order: parse texts that contain JSON; stop if the payload is a handshake; find the list of items;
 * ignore each item or read its fields, from the mappings that name them, otherwise from the payload's own field of the
 * same name. All errors of an item are reported. An invalid item does not affect the others.
 */
import { eventLimits } from '../alerts/event-limits.js';
import { allAtOnce } from '../fairness/in-parts.js';
import { explicitFingerprint, generatedFingerprint } from '../alerts/fingerprint.js';
import { cutToBytes, cutToCharacters } from '../text/text-limits.js';
import { mapIdentity, mapOccurredAt, mapSeverity, mapStatus, mapTitle } from './event-fields.js';
import { extractLimits } from './extract.js';
import { generatedMark, type FieldSources } from './field-sources.js';
import { mapBag } from './labels.js';
import type { MappedEvent, MappingWarning, Provenance } from './mapped-event.js';
import type { CompiledCondition, Mapper } from './mapper.js';
import type { MappingFault } from './mapping-settings.js';
import { parseJson } from '../text/exact-json.js';
import { replaceAt, resolve, someValue, type Path } from './path.js';
import { fitting, mapText, pauseIsDue, type MappingRun } from './read-value.js';
import { scalarText, type Meter } from './value-text.js';

export type ItemResult =
  | { kind: 'event'; event: MappedEvent; warnings: MappingWarning[]; provenance?: Provenance; sources?: FieldSources }
  | { kind: 'ignored'; reason: string }
  | { kind: 'faulty'; faults: MappingFault[]; provenance?: Provenance };

export type Mapped = { kind: 'handshake' } | { kind: 'items'; items: ItemResult[] };

export interface MapOptions {
  /**
   * Reports for every field where its value comes from: in full (`provenance`), or as event records store it
   * (`sources`).
   */
  explain?: boolean | 'short';
}

/**
 * The cost limit for mapping one payload with all its items, in the units of `Meter`: more than ten times the cost of a
 * 512 KiB payload with a thousand items, and half a second in the worst case. Only settings that copy large parts of
 * the payload into many items come near it.
 */
const payloadBudget = 3_000_000;

/** Maps a payload that was parsed from JSON (or a form). It never throws and never changes the payload. */
export const mapPayload = (mapper: Mapper, payload: unknown, options?: MapOptions): Mapped =>
  allAtOnce(mapPayloadInParts(mapper, payload, options));

/** The same as a generator, which the caller may pause. A part takes a few milliseconds at most. */
export function* mapPayloadInParts(mapper: Mapper, payload: unknown, options?: MapOptions): Generator<void, Mapped> {
  const meter: Meter = { left: payloadBudget };
  const root = readJsonTexts(mapper.parseJson, payload, meter);
  const run: MappingRun = {
    mapper,
    root,
    meter,
    extracts: { left: extractLimits.payloadSteps },
    pauseBelow: payloadBudget,
    item: root,
    prefix: '',
    faults: [],
    warnings: [],
    severityIsDefault: false,
    provenance: null,
    sources: null,
    reader: null,
    place: 0,
  };
  if (firstMatching(mapper.handshakeWhen, run, false) !== null) return { kind: 'handshake' };

  const list = mapper.itemsPath === null ? root : itemsAt(mapper.itemsPath, root, meter);
  if (mapper.itemsPath === null && !Array.isArray(root))
    return { kind: 'items', items: [yield* mapItem(run, root, '', options)] };
  return { kind: 'items', items: yield* mapItems(run, list, options) };
}

/** The lists of several elements are one list of items. */
function itemsAt(path: Path, root: unknown, meter: Meter): unknown {
  const found = resolve(path, root, root, meter);
  return path.many && Array.isArray(found) ? found.flat() : found;
}

function* mapItems(run: MappingRun, list: unknown, options?: MapOptions): Generator<void, ItemResult[]> {
  const { itemsPath, parseJson } = run.mapper;
  if (!Array.isArray(list)) {
    // A test message often has no list; conditions about the whole payload can still recognize it.
    const ignored = firstMatching(run.mapper.ignoreWhen, run, true);
    if (ignored !== null) return [{ kind: 'ignored', reason: ignored.reason }];
    const rule = list === undefined || list === null ? 'required' : 'type';
    return [faulty('itemsPath', rule, `the payload has no list of alerts at "${itemsPath?.text}"`)];
  }
  if (list.length === 0) return [{ kind: 'ignored', reason: 'the list of alerts is empty' }];
  if (list.length > eventLimits.items)
    return [
      faulty(
        'itemsPath',
        'maxItems',
        `a payload may have at most ${eventLimits.items} alerts, this one has ${list.length}`,
      ),
    ];

  const ofItems = parseJson.filter((path) => !path.fromRoot);
  const name = itemsPath === null ? '' : itemsPath.text.replace(/^\$\.?/, '');
  const items: ItemResult[] = [];
  for (const [index, item] of list.entries()) {
    items.push(yield* mapItem(run, readJsonTexts(ofItems, item, run.meter), `${name}[${index}]`, options));
    if (pauseIsDue(run)) yield;
  }
  return items;
}

const tooCostly = (path: string): ItemResult =>
  faulty(path, 'complexity', 'the mappings copy too much of this large payload');

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
        return parseJson(text);
      } catch {
        return text;
      }
    });
  }
  return value;
}

function firstMatching(
  conditions: readonly CompiledCondition[],
  run: MappingRun,
  fromRootOnly: boolean,
): CompiledCondition | null {
  for (const condition of conditions) {
    if (fromRootOnly && !condition.path.fromRoot) continue;
    if (holds(condition, run)) return condition;
  }
  return null;
}

function holds({ path, equals }: CompiledCondition, { item, root, meter }: MappingRun): boolean {
  if (equals !== null) return someValue(path, item, root, (value) => scalarText(value) === equals, meter);
  const value = resolve(path, item, root, meter);
  return value === undefined || value === null;
}

function* mapItem(run: MappingRun, item: unknown, name: string, options?: MapOptions): Generator<void, ItemResult> {
  const whole = name === '' ? '$' : name;
  if (typeof item !== 'object' || item === null) return faulty(whole, 'type', 'an alert must be an object');
  if (run.meter.left < 0) return tooCostly(whole);
  run.item = item;
  const ignored = firstMatching(run.mapper.ignoreWhen, run, false);
  // Beyond the limit a path ends early, so the condition may not hold.
  if (run.meter.left < 0) return tooCostly(whole);
  if (ignored !== null) return { kind: 'ignored', reason: ignored.reason };

  run.prefix = name === '' ? '' : `${name}.`;
  run.faults = [];
  run.warnings = [];
  run.severityIsDefault = false;
  run.provenance = options?.explain === true ? (Object.create(null) as Provenance) : null;
  run.sources = options?.explain === 'short' ? {} : null;

  const { mapper } = run;
  const status = mapStatus(run);
  if (pauseIsDue(run)) yield;
  const title = mapTitle(run);
  if (pauseIsDue(run)) yield;
  const severity = mapSeverity(run, status);
  if (pauseIsDue(run)) yield;
  const source = mapText(run, 'source', mapper.source);
  if (pauseIsDue(run)) yield;
  const description = mapText(run, 'description', mapper.description);
  if (pauseIsDue(run)) yield;
  const identity = mapIdentity(run);
  if (pauseIsDue(run)) yield;
  const occurredAt = mapOccurredAt(run);
  if (pauseIsDue(run)) yield;
  const labels = yield* mapBag(run, mapper.labels);
  const annotations = yield* mapBag(run, mapper.annotations);
  if (run.meter.left < 0) return tooCostly(whole);

  const { faults, warnings, provenance } = run;
  if (faults.length > 0 || title === null || status === null) {
    return provenance === null ? { kind: 'faulty', faults } : { kind: 'faulty', faults, provenance };
  }
  const event: MappedEvent = {
    title: fitting(run, 'title', title, cutToCharacters, eventLimits.title),
    severity,
    status,
    source: source && fitting(run, 'source', source, cutToCharacters, eventLimits.source),
    description: description && fitting(run, 'description', description, cutToBytes, eventLimits.descriptionBytes),
    // From the whole texts: a cut would merge alerts.
    fingerprint: identity === null ? generatedFingerprint(title, source) : explicitFingerprint(identity),
    fingerprintSource: identity === null ? 'generated' : 'explicit',
    labels,
    annotations,
  };
  if (occurredAt !== undefined) event.occurredAt = occurredAt;
  if (run.severityIsDefault) event.severityIsDefault = true;
  if (run.sources !== null) {
    if (identity === null) run.sources.fingerprint = generatedMark;
    return { kind: 'event', event, warnings, sources: run.sources };
  }
  if (provenance === null) return { kind: 'event', event, warnings };
  if (identity === null) provenance.fingerprint = { from: 'generated' };
  return { kind: 'event', event, warnings, provenance };
}
