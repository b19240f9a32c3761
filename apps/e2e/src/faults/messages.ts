/** NATS delivers messages again, in another order, or messages that cannot be read. */
import { alertEventsStream, alertEventsSubject, ingestStream, ingestSubject } from '@ams/contracts';
import { managerOf } from '@ams/messaging';
import { setTimeout as pause } from 'node:timers/promises';
import type { Fault, FaultRun } from './fault.js';
import { query } from './judge.js';

type Broker = Parameters<Parameters<FaultRun['system']['observe']>[0]>[0];

/** Work between the beginning and the end of a fault. */
const works = new WeakMap<FaultRun, { stop(): Promise<void> }>();

function workUntilEnd(run: FaultRun, work: (broker: Broker, isOver: () => boolean) => Promise<void>): void {
  let over = false;
  const running = run.system.observe((broker) => work(broker, () => over));
  running.catch(() => undefined); // stop() throws it
  works.set(run, {
    async stop() {
      over = true;
      await running;
    },
  });
}

const endWork = async (run: FaultRun): Promise<void> => works.get(run)?.stop();

/** Every message of a stream is published again, without its message id, up to two seconds later. */
async function repeat(broker: Broker, stream: string, { random }: FaultRun, isOver: () => boolean): Promise<void> {
  const { streams } = await managerOf(broker);
  let next = (await streams.info(stream)).state.last_seq + 1;
  const copies = new Set<string>();
  const pending: Promise<void>[] = [];
  while (!isOver()) {
    const { state } = await streams.info(stream);
    for (; next <= state.last_seq; next++) {
      const message = await streams.getMessage(stream, { seq: next }).catch(() => null);
      if (!message) continue;
      const key = `${message.subject} ${Buffer.from(message.data).toString('base64')}`;
      if (copies.delete(key)) continue; // it is a copy
      copies.add(key);
      pending.push(pause(random.between(0, 2000)).then(() => broker.publish(message.subject, message.data)));
    }
    await pause(50);
  }
  await Promise.all(pending);
  await broker.flush();
}

const twice: Fault = {
  name: 'messages-twice',
  class: 'messages',
  what: 'For 20 s every event and domain event is delivered again up to 2 s later, in another order.',
  quick: true,
  seconds: 20,
  async inject(run) {
    workUntilEnd(run, async (broker, isOver) => {
      await Promise.all([ingestStream, alertEventsStream].map((stream) => repeat(broker, stream, run, isOver)));
    });
  },
  end: endWork,
};

const uuid = '01890000-0000-7000-8000-000000000000';

/** Messages that no service can process. */
const poison: readonly string[] = [
  'not JSON',
  '',
  '{}',
  '[]',
  'null',
  '{"events":null}',
  '{"events":[null]}',
  '{"events":[{"id":"x","fingerprint":"y"}]}',
  `{"events":[{"id":"${uuid}","fingerprint":"no tenant"}]}`,
  `{"events":[{"id":"${uuid}","fingerprint":"bad types","organizationId":7,"environment":"moon","labels":"no"}]}`,
  `{"events":[{"id":"${uuid}","fingerprint":"\\u0000","organizationId":"${uuid}","environment":"live"}]}`,
];

/** So many are stored at least. */
const fewest = 10;

const poisoned: Fault = {
  name: 'messages-poison',
  class: 'messages',
  what: 'For 20 s messages that cannot be read are stored among the good ones, in every partition.',
  quick: true,
  seconds: 20,
  async inject(run) {
    workUntilEnd(run, async (broker, isOver) => {
      // On a busy machine the time may be over before many are stored.
      for (let stored = 0; !isOver() || stored < fewest; stored++) {
        const text = run.random.oneOf(poison);
        broker.publish(ingestSubject(run.random.between(0, 3)), text);
        broker.publish(alertEventsSubject(0), text);
        await pause(300);
      }
      await broker.flush();
    });
  },
  end: endWork,
  async check(run) {
    const [row] = await query<{ n: number }>(run, 'SELECT count(*)::int AS n FROM alerts.set_aside', []);
    return row && row.n >= fewest ? [] : [`only ${row?.n} messages were set aside`];
  },
};

export const messageFaults: readonly Fault[] = [twice, poisoned];
