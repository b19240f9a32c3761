/**
 * The mapping settings of an integration, as they are stored and edited, and their validation. Presets and custom
 * integrations have the same form: a new sender needs settings, not code.
 */
import { alertStatuses, type AlertStatus } from '../alerts/alert-status.js';
import {
  faultsOf,
  isAbsent,
  isObject,
  listOf,
  oneOf,
  optional,
  record,
  type Check,
  type Report,
  type SettingsFault,
} from '../validation/check.js';
import { parseExtract } from './extract.js';
import { parsePath, type SyntaxFault } from './path.js';
import { severities, type Severity } from '../alerts/severity.js';
import { parseTarget } from './target.js';
import { parseTemplate } from './template.js';
import { exceedsBytes, exceedsCharacters, isBlank } from '../text/text-limits.js';
import { eventLimits } from '../alerts/event-limits.js';

export type Scalar = string | number | boolean;

/** The source of one field of the alert. An empty or blank text counts as missing. */
export type FieldMapping = {
  /** A field of the alert, `labels.<key>`, `annotations.<key>`, `labels.*` or `annotations.*`. */
  target: string;
  /** Used when no value is found. */
  default?: Scalar | null;
} & (
  | {
      /** A path, or several paths; the first one with a value is used. */
      source: string | string[];
      /**
       * A regular expression (RE2) with one group. The group replaces the text; without a match, the text stays
       * unchanged.
       */
      extract?: string | null;
    }
  | {
      /** A text with paths in double braces. */
      template: string;
      extract?: string | null;
    }
  | {
      /** A constant. */
      value: Scalar;
    }
);

/** Holds when the value at `path` equals `equals` (compared as text), or when there is no value. */
export type IgnoreCondition = { path: string; equals: Scalar } | { path: string; missing: true };

export interface MappingSettings {
  /** The preset that the settings were created from; it has no effect on mapping. */
  type: string;
  fieldMappings: FieldMapping[];
  /** The path of the list of alerts in the payload; null when the payload is one alert or a list. */
  itemsPath: string | null;
  /** Paths of texts that contain JSON, parsed before anything else, in the whole payload and in each item. */
  parseJson: string[];
  /** Maps the sender's words (regardless of case) to severities. */
  severityMap: Record<string, Severity> | null;
  /** Maps the sender's words (regardless of case) to statuses. */
  statusMap: Record<string, AlertStatus> | null;
  /** Used when the sender's word is missing or unknown. */
  defaultSeverity: Severity | null;
  /** Added to every alert; they replace labels of the sender. */
  staticLabels: Record<string, string>;
  /** Items to ignore, such as test messages: an item is ignored when one condition holds. */
  ignoreWhen: IgnoreCondition[];
  /** Payloads that are a subscription to confirm, not an alert: a handshake when one condition holds. */
  handshakeWhen: IgnoreCondition[];
}

/**
 * The rules are: required, type, enum, unique, exclusive, unknown, syntax, maxLength, maxBytes, maxItems, complexity.
 */
export type MappingFault = SettingsFault;

export const settingsLimits = {
  fieldMappings: 200,
  /** Paths of one source list. */
  sources: 16,
  mapEntries: 500,
  parseJson: 20,
  conditions: 50,
  /** The maximum length in characters of a word, a constant or a default. */
  text: 1_024,
} as const;

const isScalar = (value: unknown): value is Scalar =>
  typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));

/** Text for a parser that reports the error and its position. */
const parsed =
  (parse: (text: string) => { kind: string } | SyntaxFault): Check =>
  (value, path, report) => {
    if (typeof value !== 'string') return report(path, 'type', 'must be text');
    const result = parse(value);
    if (result.kind !== 'fault') return;
    const { position, message } = result as SyntaxFault;
    report(path, 'syntax', `${message} (at character ${position + 1})`);
  };

const checkPath = parsed(parsePath);
const checkTarget = parsed(parseTarget);
const checkTemplate = parsed(parseTemplate);
const checkExtract = parsed(parseExtract);

const checkScalar: Check = (value, path, report) => {
  if (!isScalar(value)) report(path, 'type', 'must be text, a number, true or false');
  else if (exceedsCharacters(String(value), settingsLimits.text))
    report(path, 'maxLength', `must have at most ${settingsLimits.text} characters`);
};

