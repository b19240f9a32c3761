/** The modules of a service with tables, on real PostgreSQL and NATS: publishing, its order, and periodic tasks. */
import { auditStream, auditSubject } from '@ams/contracts';
import { addToOutbox, Database } from '@ams/database';
import { type NatsConnection } from '@ams/messaging';
import type { RunningService } from '@ams/service';
import { eventually, streamManager } from '@ams/testing';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { startTestService, type TestService } from '../testing/test-service.js';
import { Housekeeping, Outbox, rowsOfStep } from './index.js';

let running: TestService;
let connection: NatsConnection;
let service: RunningService;
let parts: Parts;
const runs: string[] = [];
const published: string[][] = [];
let failures = 0;

@Injectable()
class Parts implements OnModuleInit {
  constructor(
    readonly database: Database,
    readonly outbox: Outbox,
    housekeeping: Housekeeping,
  ) {
    // eslint-disable-next-line @typescript-eslint/no-this-alias -- the test calls what the injector has made
    parts = this;
    housekeeping.add({
      name: 'a task that fails',
      everyMs: 50,
      run: async () => {
        runs.push('fails');
        throw new Error('no');
      },
    });
    housekeeping.add({ name: 'a task', everyMs: 50, run: async () => runs.push('works') });
    outbox.publishWith('test.own', async (rows) => {
      if (failures-- > 0) throw new Error('not now');
      published.push(rows.map(({ text }) => text));
    });
  }

  /** Idempotency keys that are a day old, more than one step deletes, and one that is needed. */
  async onModuleInit(): Promise<void> {
    await this.database.query(
      `INSERT INTO resources.idempotency (organization_id, environment, principal_id, key, fingerprint, created_at)
       SELECT gen_random_uuid(), 'live', gen_random_uuid(), n, 'f',
         now() - CASE WHEN n = 1 THEN interval '23 hours' ELSE interval '25 hours' END
       FROM generate_series(1, $1::int) AS n`,
      [rowsOfStep + 2],
    );
  }
}

beforeAll(async () => {
  running = await startTestService(Parts);
  ({ connection, service } = running);
});

afterAll(() => running?.stop());

const write = (messages: { subject: string; payload: unknown }[]) =>
  parts.database.asService((tx) =>
    addToOutbox(
      tx,
      'resource-api',
      messages.map((message, index) => ({ ...message, messageId: `${message.subject} ${index} ${Math.random()}` })),
    ),
  );

async function messagesOf(stream: string): Promise<unknown[]> {
  const manager = await streamManager(connection);
  const { state } = await manager.streams.info(stream);
  const sequences = Array.from({ length: state.messages }, (_, index) => state.first_seq + index);
  const messages = await Promise.all(sequences.map((seq) => manager.streams.getMessage(stream, { seq })));
  return messages.map((message) => message?.json());
}

describe('the outbox', () => {
  it('publishes committed rows: batched subjects as lists of events, others individually', async () => {
    await write([
      { subject: 'evt.alert.1', payload: { n: 1 } },
      { subject: auditSubject, payload: { n: 2, type: 'client.updated' } },
      { subject: 'evt.alert.1', payload: { n: 3 } },
      { subject: 'evt.alert.2', payload: { n: 4 } },
    ]);
    expect(await parts.outbox.flushed(60_000)).toBe(true);
    expect(await messagesOf(auditStream)).toEqual([{ n: 2, type: 'client.updated' }]);
    const events = await messagesOf('ALERT_EVENTS');
    expect(events).toHaveLength(2);
    expect(events).toEqual(expect.arrayContaining([{ events: [{ n: 1 }, { n: 3 }] }, { events: [{ n: 4 }] }]));
  });

  it('publishes nothing of a failed transaction', async () => {
    const before = (await messagesOf(auditStream)).length;
    const failing = parts.database.asService(async (tx) => {
      await addToOutbox(tx, 'resource-api', [{ subject: auditSubject, messageId: 'never', payload: {} }]);
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect(await parts.outbox.flushed(60_000)).toBe(true);
    expect(await messagesOf(auditStream)).toHaveLength(before);
  });

  it('retries a failed round with the same rows in the same order', async () => {
    failures = 2;
    await write([1, 2, 3].map((n) => ({ subject: 'test.own', payload: n })));
    expect(await parts.outbox.flushed(60_000)).toBe(true);
    expect(published).toEqual([['1', '2', '3']]);
  });
});

describe('housekeeping', () => {
  it('runs each task at intervals, also after a failure', async () => {
    await eventually(() => expect(runs.filter((run) => run === 'works').length).toBeGreaterThan(2));
    expect(runs.filter((run) => run === 'fails').length).toBeGreaterThan(1);
  });
});

describe('retention', () => {
  const metrics = async (): Promise<string> => (await fetch(`http://127.0.0.1:${service.port}/metrics`)).text();
  const valueOf = async (metric: string): Promise<number> =>
    Number(new RegExp(`${metric}\\{[^}]*kind="idempotency keys"[^}]*\\} (\\S+)`).exec(await metrics())?.[1]);

  it('deletes old rows in steps, and shows how many and the age of the oldest that is kept', async () => {
    await eventually(async () => {
      expect(await valueOf('ams_retention_removed_rows_total')).toBe(rowsOfStep + 1);
      expect(await valueOf('ams_retention_oldest_row_seconds')).toBeGreaterThan(23 * 3600 - 1);
    });
    expect(await valueOf('ams_retention_oldest_row_seconds')).toBeLessThan(24 * 3600);
    expect(await parts.database.query('SELECT key FROM resources.idempotency')).toEqual([{ key: '1' }]);
  });
});

it('/readyz shows the state of the database', async () => {
  const ready = () => fetch(`http://127.0.0.1:${service.port}/readyz`);
  expect((await ready()).status).toBe(200);
  expect(await (await ready()).json()).toMatchObject({ info: { database: { status: 'up' } } });
});
