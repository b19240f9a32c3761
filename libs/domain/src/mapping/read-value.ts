/** Reads the values of one item with the readers of a compiled mapping, and records the source of each. */
import { cutToBytes, isBlank } from '../text/text-limits.js';
import { storable } from '../text/storable-text.js';
import { extract } from './extract.js';
import type { FieldSources } from './field-sources.js';
import type { MappingWarning, Origin, Provenance } from './mapped-event.js';
import type { Mapper, Reader } from './mapper.js';
import type { MappingFault } from './mapping-settings.js';
import { resolve } from './path.js';
import type { TextField } from './target.js';
import { render } from './template.js';
import { joined, scalarText, type Meter } from './value-text.js';

/** One item during mapping. */
export interface MappingRun {
  readonly mapper: Mapper;
  readonly root: unknown;
  readonly meter: Meter;
  /** The steps that extracts may still take. */
  readonly extracts: { left: number };
  /** The work that is left when the next pause is due. */
  pauseBelow: number;
  item: unknown;
  /** The prefix of the item's errors and warnings: empty, or `alerts[3].`. */
  prefix: string;
  faults: MappingFault[];
  warnings: MappingWarning[];
  /** The sender reported no severity, and a default is used. */
  severityIsDefault: boolean;
  /** Null when no explanation is requested. */
  provenance: Provenance | null;
  /** The short form, for the records. */
  sources: FieldSources | null;
  /** Where `read` found the last value: the reader, and the index of its path (-1: its template, -2: its fallback). */
  reader: Reader | null;
  place: number;
}

/** The cost between two pauses, in the units of `Meter`: a millisecond or two. */
const pauseEvery = 10_000;
/** A step of an extract is a tenth of a unit of `Meter`. */
const extractStepsOfUnit = 10;

export function pauseIsDue(run: MappingRun): boolean {
  const left = run.meter.left + run.extracts.left / extractStepsOfUnit;
  if (left > run.pauseBelow) return false;
  run.pauseBelow = left - pauseEvery;
  return true;
}

const fromTemplate = -1;
const fromFallback = -2;

export function addFault(run: MappingRun, field: string, rule: string, message: string): void {
  run.faults.push({ path: run.prefix + field, rule, message });
}

export function addWarning(run: MappingRun, field: string, message: string): void {
  run.warnings.push({ path: run.prefix + field, message });
}

function isPresent(value: unknown, meter: Meter): boolean {
  if (typeof value !== 'string') return value !== undefined && value !== null;
  if (!isBlank(value)) return true;
  meter.left -= value.length >>> 3;
  return false;
}

/** The first value, or undefined. Stores its source in `run`. Returns undefined when the cost limit is exceeded. */
export function read(run: MappingRun, readers: readonly Reader[]): unknown {
  for (const reader of readers) {
    if (run.meter.left < 0) break;
    run.reader = reader;
    for (let place = 0; place < reader.paths.length; place++) {
      const path = reader.paths[place]!;
      run.meter.left -= path.segments.length;
      const found = resolve(path, run.item, run.root, run.meter);
      const value = path.many && !reader.wantsList ? joined(found, run.meter) : found;
      if (!isPresent(value, run.meter)) continue;
      run.place = place;
      return value;
    }
    if (reader.template !== null) {
      const text = render(reader.template, run.item, run.root, run.meter);
      if (isPresent(text, run.meter)) {
        run.place = fromTemplate;
        return text;
      }
    }
    if (isPresent(reader.fallback, run.meter)) {
      run.place = fromFallback;
      return reader.fallback;
    }
  }
  run.reader = null;
  return undefined;
}

/** A scalar as storable text, reduced to the extracted group if the reader has one; undefined for other types. */
export function cleanText(run: MappingRun, value: unknown): string | undefined {
  const text = scalarText(value);
  if (text === undefined) return undefined;
  run.meter.left -= text.length >>> 3;
  return storable(extracted(run, text));
}

/** The groups of the reader's expression. The whole text, with a warning, if finding them takes too many steps. */
export function extracted(run: MappingRun, text: string): string {
  const compiled = run.reader?.extract ?? null;
  if (compiled === null || run.place === fromFallback) return text;
  const found = extract(compiled, text, run.extracts);
  if (found === null)
    addWarning(run, `fieldMappings[${run.reader!.entry}]`, 'extract takes too many steps: the whole text is used');
  return found ?? text;
}

/** A field that is one text, or null; see `wrongShape` for a value of another type. */
export function mapText(run: MappingRun, field: TextField, readers: readonly Reader[]): string | null {
  const value = read(run, readers);
  if (value === undefined) return null;
  const text = cleanText(run, value);
  if (text === undefined) {
    wrongShape(run, field, 'must be text, not an object or a list');
    return null;
  }
  if (run.provenance !== null) run.provenance[field] = origin(run, value);
  // mapIdentity reports which of the two names of the identity was used.
  else if (run.sources !== null && field !== 'dedup_key') keepMark(run.sources, field, markOf(run));
  return isBlank(text) ? null : text;
}

/**
 * A value that cannot be used is left out with a warning. It is an error only in the title or the status, which an
 * alert must have; there too it is left out when the payload is mapped and no entry of the mapping names its field.
 */
export function wrongShape(run: MappingRun, field: string, message: string): void {
  const isOwn = !run.mapper.standard && run.reader?.from === 'standard';
  if (!isOwn && (field === 'title' || field === 'status')) addFault(run, field, 'type', `${field} ${message}`);
  else addWarning(run, field, `${isOwn ? "the payload's own " : ''}${field} is left out: it ${message}`);
}

/** The text, cut if it is over the limit, with a warning. */
export function fitting(
  run: MappingRun,
  field: string,
  text: string,
  cut: (text: string, limit: number) => string,
  limit: number,
): string {
  const fitted = cut(text, limit);
  if (fitted !== text)
    addWarning(run, field, `is too long: cut to ${limit} ${cut === cutToBytes ? 'bytes' : 'characters'}`);
  return fitted;
}

export const shown = (text: string): string => JSON.stringify(text.length <= 64 ? text : `${text.slice(0, 64)}…`);

/** Whether the last value is the default of a mapping. */
export const isDefault = ({ reader, place }: MappingRun): boolean =>
  place === fromFallback && reader?.fallbackFrom === 'default';

/** The source of the last value. */
export function origin(run: MappingRun, raw: unknown, via?: Origin['via']): Origin {
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

/** The short form of the source of the last value. */
export function markOf({ reader, place }: MappingRun): string | null {
  if (reader === null) return null;
  return place === fromTemplate
    ? reader.marks.template
    : place === fromFallback
      ? reader.marks.fallback
      : reader.marks.paths[place]!;
}

export function keepMark(sources: FieldSources, name: string, mark: string | null): void {
  if (mark !== null) sources[name] = mark;
}
