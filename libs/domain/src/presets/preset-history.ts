/**
 * Every version of each preset that was ever released, as the hash of its settings, oldest first. The last one is the
 * present version: a test fails when a preset changes and its new hash is not added here. Integrations that still have
 * the settings of an earlier version get those of the present one.
 */
import { createHash } from 'node:crypto';
import type { MappingSettings } from '../mapping/mapping-settings.js';
import { isIntegrationType, presetSettings, type IntegrationType } from './integration-types.js';

export const presetHistory: Readonly<Record<IntegrationType, readonly string[]>> = {
  generic: ['1abca7d5daa6ff11'],
  alertmanager: ['b473cdd3e49b7b1d', 'd263b7b985b68d4f'],
  grafana: ['4db776fbe2e13d62', '0f178d91c9aae833'],
  datadog: ['03a8d38d941318dd'],
  new_relic: ['a8400d048a769205', '7fece80f1d6a479c'],
  sentry: ['b6c793291ae1d929', '660181d4c3e9093b'],
  elastic: ['50cbf5cc80028fbc', 'd542fd50b2f2b235'],
  netdata: ['6ebc839b70070205', 'adb832fb1b745fd6'],
  dynatrace: ['5f52bcbfd382de7a'],
  splunk: ['348748b167f87dde'],
  cloudwatch: ['27785ddf9bb4aef6', '761df305579a1e07'],
  azure_monitor: ['cc520d5d0ae5f2d1', '380831f1d311a8e2'],
  google_cloud: ['9e9bd3b220ffc2ec', '8bae3cac7f872fb6'],
  zabbix: ['afa3bfb7f6b3ae98'],
  icinga: ['2bdfa365d62ccbe9'],
  nagios: ['2bdfa365d62ccbe9'],
  checkmk: ['e7f0bfcf5c9289de', 'a919e4913235fb2a'],
  prtg: ['c2b98983b4e8934f'],
  uptime_kuma: ['941227f75f9bea99', '66077d63142b6f64'],
  uptimerobot: ['6b8cbed836fe096c'],
  pingdom: ['1400a5d460e9f180', '8c841e945b7e84eb'],
  healthchecks: ['3a378e4d7b233a2b'],
  statuscake: ['1583e72bbc3d30d2'],
  pagerduty_events_v2: ['efda2645c7737c05', '2864556958ccc61e', '5a1ff86550cc2aa3'],
  opsgenie: ['b01decaa4427a30d', 'a8046c6d12d258bb', '67f34477b154c613'],
  netdata_agent: ['91c131a774435082'],
};

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
  const earlier = presetHistory[settings.type].slice(0, -1);
  if (!earlier.includes(settingsHash(settings))) return null;
  return { ...presetSettings(settings.type), staticLabels: settings.staticLabels };
}

/** The types that have earlier versions. */
export const changedPresets: readonly IntegrationType[] = (Object.keys(presetHistory) as IntegrationType[]).filter(
  (type) => presetHistory[type].length > 1,
);
