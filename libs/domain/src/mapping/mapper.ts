/** Compiles the settings of a mapping: parsing, look-ups and ordering are done once, not for each payload. */
import type { AlertStatus } from '../alerts/alert-status.js';
import { eventLimits } from '../alerts/event-limits.js';
import { parseExtract, type Extraction } from './extract.js';
import {
  wordKey,
  type FieldMapping,
  type IgnoreCondition,
  type MappingSettings,
  type Scalar,
} from './mapping-settings.js';
import { constantMark, defaultMark, ownFieldMark, pathMark, templateMark } from './field-sources.js';
import { parsePath, parsePathOfOne, type Path, type SyntaxFault } from './path.js';
import { mappedSeverities, wellKnownSeverities, type Severity, type SeverityWords } from '../alerts/severity.js';
import { parseTarget, type BagField, type Target, type TextField } from './target.js';
import { parseTemplate, type Template } from './template.js';
import { storable } from '../text/storable-text.js';

/** One possible source of a value. A field may have several; the first that has a value is used. */
export interface Reader {
  readonly from: 'mapping' | 'standard';
  readonly entry: number;
  readonly paths: readonly Path[];
  readonly template: Template | null;
  readonly extract: Extraction | null;
  /** For all labels or annotations: a path with [all] gives its list, not a text. */
  readonly wantsList: boolean;
  /** A constant, or the default when no value is found. */
  readonly fallback: Scalar | null;
  readonly fallbackFrom: 'mapping' | 'default';
  /** The `FieldSources` entry for a value from this source, prepared so that recording it costs nothing. */
  readonly marks: ReaderMarks;
}

/** See field-sources.ts for the format. Null: the payload's own field of the same name. */
export interface ReaderMarks {
  readonly paths: readonly (string | null)[];
  readonly template: string;
  readonly fallback: string;
}

interface EntryReaders {
  readonly key: string;
  readonly readers: readonly Reader[];
}

export interface BagReaders {
  readonly field: BagField;
  /** The maximum number of entries. */
  readonly limit: number;
  readonly valueBytes: number;
  /** Of all values together. */
  readonly allBytes: number;
  /** Each reader adds its entries to those of the previous readers. */
  readonly all: readonly (readonly Reader[])[];
  readonly entries: readonly EntryReaders[];
}

export interface CompiledCondition {
  readonly path: Path;
  /** The required text; null when the value must be missing. */
  readonly equals: string | null;
  /** The condition as text. */
  readonly reason: string;
}

/** Compiled settings, for `mapPayload`. Opaque for other code. */
export interface Mapper {
  readonly itemsPath: Path | null;
  readonly parseJson: readonly Path[];
  readonly handshakeWhen: readonly CompiledCondition[];
  readonly ignoreWhen: readonly CompiledCondition[];
  readonly title: readonly Reader[];
  readonly severity: readonly Reader[];
  readonly status: readonly Reader[];
  readonly source: readonly Reader[];
  readonly description: readonly Reader[];
  readonly occurredAt: readonly Reader[];
  /** The field names for the fingerprint, in order of precedence. */
  readonly identity: readonly { readonly field: TextField; readonly readers: readonly Reader[] }[];
  readonly labels: BagReaders;
  readonly annotations: BagReaders;
  readonly severityMap: ReadonlyMap<string, Severity> | null;
  readonly statusMap: ReadonlyMap<string, AlertStatus> | null;
  readonly defaultSeverity: Severity | null;
  /** The words that are known without the severityMap. */
  readonly severityWords: SeverityWords;
  /** Whether the payload is a standard payload: then a title of the wrong type is an error, not an unrelated field. */
  readonly standard: boolean;
  readonly staticLabels: readonly (readonly [key: string, value: string])[];
}

