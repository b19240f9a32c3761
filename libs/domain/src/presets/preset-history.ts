/**
 * Integrations that still have the settings of an earlier version of their preset get those of the present one. A
 * version is known by the hash of its settings: preset-versions.ts has every version that was ever released.
 */
import { createHash } from 'node:crypto';
import type { MappingSettings } from '../mapping/mapping-settings.js';
import { isIntegrationType, presetSettings, type IntegrationType } from './integration-types.js';
import { presetVersions } from './preset-versions.js';

/** Without static labels and type: settings with further labels are still those of the preset. */
export function settingsHash({ type: _type, staticLabels: _labels, ...settings }: MappingSettings): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(settings)))
    .digest('hex')
    .slice(0, 16);
}

/** With the fields of objects in one order, because PostgreSQL stores them in another one. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, entry]) => [key, sorted(entry)]));
}

/**
 * The present settings of the preset, with the static labels of the integration, when `settings` are those of an
 * earlier version. Null when they are the present ones, or when a user changed one of them: then all of them stay,
 * because a mapping and its words belong together.
 */
export function upgradedSettings(settings: MappingSettings): MappingSettings | null {
  if (!isIntegrationType(settings.type)) return null;
  const present = presetSettings(settings.type);
  const hash = settingsHash(settings);
  if (hash === settingsHash(present) || !presetVersions[settings.type]?.includes(hash)) return null;
  return { ...present, staticLabels: settings.staticLabels };
}

/** The types that have earlier versions. */
export const changedPresets: readonly IntegrationType[] = Object.keys(presetVersions)
  .filter(isIntegrationType)
  .filter((type) => (presetVersions[type]?.length ?? 0) > 1);
