/** Payloads of real senders, posted over HTTP to integrations of their type, through all services. */
import type { Alert, Preview } from '@ams/contracts';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type One, type Organization, type Refusal, type SystemClient } from './system.js';
import { sharedSystem } from './system/shared-system.js';
import { root } from './system/replica.js';

const folder = [join(root, '../shared/payloads'), join(root, 'libs/domain/src/testdata/payloads')].find((path) =>
  existsSync(path),
) as string;

const types: Record<string, string> = {
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

type ExpectedAlert = Partial<
  Pick<Alert, 'title' | 'description' | 'severity' | 'status' | 'source' | 'fingerprint' | 'labels' | 'annotations'>
> & { error?: string };
interface SenderFile {
  contentType: string;
  samples: Record<string, unknown>;
  expect: Record<string, { alerts?: ExpectedAlert[]; handshake?: true; ignored?: true }>;
}

let system: SystemClient;
let acme: Organization;

beforeAll(async () => {
  system = await sharedSystem();
  acme = await system.organization();
});
afterAll(() => system?.close());

const senders = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.replace('.json', ''));

describe.each(senders)('%s', (name) => {
  const {
    contentType,
    samples,
    expect: expected,
  } = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as SenderFile;

  it('opens and resolves the alerts of its sample payloads', async () => {
    const sender = await acme.integration({ type: types[name], name });
    // One file has a sentence about who sets the header before the type.
    const type = contentType.split(': ').at(-1) as string;
    /** The alerts opened so far, by fingerprint. A resolved one stays until the next one opens. */
    const open = new Map<string, string>();
    let opened = 0;

    for (const [sample, { alerts, handshake, ignored }] of Object.entries(expected)) {
      const { status, body } = await sender.send(
        typeof samples[sample] === 'string' ? samples[sample] : JSON.stringify(samples[sample]),
        { headers: { 'content-type': type } },
      );
      const what = `${sample} is answered ${status} ${JSON.stringify(body)}`;
      if (handshake || ignored) {
        expect([what, status, body.data.events]).toEqual([what, 200, []]);
        continue;
      }
      if (alerts?.some(({ error }) => error !== undefined)) {
        const refusal = body as unknown as Refusal;
        expect([what, status, refusal.code]).toEqual([what, 400, 'VALIDATION_ERROR']);
        expect(JSON.stringify(refusal.details)).toContain(alerts[0]?.error?.split(' ')[0]);
        continue;
      }
      expect([what, status]).toEqual([what, 202]);
      const { events } = body.data;
      expect(events).toHaveLength(alerts?.length ?? 0);
      await system.eventuallyApplied(events.map(({ id }) => id));
      for (const [i, expectedAlert] of (alerts ?? []).entries()) {
        const fingerprint = events[i]?.fingerprint as string;
        expect(fingerprint).toBe(expectedAlert.fingerprint ?? fingerprint);
        const newest = (await acme.alerts({ integrationId: sender.id, sort: '-createdAt', limit: '100' })).find(
          (alert) => alert.fingerprint === fingerprint,
        ) as Alert;
        const known = open.get(fingerprint);
        expect([sample, newest.status]).toEqual([sample, expectedAlert.status]);
        if (expectedAlert.status === 'resolved') {
          expect(newest.id).toBe(known);
          open.delete(fingerprint);
          continue;
        }
        // An event that acknowledges an open alert changes its status, not its text.
        if (known === undefined || expectedAlert.status === 'firing') expect(newest).toMatchObject(expectedAlert);
        if (known === undefined) opened++;
        else expect(newest.id).toBe(known);
        open.set(fingerprint, newest.id);
      }
    }
    expect(await acme.alerts({ integrationId: sender.id, limit: '100' })).toHaveLength(opened);
  });
});

