/**
 * Where the fields of an event come from, as the record of the event stores it. It is short, because every event has
 * it, and complete, because the settings may have changed when somebody reads it. A field that is not listed came from
 * the payload's own field of the same name.
 *
 *     title: 'm0:check.name'           entry 0 of `fieldMappings`, found at this path
 *     description: 't1:{{a}}-{{b}}'    entry 1, by its template
 *     source: 'v2'                     entry 2, a constant
 *     'labels.host': 'd3'              the default of entry 3; 'd': `defaultSeverity`, or firing for a missing status
 *     fingerprint: 's:dedup_key'       the payload's own field with another name; 'g': generated from title and source
 *     'labels.team': 'l'               `staticLabels`
 *     'severity=': 'map:P1'            the word that `severity` was translated from, by the map of the settings;
 *                                      'known:' by the well-known words; 'unknown:' the default was used;
 *                                      missing when no translation was needed
 *     'labels.*': 'm4:tags'            all entries that are not listed; 'labels.*2': the source of later ones
 */
import type { MappedEvent, Origin, Provenance } from './mapped-event.js';
import { storable } from '../text/storable-text.js';

export type FieldSources = Record<string, string>;

export const pathMark = (entry: number, path: string): string => `m${entry}:${path}`;
export const templateMark = (entry: number, template: string): string => `t${entry}:${template}`;
export const constantMark = (entry: number): string => `v${entry}`;
export const defaultMark = (entry: number | '' = ''): string => `d${entry}`;
export const ownFieldMark = (path: string): string => `s:${path}`;
export const generatedMark = 'g';
export const staticMark = 'l';

/** The key under which the sender's word for a field is stored. */
export const wordOf = (field: 'severity' | 'status'): string => `${field}=`;
const maxWordLength = 64;
export const wordMark = (how: 'map' | 'known' | 'unknown', word: string): string =>
  `${how}:${word.length <= maxWordLength ? word : storable(word.slice(0, maxWordLength))}`;

/** The key for all labels or annotations together. */
export const wholeOf = (bag: 'labels' | 'annotations', index: number): string =>
  index === 0 ? `${bag}.*` : `${bag}.*${index + 1}`;

const markForm = /^([a-z])(\d*)(?::([\s\S]*))?$/;
const meanings: Readonly<Record<string, Origin['from']>> = {
  m: 'mapping',
  t: 'mapping',
  v: 'mapping',
  d: 'default',
  s: 'standard',
  l: 'static',
  g: 'generated',
};

function originOf(mark: string): Origin {
  const [, kind = '', entry = '', rest] = markForm.exec(mark) ?? [];
  const origin: Origin = { from: meanings[kind] ?? 'standard' };
  if (entry !== '') origin.entry = Number(entry);
  if (rest !== undefined) origin[kind === 't' ? 'template' : 'path'] = rest;
  return origin;
}

/** The origin, with the translated word if there is one. */
function withWord(origin: Origin, field: 'severity' | 'status', mark: string | undefined): Origin {
  if (mark === undefined) return origin;
  const colon = mark.indexOf(':');
  const how = mark.slice(0, colon);
  const raw = mark.slice(colon + 1);
  return how === 'unknown' ? { ...origin, raw } : { ...origin, raw, via: how === 'map' ? `${field}Map` : 'knownWords' };
}

const textFields = ['title', 'severity', 'status', 'source', 'description', 'fingerprint'] as const;
const bags = ['labels', 'annotations'] as const;

/** The full form, for every field of the event that has a value; labels from one source together are `labels.*`. */
export function originsOf(event: MappedEvent, sources: FieldSources): Provenance {
  const origins: Provenance = {};
  for (const field of textFields) {
    if (event[field] === null) continue;
    const mark = sources[field];
    const origin: Origin = mark === undefined ? { from: 'standard', path: field } : originOf(mark);
    origins[field] =
      field === 'severity' || field === 'status' ? withWord(origin, field, sources[wordOf(field)]) : origin;
  }
  for (const bag of bags) {
    const named = Object.keys(sources).filter((name) => name.startsWith(`${bag}.`));
    for (const name of named) origins[name] = originOf(sources[name]!);
    const whole = wholeOf(bag, 0);
    if (sources[whole] === undefined && Object.keys(event[bag]).some((key) => sources[`${bag}.${key}`] === undefined))
      origins[whole] = { from: 'standard', path: bag };
  }
  return origins;
}
