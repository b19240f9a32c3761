/** Sends very many alerts of a few services. Measures what people get, and how the API answers meanwhile. */
import type { Incident } from '@ams/contracts';
import { eventually } from '@ams/testing';
import { setTimeout as pause } from 'node:timers/promises';
import { startSystem, type List } from '../system.js';
import { balancer } from '../system/balancer.js';
import { openMailbox } from '../system/mailbox.js';

export interface StormReport {
  accepted: number;
  alerts: number;
  incidents: number;
  /** The sum of the incidents' alert counts. */
  alertsInIncidents: number;
  pages: number;
  /** By their outcome. */
  runs: Record<string, number>;
  /** Requests of the API that were not answered 200. */
  failures: number;
  api: { requests: number; p50: number; p99: number; worst: number };
  /** Seconds from the last alert until every run had ended. */
  settledAfter: number;
}

interface StormOptions {
  alerts: number;
  seconds: number;
  services: number;
  apiPerSecond: number;
}

export async function storm({ alerts, seconds, services, apiPerSecond }: StormOptions): Promise<StormReport> {
  const mailbox = await openMailbox();
  const system = await startSystem({ durable: true, env: { notifier: mailbox.settings } });
  try {
    const acme = await system.organization();
    const sender = await acme.integration();
    const ready = await acme.api.post('/api/v1/workflows', {
      name: 'One incident a service',
      trigger: { events: ['alert.created'] },
      conditions: { field: 'labels.storm', op: 'eq', value: 'yes' },
      steps: [
        {
          id: 'group',
          type: 'openIncident',
          params: { groupBy: ['labels.service'], windowSeconds: 300, autoResolve: true },
        },
        { id: 'page', type: 'notify', params: { targets: [{ type: 'email', address: 'on-call@example.com' }] } },
      ],
    });
    if (ready.status !== 201) throw new Error(`no workflow: ${ready.status} ${JSON.stringify(ready.body)}`);

    const ingest = balancer(system.replicas('ingest-gateway'));
    const gateways = balancer(system.replicas('api-gateway'));
    const path = new URL(sender.ingestUrl).pathname;
    const headers = { authorization: `Bearer ${acme.key}` };
    const delays: number[] = [];
    let accepted = 0;
    let failures = 0;
    const fire = async (n: number): Promise<void> => {
      const body = {
        title: `Timeout ${n}`,
        severity: 'medium',
        fingerprint: `storm-${n}`,
        labels: { storm: 'yes', service: `service-${n % services}` },
      };
      if ((await ingest.send('POST', path, { body })).status === 202) accepted++;
    };
    const reads = [
      '/api/v1/alerts?limit=20',
      '/api/v1/incidents?limit=20',
      '/api/v1/alerts?label=service:service-1&limit=20',
      '/api/v1/workflows',
    ];
    const read = async (n: number): Promise<void> => {
      const answer = await gateways.send('GET', reads[n % reads.length] as string, { headers });
      if (answer.status !== 200) failures++;
      delays.push(answer.ms);
    };
    await Promise.all([atRate(alerts / seconds, alerts, fire), atRate(apiPerSecond, apiPerSecond * seconds, read)]);
    const began = performance.now();
    const runs = async (): Promise<Record<string, number>> =>
      Object.fromEntries(
        (
          await system.sql<{ status: string; n: number }>(
            'SELECT status, count(*)::int AS n FROM workflows.runs GROUP BY 1',
          )
        ).map(({ status, n }) => [status, n]),
      );
    await eventually(
      async () => {
        const { completed = 0 } = await runs();
        if (completed < accepted) throw new Error(`${completed} of ${accepted} runs have ended`);
      },
      { timeoutMs: 300_000, everyMs: 250 },
    );
    const settledAfter = Math.round((performance.now() - began) / 100) / 10;
    await eventually(() => expect(mailbox.mails().length).toBeGreaterThanOrEqual(services));
    ingest.close();
    gateways.close();

    const incidents = (await acme.api.get<List<Incident>>('/api/v1/incidents', { query: { limit: 100 } })).body.data;
    const [stored] = await system.sql<{ n: number }>('SELECT count(*)::int AS n FROM alerts.alerts');
    delays.sort((a, b) => a - b);
    const at = (share: number): number =>
      Math.round(delays[Math.min(delays.length - 1, Math.floor(delays.length * share))] ?? 0);
    return {
      accepted,
      alerts: stored?.n ?? 0,
      incidents: incidents.length,
      alertsInIncidents: incidents.reduce((sum, { alertCount }) => sum + alertCount, 0),
      pages: mailbox.mails().length,
      runs: await runs(),
      failures,
      api: { requests: delays.length, p50: at(0.5), p99: at(0.99), worst: at(1) },
      settledAfter,
    };
  } finally {
    await system.stop();
    await mailbox.close();
  }
}

/** Begins `count` requests at a constant rate, without waiting for answers. Returns when all are answered. */
async function atRate(perSecond: number, count: number, send: (n: number) => Promise<void>): Promise<void> {
  const began = performance.now();
  const sent: Promise<void>[] = [];
  while (sent.length < count) {
    const due = Math.min(count, Math.ceil(((performance.now() - began) / 1000) * perSecond));
    while (sent.length < due) sent.push(send(sent.length));
    await pause(5);
  }
  await Promise.all(sent);
}
