/**
 * The mapping settings of an integration, as they are stored and edited: one schema gives the type, the check and the
 * document. Presets and custom integrations have the same form: a new sender needs settings, not code.
 */
import { Type, type Static, type TSchema } from '@sinclair/typebox';
import { alertStatuses } from '../alerts/alert-status.js';
import { eventLimits } from '../alerts/event-limits.js';
import { severities } from '../alerts/severity.js';
import { severitySchema } from '../alerts/severity-schema.js';
import { exceedsCharacters, isBlank } from '../text/text-limits.js';
import { faultsOf, isAbsent, ownValue, type Check, type Report, type SettingsFault } from '../validation/check.js';
import { textOfBytes } from '../validation/leaves.js';
import { checkOf, entryPath } from '../validation/schema-check.js';
import { checkedBy, closedObject, stringEnum, orNull, withNames, withRule } from '../validation/schema.js';
import { parseExtract } from './extract.js';
import { parsePath, parsePathOfOne, type SyntaxFault } from './path.js';
import { parseTarget } from './target.js';
import { parseTemplate } from './template.js';

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

// --- Values ---------------------------------------------------------------------------------------------------------

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

const checkTarget = parsed(parseTarget);

const text = (check: Check, description?: string) =>
  checkedBy(Type.String(description === undefined ? {} : { description }), check);

const path = text(parsed(parsePath));
const pathList = Type.Array(path, { minItems: 1, maxItems: settingsLimits.sources });
const [checkPath, checkPathList] = [checkOf(path), checkOf(pathList)];

const source = checkedBy(
  Type.Union([path, pathList], {
    description:
      'A path, or several paths; the first one that exists is used. In a list, `[0]` takes an element by its number, ' +
      '`[any]` the first one that has the value, `[all]` all values, `[status=failed]` an element by a condition.',
  }),
  (value, at, report) => (Array.isArray(value) ? checkPathList : checkPath)(value, at, report),
);

const isScalar = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));

const checkScalar: Check = (value, at, report) => {
  if (!isScalar(value)) report(at, 'type', 'must be text, a number, true or false');
  else if (exceedsCharacters(String(value), settingsLimits.text))
    report(at, 'maxLength', `must have at most ${settingsLimits.text} characters`);
};

const scalar = (description?: string) =>
  checkedBy(
    Type.Union([Type.String(), Type.Number(), Type.Boolean()], description === undefined ? {} : { description }),
    checkScalar,
  );

export type Scalar = Static<ReturnType<typeof scalar>>;

// --- Field mappings and conditions ----------------------------------------------------------------------------------

type Fields = Record<string, unknown>;

const present = (value: Fields, keys: readonly string[]) => keys.filter((key) => !isAbsent(ownValue(value, key)));

/** Exactly one of the keys must be present. */
function exactlyOne(value: Fields, keys: readonly string[], at: string, report: Report): void {
  const found = present(value, keys);
  if (found.length === 0) report(at, 'required', `must have one of ${keys.join(', ')}`);
  if (found.length > 1) report(at, 'exclusive', `must have only one of ${found.join(', ')}`);
}

const mappingRule = withRule(
  closedObject(
    {
      target: text(
        checkTarget,
        'title, severity, status, source, description, fingerprint, dedup_key, occurredAt, labels.<key>, ' +
          'annotations.<key>, labels.* or annotations.*',
      ),
      source: Type.Optional(source),
      template: Type.Optional(text(parsed(parseTemplate), 'Text with paths in double braces: `{{host}}:{{service}}`.')),
      value: Type.Optional(scalar('A constant.')),
      default: Type.Optional(scalar('Used when no value was found.')),
      extract: Type.Optional(
        text(
          parsed(parseExtract),
          'A regular expression (RE2) with one to four groups. When it matches, the value is its groups, ' +
            'one after another.',
        ),
      ),
    },
    { $id: 'FieldMappingRule' },
  ),
  (value, at, report) => {
    const rule = value as Fields;
    exactlyOne(rule, ['source', 'template', 'value'], at, report);
    if (present(rule, ['extract', 'value']).length === 2)
      report(`${at}.extract`, 'exclusive', 'is not allowed beside a constant');
  },
);

type MappingRule = Static<typeof mappingRule>;
type Extracted = { extract?: string | null };

/** The source of one field of the alert. An empty or blank text counts as missing. */
export type FieldMapping = Pick<MappingRule, 'target'> & { default?: Scalar | null } & (
    | (Required<Pick<MappingRule, 'source'>> & Extracted)
    | (Required<Pick<MappingRule, 'template'>> & Extracted)
    | Required<Pick<MappingRule, 'value'>>
  );

