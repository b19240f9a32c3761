import { managerOf } from '@ams/messaging';
import { eventually, startTestInfrastructure, type TestInfrastructure } from '@ams/testing';
import { setTimeout as pause } from 'node:timers/promises';
import { eventOf, startPipeline, type TestPipeline } from '../../testing/support.js';

let infrastructure: TestInfrastructure;
let pipeline: TestPipeline;

beforeAll(async () => {
  infrastructure = await startTestInfrastructure();
  pipeline = await startPipeline({ infrastructure });
});

afterAll(() => pipeline?.stop());

test('the operations are announced again to a NATS server that has lost its data', async () => {
  const manager = await managerOf(pipeline.nats);
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
  const age = async (): Promise<number> => {
    const text = await (await fetch(`http://127.0.0.1:${pipeline.port}/metrics`)).text();
    return Number(/^ams_pipeline_oldest_waiting_event_seconds\{.*\} (.*)$/m.exec(text)?.[1]);
  };
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
