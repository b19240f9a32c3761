/** The form of a preset, and short functions for its field mappings. */
import type { FieldMapping, MappingSettings, Scalar } from '../mapping/mapping-settings.js';

export interface Preset {
  /** The name of the sender. */
  name: string;
  /** How to configure the sender to use the ingest URL, in one or two sentences. */
  docs: string;
  settings: MappingSettings;
}

/** Settings without mappings, for senders of the standard payload. */
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

/** Completes presets from the settings that differ. */
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

/** The first of the paths that has a value. */
export const from = (target: string, ...source: [string, ...string[]]): FieldMapping => ({
  target,
  source: source.length === 1 ? source[0] : source,
});

/** The one group of the expression, applied to the text at the path. */
export const part = (target: string, source: string, extract: string): FieldMapping => ({ target, source, extract });

export const template = (target: string, text: string): FieldMapping => ({ target, template: text });

export const always = (target: string, value: Scalar): FieldMapping => ({ target, value });
