/**
 * Where the fields of an event came from, as its record keeps it: short, since every event carries it, and whole, since
 * settings may be others by the time somebody asks. A field that is not named came from the payload's own field of that name.
 *
 *     title: 'm0:check.name'           entry 0 of `fieldMappings`, which found it at this path
 *     description: 't1:{{a}}-{{b}}'    entry 1, by its template
 *     source: 'v2'                     entry 2, a constant
 *     'labels.host': 'd3'              the default of entry 3; 'd': `defaultSeverity`, or firing for a status nobody sent
 *     fingerprint: 's:dedup_key'       the payload's own field of another name; 'g': made of title and source
 *     'labels.team': 'l'               `staticLabels`
 *     'severity=': 'map:P1'            the word `severity` was translated from, by its map ('known:', by the words everybody
 *                                      uses; 'unknown:', so that the default was taken); not there when it is ours already
 *     'labels.*': 'm4:tags'            all entries that are not named; 'labels.*2' is what was added to them, and so on
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

/** Where the sender's word for a field is kept. */
export const wordOf = (field: 'severity' | 'status'): string => `${field}=`;
const maxWordLength = 64;
export const wordMark = (how: 'map' | 'known' | 'unknown', word: string): string =>
  `${how}:${word.length <= maxWordLength ? word : storable(word.slice(0, maxWordLength))}`;

/** Where it is kept of all labels or annotations at once. */
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

/** The origin with the word that was translated, if one was. */
function withWord(origin: Origin, field: 'severity' | 'status', mark: string | undefined): Origin {
  if (mark === undefined) return origin;
  const colon = mark.indexOf(':');
  const how = mark.slice(0, colon);
  const raw = mark.slice(colon + 1);
  return how === 'unknown' ? { ...origin, raw } : { ...origin, raw, via: how === 'map' ? `${field}Map` : 'knownWords' };
}

const textFields = ['title', 'severity', 'status', 'source', 'description', 'fingerprint'] as const;
const bags = ['labels', 'annotations'] as const;

/** In full, for every field of the event that has a value; labels that came all at once are `labels.*`. */
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