/** Compiles settings without validation errors (`validateMappingSettings`); throws a TypeError for others. */
export function compileMapping(settings: MappingSettings): Mapper {
  const mappings = settings.fieldMappings.map((mapping, entry) => ({
    target: must(parseTarget(mapping.target)),
    reader: compileReader(mapping, entry),
  }));
  const readersOf = (wanted: (target: Target) => boolean) =>
    mappings.filter(({ target }) => wanted(target)).map(({ reader }) => reader);
  const text = (field: TextField) => readersOf((target) => target.kind === 'text' && target.field === field);
  const orStandard = (readers: readonly Reader[], field: string) =>
    readers.length > 0 ? readers : [standardReader(field)];

  const bag = (field: BagField): BagReaders => {
    const keys = new Set(
      mappings.flatMap(({ target }) => (target.kind === 'entry' && target.field === field ? [target.key] : [])),
    );
    return {
      field,
      limit: eventLimits[field],
      valueBytes: field === 'labels' ? eventLimits.labelBytes : eventLimits.annotationBytes,
      allBytes: field === 'labels' ? eventLimits.labels * eventLimits.labelBytes : eventLimits.allAnnotationBytes,
      all: orStandard(
        readersOf((target) => target.kind === 'all' && target.field === field),
        field,
      ).map((reader) => [reader]),
      entries: [...keys].map((key) => ({
        key,
        readers: readersOf((target) => target.kind === 'entry' && target.field === field && target.key === key),
      })),
    };
  };

  // Both names of the identity are one field: a mapping of either replaces both.
  const identity = (['fingerprint', 'dedup_key'] as const)
    .map((field) => ({ field, readers: text(field) }))
    .filter(({ readers }) => readers.length > 0);
  return {
    itemsPath: settings.itemsPath === null ? null : must(parsePath(settings.itemsPath)),
    parseJson: settings.parseJson.map((path) => must(parsePathOfOne(path))),
    handshakeWhen: settings.handshakeWhen.map((condition, index) =>
      compileCondition(condition, `handshakeWhen[${index}]`),
    ),
    ignoreWhen: settings.ignoreWhen.map((condition, index) => compileCondition(condition, `ignoreWhen[${index}]`)),
    title: orStandard(text('title'), 'title'),
    severity: orStandard(text('severity'), 'severity'),
    status: orStandard(text('status'), 'status'),
    source: orStandard(text('source'), 'source'),
    description: orStandard(text('description'), 'description'),
    occurredAt: text('occurredAt').length > 0 ? text('occurredAt') : standardOccurredAt,
    identity: identity.length > 0 ? identity : standardIdentity,
    labels: bag('labels'),
    annotations: bag('annotations'),
    severityMap: compileWords(settings.severityMap),
    statusMap: compileWords(settings.statusMap),
    defaultSeverity: settings.defaultSeverity,
    severityWords:
      text('severity').length === 0 && settings.severityMap === null && settings.defaultSeverity === null
        ? wellKnownSeverities
        : mappedSeverities,
    standard: settings.fieldMappings.length === 0,
    staticLabels: Object.entries(settings.staticLabels).map(
      ([key, value]) => [storable(key), storable(value)] as const,
    ),
  };
}

function must<T extends { kind: string }>(parsed: T | SyntaxFault): T {
  if (parsed.kind === 'fault')
    throw new TypeError(`the settings are not validated: ${(parsed as SyntaxFault).message}`);
  return parsed as T;
}

function compileReader(mapping: FieldMapping, entry: number): Reader {
  const source = 'source' in mapping && mapping.source ? mapping.source : [];
  const template =
    'template' in mapping && typeof mapping.template === 'string' ? must(parseTemplate(mapping.template)) : null;
  const pattern =
    'extract' in mapping && typeof mapping.extract === 'string' ? must(parseExtract(mapping.extract)) : null;
  const constant = 'value' in mapping && mapping.value !== null && mapping.value !== undefined ? mapping.value : null;
  const paths = typeof source === 'string' ? [source] : source;
  return {
    from: 'mapping',
    entry,
    paths: paths.map((path) => must(parsePath(path))),
    template,
    extract: pattern,
    wantsList: /\.\*$/.test(mapping.target),
    fallback: constant ?? mapping.default ?? null,
    fallbackFrom: constant === null ? 'default' : 'mapping',
    marks: {
      paths: paths.map((path) => pathMark(entry, path)),
      template: templateMark(entry, template?.text ?? ''),
      fallback: constant === null ? defaultMark(entry) : constantMark(entry),
    },
  };
}

/** `field` is the name in the payload; `dedup_key` and `dedupKey` set the fingerprint. */
const standardReader = (field: string): Reader => ({
  from: 'standard',
  entry: -1,
  paths: [must(parsePath(field))],
  template: null,
  extract: null,
  wantsList: false,
  fallback: null,
  fallbackFrom: 'default',
  marks: { paths: [/^dedup/.test(field) ? ownFieldMark(field) : null], template: '', fallback: '' },
});

/** `startsAt`: the name of Alertmanager and of senders with its format. */
const standardOccurredAt = [standardReader('occurredAt'), standardReader('startsAt')];

const standardIdentity: Mapper['identity'] = [
  { field: 'fingerprint', readers: [standardReader('fingerprint')] },
  { field: 'dedup_key', readers: [standardReader('dedup_key')] },
  { field: 'dedup_key', readers: [standardReader('dedupKey')] },
];

function compileCondition(condition: IgnoreCondition, name: string): CompiledCondition {
  const path = must(parsePath(condition.path));
  return 'equals' in condition && condition.equals !== undefined && condition.equals !== null
    ? {
        path,
        equals: String(condition.equals),
        reason: `${name}: ${condition.path} is ${JSON.stringify(condition.equals)}`,
      }
    : { path, equals: null, reason: `${name}: ${condition.path} is missing` };
}

const compileWords = <Word>(words: Record<string, Word> | null): ReadonlyMap<string, Word> | null =>
  words === null ? null : new Map(Object.entries(words).map(([word, ours]) => [wordKey(word), ours]));
