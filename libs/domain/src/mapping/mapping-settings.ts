/**
 * How an integration's payloads become alerts, as it is stored and edited, and the rules it is checked by. Presets and
 * hand-made integrations are the same shape: a sender we never heard of needs settings, not code.
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

/** Where the value of one field of the alert comes from. An empty or blank text counts as not there. */
export type FieldMapping = {
  /** A field of the alert, `labels.<key>`, `annotations.<key>`, `labels.*` or `annotations.*`. */
  target: string;
  /** Used when nothing else is there. */
  default?: Scalar | null;
} & (
  | {
      /** A path, or several of which the first that is there wins. */
      source: string | string[];
      /** A regular expression (RE2) with one group: the group replaces the text found; without a match nothing changes. */
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

/** Holds when the value at `path` is `equals` (compared as text), or when nothing is there. */
export type IgnoreCondition = { path: string; equals: Scalar } | { path: string; missing: true };

export interface MappingSettings {
  /** The preset the settings began as; it has no effect on mapping. */
  type: string;
  fieldMappings: FieldMapping[];
  /** Where the payload holds its list of alerts; null when it is one alert, or itself a list. */
  itemsPath: string | null;
  /** Paths of texts that hold JSON, read before anything else, on the whole payload and on each item. */
  parseJson: string[];
  /** The sender's words (in any case) and our severities. */
  severityMap: Record<string, Severity> | null;
  /** The sender's words (in any case) and our statuses. */
  statusMap: Record<string, AlertStatus> | null;
  /** For a word that is missing or unknown. */
  defaultSeverity: Severity | null;
  /** Put on every alert, over whatever the sender says. */
  staticLabels: Record<string, string>;
  /** What makes an item nobody wants, such as a test message. One that holds is enough. */
  ignoreWhen: IgnoreCondition[];
  /** What makes a payload a subscription to confirm and no alert. One that holds is enough. */
  handshakeWhen: IgnoreCondition[];
}

/** Its rules: required, type, enum, unique, exclusive, unknown, syntax, maxLength, maxBytes, maxItems, complexity. */
export type MappingFault = SettingsFault;

export const settingsLimits = {
  fieldMappings: 200,
  /** Paths of one source list. */
  sources: 16,
  mapEntries: 500,
  parseJson: 20,
  conditions: 50,
  /** Characters of a word, a constant or a default. */
  text: 1_024,
} as const;

const isScalar = (value: unknown): value is Scalar =>
  typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));

/** Text that is read by a parser which says what is wrong with it and where. */
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

/** A map from the sender's words, which differ also when their case is not looked at, to `words` of ours. */
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
      if (seen.has(folded)) report(at, 'unique', 'is there already: words are compared without regard to case');
      seen.add(folded);
      check(word, at, report);
    }
  };

/** The form in which a sender's words are compared. */
export const wordKey = (word: string): string => word.trim().toLowerCase();

const checkSource: Check = (value, path, report) => {
  if (!Array.isArray(value)) return checkPath(value, path, report);
  if (value.length === 0) return report(path, 'required', 'must name a path');
  listOf(checkPath, settingsLimits.sources)(value, path, report);
};

const present = (value: Record<string, unknown>, keys: readonly string[]) =>
  keys.filter((key) => Object.hasOwn(value, key) && !isAbsent(value[key]));

/** Exactly one of the keys has to be there. */
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
    report(`${path}.extract`, 'exclusive', 'has no use beside a constant');
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
 * Every fault of settings that a user sent, none when they can be used. All fields are optional and may be null: what a
 * user leaves out is the preset's or what was there before. Whether `type` is one we know is for whoever has the list.
 */
export const validateMappingSettings = (input: unknown): MappingFault[] => faultsOf(checkSettings, input);
