/** What is taken away under running services: the page goes out all the same, once, and is counted. */
import { alertEventsStream, type AlertPage } from '@ams/contracts';
import { eventually, streamManager } from '@ams/testing';
import { openMailbox, type Mailbox } from '../system/mailbox.js';
import { startSystem, type List, type Organization, type Sender, type System } from '../system.js';

let system: System;
let mailbox: Mailbox;
let acme: Organization;
let sender: Sender;

beforeAll(async () => {
  mailbox = await openMailbox();
  system = await startSystem({ replicas: { 'workflow-engine': 2 }, env: { notifier: mailbox.settings } });
  acme = await system.organization();
  sender = await acme.integration();
});
afterAll(async () => {
  await system?.stop();
  await mailbox?.close();
});

const engines = () => system.replicas('workflow-engine');
const waitMs = 150_000;

async function counted(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { url } of engines()) {
    const text = await (await fetch(`${url}/metrics`)).text();
    for (const [, what = '', count] of text.matchAll(/^ams_pages_missing_total\{.*missing="(\w+)".*\} (\d+)$/gm))
      counts[what] = (counts[what] ?? 0) + Number(count);
  }
  return counts;
}

const paged = (alertname: string) => mailbox.mails('owner@example.com').filter(({ text }) => text.includes(alertname));

async function fire(): Promise<string> {
  const alertname = `Lost-${crypto.randomUUID()}`;
  await sender.fire({ title: 'Checkout is slow', severity: 'critical', fingerprint: alertname, labels: { alertname } });
  return alertname;
}

/** Somebody is told, once, and the ledger says so. */
async function expectPaged(alertname: string, dueInSeconds = 0): Promise<void> {
  const begun = Date.now() + dueInSeconds * 1000;
  await eventually(() => expect(paged(alertname)).toHaveLength(1), { timeoutMs: waitMs });
  const seconds = (Date.now() - begun) / 1000;
  console.info(`paged after ${seconds.toFixed(0)} s`);
  expect(seconds).toBeLessThan(90);
  const [alert] = await acme.alerts({ fingerprint: alertname });
  await eventually(async () => {
    const { body } = await acme.api.get<List<AlertPage>>('/api/v1/pages', { query: { alertId: String(alert?.id) } });
    expect(body.data).toMatchObject([{ outcome: 'told' }]);
  });
  expect(paged(alertname)).toHaveLength(1);
}

it('an event that is deleted in the broker before the engine reads it', async () => {
  for (const engine of engines()) await engine.stop();
  const alertname = await fire();
  await eventually(async () => expect(await system.sql('SELECT 1 FROM alerts.outbox LIMIT 1')).toEqual([]));
  await system.observe(async (nats) => (await streamManager(nats)).streams.purge(alertEventsStream));
  for (const engine of engines()) await engine.restart();
  await system.allReady();
  await expectPaged(alertname);
  expect((await counted())['event']).toBe(1);
});

it('a job that is deleted while the notifier does not run', async () => {
  const [notifier] = system.replicas('notifier');
  await notifier?.stop();
  const alertname = await fire();
  // It waits for its next attempt: one that runs would add another.
  await eventually(async () => {
    const deleted = await system.sql(
      `DELETE FROM workflow_jobs._private_jobs
       WHERE key LIKE 'sendNotification:%' AND locked_at IS NULL AND run_at > clock_timestamp() RETURNING id`,
    );
    expect(deleted).toHaveLength(1);
  });
  await notifier?.restart();
  await expectPaged(alertname);
  expect((await counted())['job']).toBe(1);
});

it('a run that is deleted while it waits', async () => {
  const { body } = await acme.api.get<List<{ id: string; steps: object[] }>>('/api/v1/workflows');
  const [workflow] = body.data;
  const delay = 20;
  const steps = workflow?.steps.map((step) => ({ ...step, delaySeconds: delay }));
  const { status } = await acme.api.put(`/api/v1/workflows/${workflow?.id}`, { steps });
  expect(status).toBe(200);
  const alertname = await fire();
  await eventually(async () =>
    expect(await system.sql(`SELECT 1 FROM workflows.runs WHERE status = 'waiting'`)).toHaveLength(1),
  );
  await system.sql(`DELETE FROM workflows.runs WHERE status = 'waiting'`);
  await expectPaged(alertname, delay);
  expect((await counted())['run']).toBe(1);
});
