/**
 * The presets of senders, as data: the initial settings of an integration. A preset can do nothing that custom settings
 * cannot, and mapping never reads the type of an integration.
 */
import type { MappingSettings } from '../mapping/mapping-settings.js';
import { clouds } from './clouds.js';
import { hosts } from './hosts.js';
import { observability } from './observability.js';
import { paging } from './paging.js';
import { emptySettings, presets, type Preset } from './preset.js';
import { uptime } from './uptime.js';

const standard = presets({
  generic: {
    name: 'Standard payload',
    docs:
      'Post the standard payload (title, severity, status, fingerprint, labels, …) as JSON to the ingest URL; ' +
      'for any other JSON add field mappings.',
    settings: {},
  },
});

const table = { ...standard, ...observability, ...clouds, ...hosts, ...uptime, ...paging };

export type IntegrationType = keyof typeof table;

export interface IntegrationTypeInfo extends Preset {
  type: IntegrationType;
}

/** Every type, the standard payload first. */
export const integrationTypes: readonly IntegrationTypeInfo[] = (Object.keys(table) as IntegrationType[]).map(
  (type) => ({ type, ...table[type] }),
);

export const isIntegrationType = (type: unknown): type is IntegrationType =>
  typeof type === 'string' && Object.hasOwn(table, type);

/** The settings of a preset, as a copy that may be changed. */
export const presetSettings = (type: IntegrationType): MappingSettings => structuredClone(table[type].settings);

/** Settings from a user: fields that are left out stay unchanged, null clears. */
export type SentSettings = { [Field in keyof MappingSettings]?: MappingSettings[Field] | null };

const cleared = emptySettings('generic');

/**
 * `base` with the sent fields replaced; a sent list or map replaces the whole field. Null means empty, so
 * `fieldMappings: null` means no mappings.
 */
export function changedSettings(base: MappingSettings, sent: SentSettings): MappingSettings {
  const settings = { ...base } as Record<keyof MappingSettings, unknown>;
  for (const field of Object.keys(cleared) as (keyof MappingSettings)[]) {
    if (field === 'type' || sent[field] === undefined) continue;
    settings[field] = sent[field] ?? cleared[field];
  }
  return settings as MappingSettings;
}

/** The mapping of an integration of the type with the user's own settings on top of the preset. */
export const effectiveSettings = (type: IntegrationType, own: SentSettings): MappingSettings =>
  changedSettings(presetSettings(type), own);

/**
 * The settings to store for a new integration. Fields that the user left out are copied from the preset, so that all of
 * them can be seen and edited. A later version of the preset replaces only settings that nobody has changed
 * (preset-history.ts).
 */
export const settingsForNewIntegration = (type: IntegrationType, sent: SentSettings): MappingSettings =>
  structuredClone(effectiveSettings(type, sent));
