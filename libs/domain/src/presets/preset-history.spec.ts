import { integrationTypes, presetSettings, type MappingSettings } from '../index.js';
import { settingsHash, upgradedSettings } from './preset-history.js';
import { presetVersions } from './preset-versions.js';

test.each(integrationTypes.map(({ type }) => type))(
  'the last version of %s is the present preset: node tools/generate-docs.mjs adds it',
  (type) => {
    expect(presetVersions[type]?.at(-1)).toBe(settingsHash(presetSettings(type)));
    expect(new Set(presetVersions[type]).size).toBe(presetVersions[type]?.length);
  },
);

/** The preset of an earlier release. */
const earlierPingdom: MappingSettings = {
  ...presetSettings('pingdom'),
  fieldMappings: [
    { target: 'title', source: 'check_name' },
    { target: 'description', source: ['long_description', 'description'] },
    { target: 'severity', source: 'importance_level' },
    { target: 'status', source: 'current_state' },
    { target: 'source', value: 'pingdom' },
    { target: 'fingerprint', source: 'check_id' },
    { target: 'labels.*', source: 'tags' },
    { target: 'labels.check', source: 'check_name' },
    { target: 'labels.check_id', source: 'check_id' },
    { target: 'labels.type', source: 'check_type' },
    { target: 'labels.host', source: 'check_params.hostname' },
    { target: 'annotations.url', source: ['check_params.full_url', 'check_params.url'] },
    { target: 'annotations.probe', source: 'first_probe.location' },
    { target: 'annotations.message', source: 'custom_message' },
  ],
  severityMap: { high: 'critical', low: 'medium' },
};

test('settings of an earlier version become the present ones, and keep static labels', () => {
  const stored = JSON.parse(JSON.stringify({ ...earlierPingdom, staticLabels: { team: 'sre' } })) as MappingSettings;
  expect(upgradedSettings(stored)).toEqual({ ...presetSettings('pingdom'), staticLabels: { team: 'sre' } });
});

test('the order of the fields does not matter', () => {
  const reversed = Object.fromEntries(Object.entries(earlierPingdom).reverse()) as unknown as MappingSettings;
  expect(upgradedSettings(reversed)).toEqual(presetSettings('pingdom'));
});

test.each([
  ['the present settings', presetSettings('pingdom')],
  ['a changed severity', { ...earlierPingdom, severityMap: { high: 'critical', low: 'low' } }],
  ['a changed mapping', { ...earlierPingdom, fieldMappings: earlierPingdom.fieldMappings.slice(1) }],
  ['a default severity of the user', { ...earlierPingdom, defaultSeverity: 'low' }],
  ['an unknown type', { ...earlierPingdom, type: 'other' }],
  ['another type', { ...earlierPingdom, type: 'generic' }],
] as [string, MappingSettings][])('%s: stay', (_name, settings) => {
  expect(upgradedSettings(settings)).toBeNull();
});
