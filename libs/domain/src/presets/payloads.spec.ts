/** Maps the samples of every sender (format: ../testdata/payloads/README.md) with its preset. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  compileMapping,
  mapPayload,
  presetSettings,
  type IntegrationType,
  type ItemResult,
  type Mapped,
  type MappedEvent,
} from '../index.js';

const folder = join(import.meta.dirname, '../testdata/payloads');

const types: Record<string, IntegrationType> = {
  alertmanager: 'alertmanager',
  'aws-cloudwatch-sns': 'cloudwatch',
  'azure-monitor': 'azure_monitor',
  datadog: 'datadog',
  grafana: 'grafana',
  'healthchecks-io': 'healthchecks',
  icinga2: 'icinga',
  nagios: 'nagios',
  newrelic: 'new_relic',
  opsgenie: 'opsgenie',
  'pagerduty-events-v2': 'pagerduty_events_v2',
  prtg: 'prtg',
  sentry: 'sentry',
  standard: 'generic',
  'uptime-kuma': 'uptime_kuma',
  zabbix: 'zabbix',
};

type Expected = Partial<MappedEvent> & { error?: string };

interface SenderFile {
  samples: Record<string, unknown>;
  expect: Record<string, { alerts?: Expected[]; handshake?: true; ignored?: true }>;
}

const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
const parse = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as SenderFile;
const decoded = (sample: unknown) =>
  typeof sample === 'string' ? Object.fromEntries(new URLSearchParams(sample)) : sample;

test('every sample file has a preset', () => {
  expect(files.map((file) => file.replace('.json', '')).sort()).toEqual(Object.keys(types).sort());
});

describe.each(files)('%s', (file) => {
  const { samples, expect: expected } = parse(file);
  const type = types[file.replace('.json', '')]!;
  const mapper = compileMapping(presetSettings(type));
  const map = (name: string) => mapPayload(mapper, decoded(samples[name]));

  test.each(Object.keys(samples))('%s', (name) => {
    const { alerts, handshake, ignored } = expected[name]!;
    const mapped = map(name);
    if (handshake) return expect(mapped).toEqual({ kind: 'handshake' });
    if (ignored) return expect(items(mapped).map(({ kind }) => kind)).toEqual(['ignored']);
    expect(items(mapped)).toHaveLength(alerts!.length);
    items(mapped).forEach((item, index) => expectAlert(item, alerts![index]!));
  });
});

function items(mapped: Mapped): ItemResult[] {
  if (mapped.kind !== 'items') throw new Error(`expected items, got ${mapped.kind}`);
  return mapped.items;
}

function expectAlert(item: ItemResult, { error, ...expected }: Expected): void {
  if (error !== undefined) {
    expect(item).toMatchObject({ kind: 'faulty' });
    const named = (item.kind === 'faulty' ? item.faults : []).map(({ path }) => path);
    return expect(named).toContain(error.split(' ')[0]);
  }
  expect(item).toMatchObject({ kind: 'event', event: { description: null, source: null, ...expected } });
  if (item.kind !== 'event') return;
  expect(item.event.fingerprintSource).toBe(expected.fingerprint === undefined ? 'generated' : 'explicit');
  expect({ ...item.event.labels }).toEqual(expected.labels);
  expect({ ...item.event.annotations }).toEqual(expected.annotations);
}
