/** The form of a preset, and short words to write its field mappings with. */
import type { FieldMapping, MappingSettings, Scalar } from '../mapping/mapping-settings.js';

export interface Preset {
  /** The sender, as people know it. */
  name: string;
  /** How to point the sender at an integration's ingest URL, in a sentence or two. */
  docs: string;
  settings: MappingSettings;
}

/** Settings that map nothing: those of a sender of the standard payload. */
export const emptySettings = (type: string): MappingSettings => ({
  type,
  fieldMappings: [],
  itemsPath: null,
  parseJson: [],
  severityMap: null,
  statusMap: null,
  defaultSeverity: null,
  staticLabels: {},
  ignoreWhen: [],
  handshakeWhen: [],
});

/** A table of presets from what is special to each. */
export function presets<Type extends string>(
  table: Record<Type, { name: string; docs: string; settings: Partial<MappingSettings> }>,
): Record<Type, Preset> {
  const entries = Object.entries<{ name: string; docs: string; settings: Partial<MappingSettings> }>(table);
  return Object.fromEntries(
    entries.map(([type, { name, docs, settings }]) => [
      type,
      { name, docs, settings: { ...emptySettings(type), ...settings } },
    ]),
  ) as Record<Type, Preset>;
}

/** The first of the paths that holds something. */
export const from = (target: string, ...source: [string, ...string[]]): FieldMapping => ({
  target,
  source: source.length === 1 ? source[0] : source,
});

/** The one group of the expression, in what stands at the path. */
export const part = (target: string, source: string, extract: string): FieldMapping => ({ target, source, extract });

export const template = (target: string, text: string): FieldMapping => ({ target, template: text });

export const always = (target: string, value: Scalar): FieldMapping => ({ target, value });
