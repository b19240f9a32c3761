import { partitionOf } from '@ams/domain';
import { eventually, startTestInfrastructure, type TestInfrastructure, streamManager } from '@ams/testing';
import { setTimeout as pause } from 'node:timers/promises';
import { eventOf, startPipeline, type TestPipeline } from '../../testing/support.js';

/** Values of a metric, by the text of its labels without `service`. */
async function values(name: string): Promise<Record<string, number>> {
  const text = await (await fetch(`http://127.0.0.1:${pipeline.port}/metrics`)).text();
  const lines = [...text.matchAll(new RegExp(`^${name}\\{(.*)\\} (.*)$`, 'gm'))];
  return Object.fromEntries(
    lines.map(([, labels = '', value]) => [labels.replace(/,?service="[^"]*"/, ''), Number(value)]),
  );
}

let infrastructure: TestInfrastructure;
let pipeline: TestPipeline;

beforeAll(async () => {
  infrastructure = await startTestInfrastructure();
  pipeline = await startPipeline({ infrastructure });
});

afterAll(() => pipeline?.stop());

test('the operations are announced again to a NATS server that has lost its data', async () => {
  const manager = await streamManager(pipeline.nats);
  const announced = async (): Promise<number> => (await manager.streams.info('KV_operations')).state.messages;
  expect(await announced()).toBe(1);
  await manager.streams.delete('KV_operations');
  await infrastructure.nats.restart();
  await eventually(async () => expect(await announced()).toBe(1));
});

test('after NATS and PostgreSQL were killed, the pipeline continues from its position', async () => {
  const sender = await pipeline.newSender();
  await pipeline.store(...Array.from({ length: 50 }, (_, i) => eventOf(sender, { fingerprint: `f${i % 5}` })));
  await infrastructure.postgres.restart();
  await pipeline.applied(sender, 50);
  await infrastructure.nats.restart();
  await eventually(() => pipeline.store(eventOf(sender, { fingerprint: 'after' })));
  await eventually(async () => expect((await pipeline.alertsOf(sender)).length).toBe(6));
  expect((await pipeline.alertsOf(sender)).slice(0, 5).map((row) => row.occurrence_count)).toEqual([
    10, 10, 10, 10, 10,
  ]);
});

test('an alert does not resolve by time while NATS is disconnected', async () => {
  const sender = await pipeline.newSender();
  await pipeline.send(eventOf(sender, { autoResolveAfterSeconds: 600 }));
  await infrastructure.nats.kill();
  await pipeline.admin.query('UPDATE alerts.alerts SET auto_resolve_at = now() WHERE organization_id = $1', [
    sender.organizationId,
  ]);
  // Ten rounds of the check.
  await pause(2500);
  expect(await pipeline.alertOf(sender)).toMatchObject({ status: 'firing' });
  await infrastructure.nats.restart();
  await eventually(async () =>
    expect(await pipeline.alertOf(sender)).toMatchObject({ status: 'resolved', resolve_reason: 'timeout' }),
  );
});

test('while events wait for the database, their age is a metric', async () => {
  const sender = await pipeline.newSender();
  const age = async () => (await values('ams_pipeline_oldest_waiting_event_seconds'))[''];
  await eventually(async () => expect(await age()).toBe(0));
  const holder = await pipeline.admin.connect();
  try {
    await holder.query('BEGIN; LOCK TABLE alerts.alerts IN ACCESS EXCLUSIVE MODE');
    await pipeline.store(eventOf(sender, { receivedAt: new Date(Date.now() - 3_600_000).toISOString() }));
    await eventually(async () => expect(await age()).toBeGreaterThan(3599));
  } finally {
    await holder.query('ROLLBACK');
    holder.release();
  }
  await eventually(async () => expect(await age()).toBe(0));
});

test('an event of a partition that another replica holds and does not apply has an age, and then none', async () => {
  const sender = await pipeline.newSender();
  const oldest = () => values('ams_pipeline_oldest_unapplied_event_seconds');
  const all = { 'partition="0"': 0, 'partition="1"': 0, 'partition="2"': 0, 'partition="3"': 0 };
  await eventually(async () => expect(await oldest()).toEqual(all));
  const held = partitionOf(sender.organizationId, 'live', 'held', 4);
  await pipeline.admin.query(
    `UPDATE alerts.partitions SET holder = gen_random_uuid(), held_until = now() + interval '1 hour' WHERE partition = $1`,
    [held],
  );
  await eventually(async () => expect(await values('ams_pipeline_partitions')).toEqual({ '': 3 }));
  await pipeline.store(eventOf(sender, { fingerprint: 'held' }));
  await eventually(async () => expect((await oldest())[`partition="${held}"`]).toBeGreaterThan(0));
  expect(Object.keys(await values('ams_pipeline_lease_age_seconds'))).toHaveLength(4);
  await pipeline.admin.query(
    `UPDATE alerts.partitions SET holder = NULL, held_until = '-infinity' WHERE partition = $1`,
    [held],
  );
  await pipeline.applied(sender, 1);
  await eventually(async () => expect(await oldest()).toEqual(all));
  await eventually(async () => expect(await values('ams_pipeline_partitions_not_held')).toEqual({ '': 0 }));
});

test('what cannot be measured has no value, and its measurement has an age', async () => {
  const measured = async () => [
    await values('ams_pipeline_oldest_unapplied_event_seconds'),
    await values('ams_pipeline_partitions_not_held'),
  ];
  await eventually(async () => expect((await measured()).map((one) => Object.keys(one).length)).toEqual([4, 1]));
  await infrastructure.nats.kill();
  await eventually(async () => expect(await measured()).toEqual([{}, {}]));
  const ages = await values('ams_measurement_age_seconds');
  expect(ages).toEqual({
    'measurement="events"': expect.any(Number),
    'measurement="escalations"': expect.any(Number),
    'measurement="outbox"': expect.any(Number),
  });
  expect(ages['measurement="events"']).toBeGreaterThan(0);
  await infrastructure.nats.restart();
  await eventually(async () => expect((await measured()).map((one) => Object.keys(one).length)).toEqual([4, 1]));
});
