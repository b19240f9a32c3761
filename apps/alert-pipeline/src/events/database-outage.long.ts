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

test('a replica that gave its partitions up in an outage of the database takes some when it is over', async () => {
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

  await infrastructure.postgres.kill();
  await eventually(async () => expect(await ofEach(makesProgress)).toEqual([false, false]));
  const stalledAt = performance.now();
  // Longer than the time after which a worker is given up.
  await pause(databaseTimeoutMs);
  await infrastructure.postgres.restart();

  await eventually(async () => expect(await ofEach(makesProgress)).toEqual([true, true]));
  await eventually(async () => expect(await ofEach(held)).toEqual([2, 2]));
  expect(performance.now() - stalledAt).toBeLessThan(restMs);
  await pipeline.send(eventOf(sender));
});
