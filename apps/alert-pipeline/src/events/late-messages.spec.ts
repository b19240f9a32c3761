/** Messages that arrive later than an answer of NATS that already counts them. */
import { ingestStream } from '@ams/contracts';
import { partitionOf } from '@ams/domain';
import { eventually, streamManager } from '@ams/testing';
import { setTimeout as pause } from 'node:timers/promises';
import { startLateMessages, type LateMessages } from '../../testing/late-messages.js';
import { eventOf, partitions, startPipeline, type Sender, type TestPipeline } from '../../testing/support.js';

let pipeline: TestPipeline;
let late: LateMessages;

beforeAll(async () => {
  pipeline = await startPipeline();
  late = await startLateMessages(pipeline.urls.nats);
});
afterAll(async () => {
  await pipeline?.stop();
  await late?.stop();
});

/** Fingerprints, one of each of two partitions. */
const fingerprintsOf = (sender: Sender): [string, string] => {
  const names = Array.from({ length: 50 }, (_, i) => `f${i}`);
  const partition = (name: string) => partitionOf(sender.organizationId, sender.environment, name, partitions);
  const [first] = names as [string];
  return [first, names.find((name) => partition(name) !== partition(first)) ?? first];
};

test('a message that is being delivered is not skipped when its consumer is created again', async () => {
  await pipeline.stopReplicas();
  await pipeline.startReplica({ natsUrl: late.url });
  const sender = await pipeline.newSender();
  const [mine, other] = fingerprintsOf(sender);
  await pipeline.send(eventOf(sender, { fingerprint: mine }));

  // The client notices the loss of its consumer and creates another one, which counts from 1 again.
  const manager = await streamManager(pipeline.nats);
  const consumers = async () => {
    const found = [];
    for await (const one of manager.consumers.list(ingestStream)) found.push(one);
    return found;
  };
  for (const { name } of await consumers()) await manager.consumers.delete(ingestStream, name);
  await eventually(async () => {
    const created = await consumers();
    expect(created.length).toBe(partitions);
    expect(created.every(({ num_waiting: waiting }) => waiting > 0)).toBe(true);
  });

  late.hold('ingest.events');
  await pipeline.store(eventOf(sender, { fingerprint: mine }), eventOf(sender, { fingerprint: other }));
  await eventually(() => Promise.resolve(expect(late.held).toBe(2)));
  await pause(6000); // the positions of idle partitions move every five seconds
  late.release();
  await pipeline.applied(sender, 3);
});
