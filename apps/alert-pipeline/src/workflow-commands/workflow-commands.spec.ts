import {
  newUuid,
  uuidOf,
  workflowCommandRequest,
  type WorkflowCommand,
  type WorkflowCommandReply,
} from '@ams/contracts';
import { eventually } from '@ams/testing';
import { testIncidents } from '../../testing/incidents.js';
import { startPipeline, type TestPipeline } from '../../testing/support.js';

let pipeline: TestPipeline;

beforeAll(async () => {
  pipeline = await startPipeline();
});
afterAll(() => pipeline?.stop());

const { fired } = testIncidents(() => pipeline);

test('a command that fails ends while the next one of its group still waits, and the process goes on', async () => {
  const sender = await pipeline.newSender();
  const [alert] = await fired(sender, 'cpu');
  const alertId = uuidOf('alert', alert ?? '');
  const send = async (): Promise<WorkflowCommandReply> => {
    const command: WorkflowCommand = {
      organizationId: sender.organizationId,
      environment: 'live',
      workflow: null,
      runId: newUuid(),
      depth: 0,
      alertId,
      incidentId: null,
      body: {
        kind: 'openIncident',
        groupKey: 'cpu',
        windowSeconds: 300,
        autoResolve: true,
        title: 'cpu',
        severity: null,
      },
    };
    const text = JSON.stringify(command);
    return (await pipeline.nats.request(workflowCommandRequest.subject, text, { timeout: 60_000 })).json();
  };
  const unhandled: unknown[] = [];
  const note = (error: unknown): void => void unhandled.push(error);
  process.on('unhandledRejection', note);
  const lock = await pipeline.admin.connect();
  /** The transaction that waits for the lock. */
  const waiting = async (): Promise<string> => {
    const { rows } = await pipeline.admin.query<{ xact: string }>(
      `SELECT pid || ' ' || xact_start AS xact FROM pg_stat_activity
       WHERE wait_event_type = 'Lock' AND datname = current_database()`,
    );
    expect(rows).toHaveLength(1);
    return rows[0]?.xact ?? '';
  };

  await lock.query('BEGIN');
  await lock.query('SELECT FROM alerts.alerts WHERE id = $1 FOR UPDATE', [alertId]);
  send().catch(() => 'a failed command gets no reply');
  const transaction = await eventually(waiting);
  const second = send();
  // The first one fails, because the lock is held longer than a statement waits for it.
  await eventually(async () => expect(await waiting()).not.toBe(transaction));
  await lock.query('COMMIT');
  lock.release();
  expect(await second).toMatchObject({ kind: 'done', changed: true });
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});