/** A map from the sender's words, which must differ regardless of case, to `words`. */
const wordMap =
  (words: readonly string[]): Check =>
  (value, path, report) => {
    if (!isObject(value)) return report(path, 'type', 'must be an object');
    const entries = Object.entries(value);
    if (entries.length > settingsLimits.mapEntries)
      return report(path, 'maxItems', `must have at most ${settingsLimits.mapEntries} entries`);
    const check = oneOf(words);
    const seen = new Set<string>();
    for (const [key, word] of entries) {
      const at = `${path}[${JSON.stringify(key)}]`;
      const folded = wordKey(key);
      if (isBlank(key)) report(at, 'required', 'must name a word');
      if (exceedsCharacters(key, settingsLimits.text))
        report(at, 'maxLength', `must have at most ${settingsLimits.text} characters`);
      if (seen.has(folded)) report(at, 'unique', 'is a duplicate: words are compared regardless of case');
      seen.add(folded);
      check(word, at, report);
    }
  };

/** The form in which the sender's words are compared. */
export const wordKey = (word: string): string => word.trim().toLowerCase();

const checkSource: Check = (value, path, report) => {
  if (!Array.isArray(value)) return checkPath(value, path, report);
  if (value.length === 0) return report(path, 'required', 'must name a path');
  listOf(checkPath, settingsLimits.sources)(value, path, report);
};

const present = (value: Record<string, unknown>, keys: readonly string[]) =>
  keys.filter((key) => Object.hasOwn(value, key) && !isAbsent(value[key]));

/** Exactly one of the keys must be present. */
function exactlyOne(value: unknown, keys: readonly string[], path: string, report: Report): void {
  if (!isObject(value)) return;
  const found = present(value, keys);
  if (found.length === 0) report(path, 'required', `must have one of ${keys.join(', ')}`);
  if (found.length > 1) report(path, 'exclusive', `must have only one of ${found.join(', ')}`);
}

const fieldMappingFields = record({
  target: checkTarget,
  source: optional(checkSource),
  template: optional(checkTemplate),
  value: optional(checkScalar),
  extract: optional(checkExtract),
  default: optional(checkScalar),
});

const checkFieldMapping: Check = (value, path, report) => {
  fieldMappingFields(value, path, report);
  exactlyOne(value, ['source', 'template', 'value'], path, report);
  if (isObject(value) && present(value, ['extract', 'value']).length === 2)
    report(`${path}.extract`, 'exclusive', 'is not allowed beside a constant');
};

const conditionFields = record({
  path: checkPath,
  equals: optional(checkScalar),
  missing: optional((value, path, report) => {
    if (value !== true) report(path, 'enum', 'must be true');
  }),
});

const checkCondition: Check = (value, path, report) => {
  conditionFields(value, path, report);
  exactlyOne(value, ['equals', 'missing'], path, report);
};

const checkStaticLabels: Check = (value, path, report) => {
  if (!isObject(value)) return report(path, 'type', 'must be an object');
  const entries = Object.entries(value);
  if (entries.length > eventLimits.labels) report(path, 'maxItems', `must have at most ${eventLimits.labels} entries`);
  for (const [key, label] of entries.slice(0, eventLimits.labels)) {
    const at = `${path}[${JSON.stringify(key)}]`;
    checkTarget(`labels.${key}`, at, report);
    if (key === '*') report(at, 'enum', 'must name one label');
    if (typeof label !== 'string') report(at, 'type', 'must be text');
    else if (exceedsBytes(label, eventLimits.valueBytes))
      report(at, 'maxBytes', `must have at most ${eventLimits.valueBytes} bytes`);
  }
};

const settingsFields = {
  type: optional((value, path, report) => {
    if (typeof value !== 'string') report(path, 'type', 'must be text');
  }),
  fieldMappings: optional(listOf(checkFieldMapping, settingsLimits.fieldMappings)),
  itemsPath: optional(checkPath),
  parseJson: optional(listOf(checkPath, settingsLimits.parseJson)),
  severityMap: optional(wordMap(severities)),
  statusMap: optional(wordMap(alertStatuses)),
  defaultSeverity: optional(oneOf(severities)),
  staticLabels: optional(checkStaticLabels),
  ignoreWhen: optional(listOf(checkCondition, settingsLimits.conditions)),
  handshakeWhen: optional(listOf(checkCondition, settingsLimits.conditions)),
} satisfies Record<keyof MappingSettings, Check>;

const checkSettings = record(settingsFields);

/**
 * Every error of settings from a user; an empty list when they are valid. All fields are optional and may be null:
 * fields that are left out keep the value of the preset or the current value. The caller validates `type` against its
 * list.
 */
export const validateMappingSettings = (input: unknown): MappingFault[] => faultsOf(checkSettings, input);