describe('an unknown sender', () => {
  const settings = {
    name: 'Boiler room',
    itemsPath: 'report.findings',
    parseJson: ['report.context'],
    fieldMappings: [
      { target: 'title', template: '{{device.name}}: {{what}}' },
      { target: 'severity', source: ['urgency.word', 'urgency'] },
      { target: 'status', source: 'phase' },
      { target: 'source', source: '$.report.context.plant' },
      { target: 'fingerprint', template: '{{$.report.context.plant}}/{{device["serial.no"]}}/{{what}}' },
      { target: 'description', source: 'notes[0].text', default: 'nobody wrote a note' },
      { target: 'labels.*', source: 'tags' },
      { target: 'labels.device', source: 'device.name' },
      { target: 'annotations.manual', value: 'https://manuals.example.com/boiler' },
    ],
    severityMap: { glühend: 'critical', lau: 'low' },
    statusMap: { begonnen: 'firing', vorbei: 'resolved' },
    defaultSeverity: 'medium',
    staticLabels: { team: 'heating' },
    ignoreWhen: [{ path: 'phase', equals: 'probe' }],
  };
  const finding = (more: object) => ({
    device: { name: 'Kessel 3', 'serial.no': 'K-77' },
    what: 'overpressure',
    urgency: { word: 'Glühend' },
    phase: 'begonnen',
    tags: [
      ['zone', 'north'],
      ['floor', '-1'],
    ],
    notes: [{ text: 'valve stuck' }],
    ...more,
  });
  const report = (...findings: object[]) => ({ report: { context: JSON.stringify({ plant: 'Plant A' }), findings } });

  it('is mapped by rules of its own, first in a preview and then in reality', async () => {
    const sender = await acme.integration(settings);
    const payload = report(
      finding({}),
      finding({ what: 'leak', urgency: 'seltsam', notes: undefined }),
      finding({ phase: 'probe' }),
      finding({ device: {}, what: null }),
    );

    const preview = await acme.api.post<One<Preview>>(`/api/v1/integrations/${sender.id}/preview`, { payload });
    expect(preview.status).toBe(200);
    expect(preview.body.data.items.map(({ outcome }) => outcome)).toEqual(['event', 'event', 'ignored', 'faulty']);
    const overpressure = {
      title: 'Kessel 3: overpressure',
      severity: 'critical',
      status: 'firing',
      source: 'Plant A',
      fingerprint: 'Plant A/K-77/overpressure',
      description: 'valve stuck',
      labels: { zone: 'north', floor: '-1', device: 'Kessel 3', team: 'heating' },
      annotations: { manual: 'https://manuals.example.com/boiler' },
    };
    expect(preview.body.data.items[0]?.event).toMatchObject(overpressure);
    expect(preview.body.data.items[0]?.provenance).toMatchObject({
      title: expect.anything(),
      severity: expect.anything(),
    });
    expect(preview.body.data.items[1]).toMatchObject({
      event: { severity: 'medium', description: 'nobody wrote a note' },
      warnings: [expect.anything()],
    });
    expect(await acme.alerts({ integrationId: sender.id })).toEqual([]);

    await sender.fire(report(finding({}), finding({ phase: 'probe' })));
    const [alert] = await acme.alerts({ integrationId: sender.id });
    expect(alert).toMatchObject(overpressure);
    await sender.fire(report(finding({ phase: 'vorbei' })));
    expect(await acme.alerts({ integrationId: sender.id })).toMatchObject([{ id: alert?.id, status: 'resolved' }]);
    expect(await sender.send(report(finding({ phase: 'probe' })))).toMatchObject({
      status: 200,
      body: { data: { events: [] } },
    });
  });

  it('keeps the digits of integers that a number would round, in a preview and in reality', async () => {
    const sender = await acme.integration({ fieldMappings: [{ target: 'fingerprint', source: 'monitor' }] });
    const fingerprint = '123456789012345679';
    const payload = `{"title":"Down","severity":"high","monitor":${fingerprint}}`;
    const preview = await acme.api.post<One<Preview>>(
      `/api/v1/integrations/${sender.id}/preview`,
      `{"payload":${payload}}`,
      { headers: { 'content-type': 'application/json' } },
    );
    expect(preview.body.data.items).toMatchObject([{ event: { fingerprint } }]);
    await sender.fire(payload);
    expect(await acme.alerts({ integrationId: sender.id })).toMatchObject([{ fingerprint }]);
  });

  it('loses no valid item because of an invalid one, and gets every error when no item is valid', async () => {
    const sender = await acme.integration({ itemsPath: 'alerts' });
    const mixed = await sender.send({
      alerts: [{ title: 'good', severity: 'low' }, { severity: 'low' }, { title: 'bad', severity: 'purple' }],
    });
    expect(mixed).toMatchObject({
      status: 202,
      body: { data: { events: [expect.anything()], faults: [expect.anything(), expect.anything()] } },
    });
    const none = await sender.send<Refusal>({ alerts: [{ severity: 'low' }, { title: 'bad', severity: 'purple' }] });
    expect(none).toMatchObject({
      status: 400,
      body: {
        code: 'VALIDATION_ERROR',
        details: {
          fields: [{ path: expect.stringContaining('title') }, { path: expect.stringContaining('severity') }],
        },
      },
    });
  });
});