const condition = withRule(
  closedObject(
    {
      path,
      equals: Type.Optional(scalar()),
      missing: Type.Optional(
        checkedBy(Type.Literal(true), (value, at, report) => {
          if (value !== true) report(at, 'enum', 'must be true');
        }),
      ),
    },
    { $id: 'IgnoreWhen' },
  ),
  (value, at, report) => exactlyOne(value as Fields, ['equals', 'missing'], at, report),
);

type Condition = Static<typeof condition>;

/** Holds when the value at `path` equals `equals` (compared as text), or when there is no value. */
export type IgnoreCondition = Pick<Condition, 'path'> &
  (Required<Pick<Condition, 'equals'>> | Required<Pick<Condition, 'missing'>>);

// --- Maps -----------------------------------------------------------------------------------------------------------

/** The form in which the sender's words are compared. */
export const wordKey = (word: string): string => word.trim().toLowerCase();

const checkWord: Check = (value, at, report) => {
  const word = value as string;
  if (isBlank(word)) report(at, 'required', 'must name a word');
  if (exceedsCharacters(word, settingsLimits.text))
    report(at, 'maxLength', `must have at most ${settingsLimits.text} characters`);
};

const distinctWords: Check = (value, at, report) => {
  const seen = new Set<string>();
  for (const word of Object.keys(value as object)) {
    const folded = wordKey(word);
    if (seen.has(folded))
      report(entryPath(at, word), 'unique', 'is a duplicate: words are compared regardless of case');
    seen.add(folded);
  }
};

/** A map from the sender's words, which must differ regardless of case, to `words`. */
const wordMap = <const Word extends string>(words: readonly Word[], description: string) =>
  withRule(
    withNames(
      Type.Record(Type.String(), stringEnum(words), { maxProperties: settingsLimits.mapEntries, description }),
      checkWord,
    ),
    distinctWords,
  );

const checkLabelKey: Check = (key, at, report) => {
  checkTarget(`labels.${key as string}`, at, report);
  if (key === '*') report(at, 'enum', 'must name one label');
};

// --- Settings -------------------------------------------------------------------------------------------------------

const conditions = Type.Array(Type.Unsafe<IgnoreCondition>(condition), { maxItems: settingsLimits.conditions });

/** The settings that a caller can change. */
export const mappingFields = {
  fieldMappings: Type.Array(Type.Unsafe<FieldMapping>(mappingRule), { maxItems: settingsLimits.fieldMappings }),
  /** The path of the list of alerts in the payload; null when the payload is one alert or a list. */
  itemsPath: orNull(path),
  /** Paths of texts that contain JSON, parsed before anything else, in the whole payload and in each item. */
  parseJson: Type.Array(text(parsed(parsePathOfOne)), { maxItems: settingsLimits.parseJson }),
  /** Maps the sender's words (regardless of case) to severities. */
  severityMap: orNull(wordMap(severities, 'Maps values of the sender to critical, high, medium, low or info.')),
  /** Maps the sender's words (regardless of case) to statuses. */
  statusMap: orNull(
    wordMap(alertStatuses, 'Maps values of the sender to firing, resolved, acknowledged or suppressed.'),
  ),
  /** Used when the sender's word is missing or unknown. */
  defaultSeverity: orNull(severitySchema),
  /** Added to every alert; they replace labels of the sender. */
  staticLabels: withNames(
    Type.Record(Type.String(), textOfBytes(eventLimits.labelBytes), {
      maxProperties: eventLimits.labels,
      description: 'Labels that are added to every alert.',
    }),
    checkLabelKey,
  ),
  /** Items to ignore, such as test messages: an item is ignored when one condition holds. */
  ignoreWhen: conditions,
};

const settings = closedObject({
  /** The preset that the settings were created from; it has no effect on mapping. */
  type: Type.String(),
  ...mappingFields,
  /** Payloads that are a subscription to confirm, not an alert: a handshake when one condition holds. */
  handshakeWhen: conditions,
});

/** The stored form. */
export type MappingSettings = Static<typeof settings>;

const checkSettings = checkOf(Type.Partial(settings, { additionalProperties: false }) as TSchema);

/**
 * Every error of settings from a user; an empty list when they are valid. All fields are optional and may be null:
 * fields that are left out keep the value of the preset or the current value. The caller validates `type` against its
 * list.
 */
export const validateMappingSettings = (input: unknown): MappingFault[] => faultsOf(checkSettings, input);
