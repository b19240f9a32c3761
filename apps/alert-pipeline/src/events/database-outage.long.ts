import type { RunningService } from '@ams/service';
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

/** Ways in which the database fails for all replicas. Each resolves with what ends it. */
const outages = {
  'the database is away': async () => {
    await infrastructure.postgres.kill();
    return () => infrastructure.postgres.restart();
  },
  'leases are renewed, and no event can be applied': async () => {
    const { admin } = pipeline;
    await admin.query(`CREATE FUNCTION alerts.fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        RAISE 'a test' USING ERRCODE = '53100';
      END $$;
      CREATE TRIGGER fails BEFORE INSERT ON alerts.alerts FOR EACH ROW EXECUTE FUNCTION alerts.fail()`);
    return () => admin.query('DROP TRIGGER fails ON alerts.alerts');
  },
};

test.each(Object.entries(outages))('replicas share the partitions again soon after: %s', async (_name, begin) => {
  const leaseSeconds = 4;
  const databaseTimeoutMs = 1000;
  // It leaves partitions to others for this time, unless the cause of its stall has ended.
  const restMs = 3 * leaseSeconds * 1000 + databaseTimeoutMs;
  await pipeline.stopReplicas();
  const replicas: RunningService[] = [];
  for (let n = 0; n < 2; n++)
    replicas.push(
      await pipeline.startReplica({ leaseSeconds, databaseTimeoutMs, databaseUrl: pipeline.urls.database }),
    );
  const ofEach = (read: (url: string) => Promise<unknown>): Promise<unknown[]> =>
    Promise.all(replicas.map(({ port }) => read(`http://127.0.0.1:${port}`)));
  const held = async (url: string): Promise<number> =>
    Number(/^ams_pipeline_partitions\{.*\} (\d+)$/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1]);
  const makesProgress = async (url: string): Promise<boolean> => {
    const { details } = (await (await fetch(`${url}/readyz`)).json()) as {
      details: Record<string, { status: string }>;
    };
    return details['partitions']?.status === 'up';
  };
  await eventually(async () => expect(await ofEach(held)).toEqual([2, 2]));
  const sender = await pipeline.newSender();

  const end = await begin();
  // Of all partitions: a worker without events makes progress.
  await pipeline.store(...Array.from({ length: 40 }, (_, i) => eventOf(sender, { fingerprint: `f${i}` })));
  await eventually(async () => expect(await ofEach(makesProgress)).toEqual([false, false]));
  const stalledAt = performance.now();
  // Longer than the time after which a worker is given up.
  await pause(databaseTimeoutMs);
  await end();

  await eventually(async () => expect(await ofEach(makesProgress)).toEqual([true, true]));
  await eventually(async () => expect(await ofEach(held)).toEqual([2, 2]));
  expect(performance.now() - stalledAt).toBeLessThan(restMs);
  await pipeline.applied(sender, 40);
});
