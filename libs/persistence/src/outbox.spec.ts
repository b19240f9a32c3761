/** Faults of the outbox, on a real database and NATS: failed commits, a full stream, messages that are too large. */
import { alertEventsStream, auditStream, auditSubject } from '@ams/contracts';
import { addToOutbox, Database } from '@ams/database';
import { type NatsConnection } from '@ams/messaging';
import type { RunningService } from '@ams/service';
import { eventually, type MigratedDatabase, streamManager } from '@ams/testing';
import { Injectable } from '@nestjs/common';
import { startTestService, type TestService } from '../testing/test-service.js';
import { Outbox } from './index.js';

let running: TestService;
let database: MigratedDatabase;
let connection: NatsConnection;
let service: RunningService;
let parts: Parts;

@Injectable()
class Parts {
  constructor(
    readonly database: Database,
    readonly outbox: Outbox,
  ) {
    // eslint-disable-next-line @typescript-eslint/no-this-alias -- the test calls what the injector has made
    parts = this;
  }
}

beforeAll(async () => {
  running = await startTestService(Parts);
  ({ connection, database, service } = running);
});

afterAll(() => running?.stop());

interface Sent {
  n: number | string;
}

/** Of an audit entry that this service writes. */
const type = 'client.updated';

const eventSubject = 'evt.alert.1';

const write = (subject: string, ...sent: Sent[]) =>
  parts.database.asService((tx) =>
    addToOutbox(
      tx,
      'resource-api',
      sent.map((payload) => ({ subject, messageId: `${subject} ${payload.n}`, payload: { type, ...payload } })),
    ),
  );

/** Inserts a row as an earlier release does: without a limit. */
const insert = (subject: string, id: string, payload: string) =>
  database.admin.query('INSERT INTO resources.outbox (subject, message_id, payload) VALUES ($1, $2, $3)', [
    subject,
    id,
    payload,
  ]);

async function messagesOf(stream: string): Promise<unknown[]> {
  const manager = await streamManager(connection);
  const { state } = await manager.streams.info(stream);
  const sequences = Array.from({ length: state.messages }, (_, index) => state.first_seq + index);
  const messages = await Promise.all(sequences.map((seq) => manager.streams.getMessage(stream, { seq })));
  return messages.map((message) => message?.json());
}

async function eventsPublished(): Promise<unknown[]> {
  const messages = (await messagesOf(alertEventsStream)) as { events: Sent[] }[];
  return messages.flatMap(({ events }) => events.map(({ n }) => n));
}

const metrics = async (): Promise<string> => (await fetch(`http://127.0.0.1:${service.port}/metrics`)).text();

/** Makes the commits of the relay fail while the table `commits_fail` has a row. */
async function preventCommits(): Promise<void> {
  await database.admin.query(`
    CREATE TABLE IF NOT EXISTS public.commits_fail (yes boolean);
    CREATE OR REPLACE FUNCTION public.fail_commit() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
      BEGIN
        IF EXISTS (SELECT 1 FROM public.commits_fail) THEN RAISE EXCEPTION 'the commit fails'; END IF;
        RETURN NULL;
      END $$;
    CREATE CONSTRAINT TRIGGER fail_commit AFTER DELETE ON resources.outbox DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION public.fail_commit();
    INSERT INTO public.commits_fail VALUES (true);
  `);
}

test('a row that commits late is published, also when the relay could not commit the rows around it', async () => {
  await preventCommits();
  const late = await database.admin.connect();
  await write(eventSubject, { n: 'first' });
  await late.query('BEGIN');
  await late.query(`INSERT INTO resources.outbox (subject, message_id, payload) VALUES ($1, 'late', '{"n": "late"}')`, [
    eventSubject,
  ]);
  // The round that publishes the two rows may have published the first one alone before.
  await write(eventSubject, { n: 'last' });
  await eventually(async () => expect(await eventsPublished()).toEqual(expect.arrayContaining(['first', 'last'])));
  await late.query('COMMIT');
  late.release();
  await database.admin.query('DELETE FROM public.commits_fail');
  expect(await parts.outbox.flushed(60_000)).toBe(true);
  expect(await eventsPublished()).toContain('late');
});

