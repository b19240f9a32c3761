/** The mapping of an integration while it is edited. Maps are lists of pairs, so that a word can be typed. */
import type { components } from '@ams/client';

type Settings = Required<components['schemas']['PutIntegration']>;
type Integration = components['schemas']['Integration'];

export const mappingNames = [
  'itemsPath',
  'parseJson',
  'fieldMappings',
  'severityMap',
  'statusMap',
  'defaultSeverity',
  'staticLabels',
  'ignoreWhen',
] as const;

type Name = (typeof mappingNames)[number];
type Empty = 'parseJson' | 'fieldMappings' | 'staticLabels' | 'ignoreWhen';

/** In the form in which it is written. */
export type Mapping = Pick<Settings, Exclude<Name, Empty>> & { [Name in Empty]: NonNullable<Settings[Name]> };
export type Rule = Mapping['fieldMappings'][number];
export type Ignored = Mapping['ignoreWhen'][number];
export type Pair = readonly [word: string, meaning: string];

export interface Draft extends Omit<Mapping, 'severityMap' | 'statusMap' | 'staticLabels'> {
  severityMap: readonly Pair[];
  statusMap: readonly Pair[];
  staticLabels: readonly Pair[];
}

export const mappingOf = (integration: Mapping | Pick<Integration, Name>): Mapping =>
  Object.fromEntries(mappingNames.map((name) => [name, integration[name]])) as unknown as Mapping;

export const draftOf = (mapping: Mapping): Draft => ({
  ...mapping,
  severityMap: Object.entries(mapping.severityMap ?? {}),
  statusMap: Object.entries(mapping.statusMap ?? {}),
  staticLabels: Object.entries(mapping.staticLabels),
});

/** Pairs without a word are not there yet. The last one of the same word counts. */
const mapOf = <Meaning extends string>(pairs: readonly Pair[]): Record<string, Meaning> =>
  Object.fromEntries(pairs.filter(([word]) => word !== '')) as Record<string, Meaning>;

/** An empty map is none. */
const mapOrNull = <Meaning extends string>(pairs: readonly Pair[]): Record<string, Meaning> | null => {
  const map = mapOf<Meaning>(pairs);
  return Object.keys(map).length === 0 ? null : map;
};

export const writtenOf = (draft: Draft): Mapping => ({
  ...draft,
  itemsPath: draft.itemsPath === '' ? null : draft.itemsPath,
  severityMap: mapOrNull(draft.severityMap),
  statusMap: mapOrNull(draft.statusMap),
  staticLabels: mapOf(draft.staticLabels),
});

/** In the same order of names, whatever the order of the answer. */
export const jsonOf = (draft: Draft): string => JSON.stringify(mappingOf(writtenOf(draft)), null, 2);

/** Names that the text does not have keep their value, as in a PUT. */
export const withJson = (draft: Draft, value: Record<string, unknown>): Draft => {
  const merged = { ...writtenOf(draft), ...pick(value) };
  return draftOf({
    ...merged,
    parseJson: merged.parseJson ?? [],
    fieldMappings: merged.fieldMappings ?? [],
    staticLabels: merged.staticLabels ?? {},
    ignoreWhen: merged.ignoreWhen ?? [],
  });
};

const pick = (value: Record<string, unknown>): Partial<Mapping> =>
  Object.fromEntries(mappingNames.filter((name) => name in value).map((name) => [name, value[name]]));

/** Whether the form can show the value: what JSON may hold at these places is checked by the API only. */
export const hasShape = (value: unknown): value is Record<string, unknown> => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { fieldMappings, ignoreWhen, parseJson, severityMap, statusMap, staticLabels } = value as Record<
    string,
    unknown
  >;
  return (
    [fieldMappings, ignoreWhen].every((list) => list === undefined || list === null || isListOf(list, isObject)) &&
    (parseJson === undefined || parseJson === null || isListOf(parseJson, isText)) &&
    [severityMap, statusMap, staticLabels].every(
      (map) => map === undefined || map === null || (isObject(map) && Object.values(map).every(isText)),
    )
  );
};

const isText = (value: unknown): boolean => typeof value === 'string';
const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isListOf = (value: unknown, is: (one: unknown) => boolean): boolean => Array.isArray(value) && value.every(is);

export const ruleKinds = ['source', 'template', 'value'] as const;
export type RuleKind = (typeof ruleKinds)[number];

export const kindOf = (rule: Rule): RuleKind =>
  rule.template !== undefined ? 'template' : rule.value !== undefined ? 'value' : 'source';

export const sourcesOf = ({ source }: Rule): string[] => (source === undefined ? [] : [source].flat());

/** One path is a text, as most mappings write it. */
export function withSources({ source: _source, ...rest }: Rule, sources: readonly string[]): Rule {
  const [first, ...others] = sources;
  return first === undefined
    ? { ...rest, source: '' }
    : { ...rest, source: others.length === 0 ? first : [...sources] };
}

/** The same field, with what it comes from said in another way. */
export function withKind(rule: Rule, kind: RuleKind): Rule {
  const { source: _source, template: _template, value: _value, ...rest } = rule;
  return { ...rest, [kind]: '' };
}

/** Without the property when the text is empty. */
export function withText(rule: Rule, name: 'default' | 'extract', text: string): Rule {
  const { [name]: _before, ...rest } = rule;
  return text === '' ? rest : { ...rest, [name]: text };
}
