import {
  newUuid,
  uuidOf,
  workflowCommandRequest,
  type WorkflowCommand,
  type WorkflowCommandReply,
} from '@ams/contracts';
import { eventually } from '@ams/testing';
import { testIncidents } from '../../testing/incidents.js';
import { startPipeline, type Sender, type TestPipeline } from '../../testing/support.js';

let pipeline: TestPipeline;

beforeAll(async () => {
  pipeline = await startPipeline();
});
afterAll(() => pipeline?.stop());

const { fired, expectConsistent } = testIncidents(() => pipeline);

const openIncident = (sender: Sender, alertId: string | null, groupKey: string): WorkflowCommand => ({
  organizationId: sender.organizationId,
  environment: 'live',
  workflow: null,
  runId: newUuid(),
  depth: 0,
  alertId,
  incidentId: null,
  body: { kind: 'openIncident', groupKey, windowSeconds: 300, autoResolve: true, title: groupKey, severity: null },
});

const send = async (command: WorkflowCommand, timeout = 60_000): Promise<WorkflowCommandReply> =>
  (await pipeline.nats.request(workflowCommandRequest.subject, JSON.stringify(command), { timeout })).json();

test('incidents of many causes of one team are opened by few transactions, each once, numbered in a row', async () => {
  const sender = await pipeline.newSender();
  const causes = Array.from({ length: 20 }, (_, i) => `cause ${i}`);
  const [first = '', ...others] = await fired(sender, ...causes, ...causes.map((cause) => `${cause} again`));
  /** Sends the command again when it has waited too long for a lock, as the engine does. */
  const open = (alert: string, cause: string): Promise<WorkflowCommandReply> =>
    eventually(() => send(openIncident(sender, uuidOf('alert', alert), cause), 15_000));
  const lock = await pipeline.admin.connect();
  await lock.query('BEGIN');
  await lock.query('INSERT INTO alerts.incident_numbers (organization_id, last) VALUES ($1, 0)', [
    sender.organizationId,
  ]);
  const replies = [open(first, 'cause 0')];
  await pipeline.lockAwaited(lock);
  replies.push(...others.map((alert, index) => open(alert, causes[(index + 1) % causes.length] ?? '')));
  // Commands are taken in the order of their arrival: when this one is refused, the others wait for the first.
  expect(await send(openIncident(sender, null, 'none'))).toMatchObject({ kind: 'refused' });
  await lock.query('COMMIT');
  lock.release();

  for (const reply of await Promise.all(replies)) expect(reply).toMatchObject({ kind: 'done' });
  const { rows: incidents } = await pipeline.admin.query<{ number: number; group_key: string; alert_count: number }>(
    `SELECT number, group_key, alert_count FROM alerts.incidents WHERE organization_id = $1 ORDER BY number`,
    [sender.organizationId],
  );
  expect(incidents.map(({ number }) => Number(number))).toEqual(causes.map((_, index) => index + 1));
  expect(incidents.map((incident) => incident.group_key).sort()).toEqual([...causes].sort());
  expect(incidents.every((incident) => incident.alert_count === 2)).toBe(true);
  await expectConsistent(sender);
  const { rows } = await pipeline.admin.query<{ transactions: string }>(
    `SELECT count(DISTINCT xmin::text) AS transactions FROM alerts.incident_timeline
     WHERE organization_id = $1 AND type = 'incident.created'`,
    [sender.organizationId],
  );
  expect(Number(rows[0]?.transactions)).toBeLessThanOrEqual(3);

  const [later = ''] = await fired(sender, 'later');
  await open(later, 'later');
  expect((await pipeline.incidentsOf(sender)).map(({ number }) => Number(number))).toContain(causes.length + 1);
});

test('a command that fails ends while the next one of its group still waits, and the process goes on', async () => {
  const sender = await pipeline.newSender();
  const [alert] = await fired(sender, 'cpu');
  const alertId = uuidOf('alert', alert ?? '');
  const command = (): WorkflowCommand => openIncident(sender, alertId, 'cpu');
  const unhandled: unknown[] = [];
  const note = (error: unknown): void => void unhandled.push(error);
  process.on('unhandledRejection', note);
  const lock = await pipeline.admin.connect();
  const { rows: backends } = await lock.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  /** The transaction that waits for the lock. Periodic jobs of the pipeline can wait for other locks. */
  const waiting = async (): Promise<string> => {
    const { rows } = await pipeline.admin.query<{ xact: string }>(
      `SELECT pid || ' ' || xact_start AS xact FROM pg_stat_activity WHERE $1 = ANY(pg_blocking_pids(pid))`,
      [backends[0]?.pid],
    );
    expect(rows).toHaveLength(1);
    return rows[0]?.xact ?? '';
  };

  await lock.query('BEGIN');
  await lock.query('SELECT FROM alerts.alerts WHERE id = $1 FOR UPDATE', [alertId]);
  send(command()).catch(() => 'a failed command gets no reply');
  const transaction = await eventually(waiting);
  const second = send(command());
  // The first one fails, because the lock is held longer than a statement waits for it.
  await eventually(async () => expect(await waiting()).not.toBe(transaction));
  await lock.query('COMMIT');
  lock.release();
  expect(await second).toMatchObject({ kind: 'done', changed: true });
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});