test('a message that NATS knows and has not stored is published again, with another id', async () => {
  const ids: (string | undefined)[] = [];
  connection.subscribe('test.unstored', {
    callback: (_error, message) => {
      ids.push(message.headers?.get('Nats-Msg-Id'));
      message.respond(ids.length === 1 ? '{"stream":"X","seq":0,"duplicate":true}' : '{"stream":"X","seq":7}');
    },
  });
  await connection.flush();
  await write('test.unstored', { n: 1 });
  parts.outbox.publishNow();
  await eventually(() => expect(ids).toHaveLength(2));
  expect(ids[0]).toBe('test.unstored 1');
  expect(ids[1]).not.toBe(ids[0]);
  expect(await parts.outbox.flushed(60_000)).toBe(true);
});

test('events are published while the stream of audit entries is full', async () => {
  const manager = await streamManager(connection);
  const { config } = await manager.streams.info(auditStream);
  await manager.streams.update(auditStream, { ...config, max_msgs: 1 });
  await write(auditSubject, ...Array.from({ length: 1200 }, (_, n) => ({ n })));
  await write(eventSubject, { n: 'beside a full stream' });
  await eventually(async () => expect(await eventsPublished()).toContain('beside a full stream'));
  await manager.streams.update(auditStream, { ...config, max_msgs: -1 });
  expect(await parts.outbox.flushed(60_000)).toBe(true);
  expect(await messagesOf(auditStream)).toHaveLength(1200);
});

test('a row that is larger than a message may be is set aside, and the others are published', async () => {
  const large = JSON.stringify({ type, n: 'large', text: 'x'.repeat(9 * 1024 * 1024) });
  await insert(eventSubject, 'large', large);
  await insert(auditSubject, 'large', large);
  await write(eventSubject, { n: 'behind a large row' });
  await eventually(async () => expect(await eventsPublished()).toContain('behind a large row'));
  expect(await parts.outbox.flushed(60_000)).toBe(true);
  const { rows } = await database.admin.query<{ message_id: string; error: string }>(
    'SELECT message_id, error FROM resources.outbox WHERE set_aside_at IS NOT NULL',
  );
  expect(rows).toEqual([1, 2].map(() => ({ message_id: 'large', error: expect.stringContaining('8388608') })));
  await eventually(async () => expect(await metrics()).toMatch(/ams_outbox_set_aside_rows\{.*\} 2\n/));
});

test('a row that was set aside is published when the server accepts more and the row is sent again', async () => {
  await database.admin.query(`DELETE FROM resources.outbox`);
  const large = JSON.stringify({ n: 'larger server', text: 'x'.repeat(9 * 1024 * 1024) });
  await insert(eventSubject, 'larger server', large);
  const setAside = () => database.admin.query('SELECT 1 FROM resources.outbox WHERE set_aside_at IS NOT NULL');
  await eventually(async () => expect((await setAside()).rowCount).toBe(1));
  await running.nats.restart({ config: 'max_payload: 16777216' });
  await database.admin.query('UPDATE resources.outbox SET set_aside_at = NULL, error = NULL');
  await eventually(async () => expect(await eventsPublished()).toContain('larger server'));
});

test('rows wait while their stream is full, and a metric says so', async () => {
  const manager = await streamManager(connection);
  const { config } = await manager.streams.info(alertEventsStream);
  await manager.streams.update(alertEventsStream, { ...config, max_msgs: 1 });
  await write(eventSubject, { n: 'waits' });
  await eventually(async () => expect(await metrics()).toMatch(/ams_outbox_held_back\{queue="events".*\} 1\n/));
  expect(await metrics()).toMatch(/ams_outbox_held_back\{queue="audit".*\} 0\n/);
  await manager.streams.update(alertEventsStream, { ...config, max_msgs: -1 });
  expect(await parts.outbox.flushed(60_000)).toBe(true);
  expect((await eventsPublished()).at(-1)).toBe('waits');
  await eventually(async () => expect(await metrics()).toMatch(/ams_outbox_held_back\{queue="events".*\} 0\n/));
});

test('/livez says whether the relays of the outbox try to publish', async () => {
  const response = await fetch(`http://127.0.0.1:${service.port}/livez`);
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ info: { outbox: { status: 'up' } } });
});
