/**
 * What is known of senders, as data: the settings an integration starts with. A preset has no power that hand-made
 * settings lack, and nothing in mapping asks for an integration's type.
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
    docs: 'Post the standard payload (title, severity, status, fingerprint, labels, …) as JSON to the ingest URL; for any other JSON add field mappings.',
    settings: {},
  },
});

const table = { ...standard, ...observability, ...clouds, ...hosts, ...uptime, ...paging };

export type IntegrationType = keyof typeof table;

export interface IntegrationTypeInfo extends Preset {
  type: IntegrationType;
}

/** Every type there is, the standard payload first. */
export const integrationTypes: readonly IntegrationTypeInfo[] = (Object.keys(table) as IntegrationType[]).map(
  (type) => ({ type, ...table[type] }),
);

export const isIntegrationType = (type: unknown): type is IntegrationType =>
  typeof type === 'string' && Object.hasOwn(table, type);

/** The settings of a preset; a copy, free to change. */
export const presetSettings = (type: IntegrationType): MappingSettings => structuredClone(table[type].settings);

/** Settings as a user may send them: what is left out stays as it is, null clears. */
export type SentSettings = { [Field in keyof MappingSettings]?: MappingSettings[Field] | null };

const cleared = emptySettings('generic');

/**
 * `base` with what was sent put over it, field by field: a list or map that is sent takes the place of the one there
 * was. Of null only the emptiness counts, so `fieldMappings: null` is no mappings.
 */
export function changedSettings(base: MappingSettings, sent: SentSettings): MappingSettings {
  const settings = { ...base } as Record<keyof MappingSettings, unknown>;
  for (const field of Object.keys(cleared) as (keyof MappingSettings)[]) {
    if (field === 'type' || sent[field] === undefined) continue;
    settings[field] = sent[field] ?? cleared[field];
  }
  return settings as MappingSettings;
}

/** What an integration of the type does with the user's own settings over the preset's. */
export const effectiveSettings = (type: IntegrationType, own: SentSettings): MappingSettings =>
  changedSettings(presetSettings(type), own);

/**
 * The settings to store for a new integration: the preset's are copied for the fields the user left out, so that all of
 * them can be seen and edited, and a later version of the preset changes nothing that works.
 */
export const settingsForNewIntegration = (type: IntegrationType, sent: SentSettings): MappingSettings =>
  structuredClone(effectiveSettings(type, sent));
