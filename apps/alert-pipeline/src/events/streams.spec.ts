/** What is deleted from the streams and when, and positions that do not fit the stream. */
import { alertEventsStream, ingestStream } from '@ams/contracts';
import { consumers, ensureStream, streams } from '@ams/messaging';
import { eventually, streamManager } from '@ams/testing';
import { DiscardPolicy, jetstream } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { eventOf, startPipeline, type Sender, type TestPipeline } from '../../testing/support.js';
import { StreamPurge } from './stream-purge.js';

let pipeline: TestPipeline;
let sender: Sender;

beforeAll(async () => {
  pipeline = await startPipeline();
});
afterAll(() => pipeline?.stop());
beforeEach(async () => {
  sender = await pipeline.newSender();
});

const infoOf = async (stream: string) => (await streamManager(pipeline.nats)).streams.info(stream);
const positions = async (): Promise<number[]> =>
  (
    await pipeline.admin.query<{ position: number }>(
      'SELECT position::int AS position FROM alerts.partitions ORDER BY partition',
    )
  ).rows.map(({ position }) => position);

/** Stores one more event, and waits until every partition has been moved to the end of the stream: a purge has run. */
async function awaitPurge(): Promise<void> {
  const other = await pipeline.newSender();
  await pipeline.send(eventOf(other));
  const { last_seq: last } = (await infoOf(ingestStream)).state;
  await eventually(async () => expect(Math.min(...(await positions()))).toBe(last));
}

test('events that a lagging standby has not received are applied again after its promotion', async () => {
  await pipeline.send(eventOf(sender));
  const before = await positions();
  const accepted = eventOf(sender, { fingerprint: 'accepted' });
  await pipeline.send(accepted);
  await awaitPurge();
  await awaitPurge();
  // The database as the standby knows it.
  await pipeline.stopReplicas();
  const { id } = await pipeline.alertOf(sender, 'accepted');
  const entriesOf = async (alertId: string) =>
    (await pipeline.admin.query<{ id: string }>('SELECT id FROM alerts.timeline WHERE alert_id = $1', [alertId])).rows;
  const entries = await entriesOf(id);
  for (const [table, column] of [
    ['alerts', 'id'],
    ['timeline', 'alert_id'],
    ['events', 'alert_id'],
  ])
    await pipeline.admin.query(`DELETE FROM alerts.${table} WHERE ${column} = $1`, [id]);
  for (const [partition, position] of before.entries())
    await pipeline.admin.query('UPDATE alerts.partitions SET position = least(position, $2) WHERE partition = $1', [
      partition,
      position,
    ]);
  await pipeline.startReplica();
  await pipeline.applied(sender, 2);
  // The same ids: the workflow engine recognizes the domain event.
  expect(await pipeline.alertOf(sender, 'accepted')).toMatchObject({ id, status: 'firing' });
  expect(entries).toHaveLength(1);
  expect(await entriesOf(id)).toEqual(entries);
}, 60_000);

describe('a position that does not fit the stream', () => {
  const page = async (port: number, path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text();

  test('messages that were purged before they were applied are reported, and later ones are applied', async () => {
    await pipeline.send(eventOf(sender));
    await pipeline.stopReplicas();
    await pipeline.store(eventOf(sender, { fingerprint: 'lost' }));
    await (await streamManager(pipeline.nats)).streams.purge(ingestStream);
    const { port } = await pipeline.startReplica();
    await pipeline.send(eventOf(sender, { fingerprint: 'later' }));
    expect((await pipeline.alertsOf(sender)).map(({ fingerprint }) => fingerprint).sort()).toEqual(['cpu', 'later']);
    await eventually(async () => expect(await page(port, '/metrics')).toMatch(/missing_messages_total\{.*\} [1-9]/));
    expect(await page(port, '/readyz')).toMatch(/"status":"ok".*were deleted before this database applied them/);
  });

  test('events after the loss of the end of the stream are applied, and the loss is reported', async () => {
    await pipeline.send(eventOf(sender));
    await pipeline.stopReplicas();
    await pipeline.admin.query('UPDATE alerts.partitions SET position = position + 1000');
    const { port } = await pipeline.startReplica();
    await pipeline.send(eventOf(sender, { fingerprint: 'later' }));
    expect(await pipeline.alertOf(sender)).toMatchObject({ occurrence_count: 1 });
    await eventually(async () => expect(await page(port, '/metrics')).toMatch(/position_gaps_total\{.*\} [1-9]/));
    expect(await page(port, '/readyz')).toMatch(/"status":"ok".*NATS has lost messages/);
  });
});

describe('the stream of alert events', () => {
  test('of an earlier release gets the new settings, and keeps its messages', async () => {
    const manager = await streamManager(pipeline.nats);
    await pipeline.send(eventOf(sender));
    await pipeline.published(sender);
    await pipeline.stopReplicas();
    const { config, state } = await infoOf(alertEventsStream);
    await manager.streams.update(alertEventsStream, {
      ...config,
      discard: DiscardPolicy.Old,
      max_age: nanos(3 * 86_400_000),
    });
    await pipeline.startReplica();
    const present = await eventually(async () => {
      const found = await infoOf(alertEventsStream);
      expect(found.config).toMatchObject({ discard: DiscardPolicy.New, max_age: 0 });
      return found;
    });
    expect(present.state).toMatchObject({ messages: state.messages, last_seq: state.last_seq });
  });

  test('is purged up to what the workflow engine has acknowledged and the workflow engine has recorded', async () => {
    await pipeline.stopReplicas();
    await pipeline.startReplica({ standbyLagSeconds: 0, eventsKeptSeconds: 0 });
    const manager = await streamManager(pipeline.nats);
    await manager.streams.purge(alertEventsStream);
    for (const fingerprint of ['a', 'b', 'c']) {
      await pipeline.send(eventOf(sender, { fingerprint }));
      await pipeline.published(sender);
    }
    const { durable_name: consumer } = consumers.domainEvents.config;
    const read = async (count: number): Promise<void> => {
      const messages = await (
        await jetstream(pipeline.nats).consumers.get(alertEventsStream, consumer)
      ).fetch({
        max_messages: count,
        expires: 5000,
      });
      for await (const message of messages) await message.ackAck();
    };
    const { created, state } = await infoOf(alertEventsStream);
    const { first_seq: first, last_seq: last } = state;
    const record = (from: number, to: number) =>
      pipeline.admin.query(
        'INSERT INTO workflows.processed_messages SELECT $1, s FROM generate_series($2::int, $3::int) s',
        [created, from, to],
      );
    await read(2);
    await record(first, first);
    await eventually(async () => expect((await infoOf(alertEventsStream)).state.first_seq).toBe(first + 1));
    await awaitPurge();
    expect((await infoOf(alertEventsStream)).state.first_seq).toBe(first + 1);
    await record(first + 1, last);
    await eventually(async () => expect((await infoOf(alertEventsStream)).state.first_seq).toBe(first + 2));
    await awaitPurge();
    expect((await infoOf(alertEventsStream)).state.first_seq).toBe(first + 2);
  }, 60_000);
});

test('a stream keeps what was committed for the lag of a standby, unless it is three quarters full', async () => {
  const { nats } = pipeline;
  const [name, subject] = ['PURGED', 'purged'];
  await ensureStream(
    nats,
    { ...streams.handshakes(), name, subjects: [subject], max_bytes: 64 * 1024 },
    { replicas: 1 },
  );
  const store = (count: number, bytes: number) =>
    Promise.all(Array.from({ length: count }, () => jetstream(nats).publish(subject, 'x'.repeat(bytes))));
  let now = 0;
  const log = { warn: () => undefined };
  const purge = new StreamPurge({ nats, stream: name, lagMs: 300_000, log, now: () => now });
  const firstAfter = async (committed: number): Promise<number> =>
    (await purge.run(await infoOf(name), committed)).state.first_seq;
  await store(10, 100);
  expect(await firstAfter(4)).toBe(1);
  now = 200_000;
  expect(await firstAfter(8)).toBe(1);
  now = 300_000;
  expect(await firstAfter(10)).toBe(5);
  now = 400_000;
  // After a failover: less is committed than before.
  expect(await firstAfter(6)).toBe(5);
  now = 500_000;
  expect(await firstAfter(6)).toBe(7);
  await store(50, 1024);
  const state = await purge.run(await infoOf(name), 50);
  expect(state.state.bytes).toBeLessThan(48 * 1024);
  expect(state.state.first_seq).toBeGreaterThan(7);
  expect(state.state.first_seq).toBeLessThanOrEqual(51);
});
