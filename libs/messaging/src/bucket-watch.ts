/**
 * Follows a key-value bucket without a consumer: reads the keys once, and then each next message by its sequence. A
 * watch of the client library creates a consumer, and a service that may do that could let NATS deliver messages to any
 * subject (consumers.ts).
 */
import { headers, type NatsConnection } from '@nats-io/transport-node';
import type { StoredMsg } from '@nats-io/jetstream';
import type { KvEntry } from '@nats-io/kv';
import { News } from './news.js';
import { managerOf, requireStream, streamOfBucket } from './streams.js';

export type BucketEntry = Pick<KvEntry, 'key' | 'revision' | 'operation' | 'string' | 'json'>;

export interface BucketWatch {
  /** When the bucket was created. Revisions of different buckets cannot be compared. */
  created: string;
  /** Settles when the present entries were taken. */
  ready: Promise<void>;
  /** Rejects when the bucket cannot be read any more, or was replaced by another one; resolves after `stop`. */
  ended: Promise<void>;
  stop: () => void;
}

const atOnce = 32;
const checkMs = 2000;

/** Calls `take` with each present entry, and then with each change. Throws BrokerIncomplete without the bucket. */
export async function watchBucket(
  connection: NatsConnection,
  bucket: string,
  take: (entry: BucketEntry) => void,
): Promise<BucketWatch> {
  const stream = streamOfBucket(bucket);
  const prefix = `$KV.${bucket}.`;
  const manager = await managerOf(connection);
  await requireStream(connection, stream);
  const info = await manager.streams.info(stream, { subjects_filter: `${prefix}>` });
  const created = String(info.created);
  let stopped = false;
  const news = new News(connection, stream);

  const takeAll = async (): Promise<void> => {
    const subjects = Object.keys(info.state.subjects ?? {});
    for (let from = 0; from < subjects.length && !stopped; from += atOnce) {
      // The leader answers: another server may not have what the leader has counted.
      const some = await Promise.all(
        subjects
          .slice(from, from + atOnce)
          .map((subject) => manager.streams.getMessage(stream, { last_by_subj: subject })),
      );
      const present = some.filter((message) => message !== null).sort((a, b) => a.seq - b.seq);
      for (const message of present) if (!stopped) take(entryOf(message, prefix));
    }
  };

  const follow = async (): Promise<void> => {
    let next = info.state.last_seq + 1;
    let checkedAt = performance.now();
    while (!stopped) {
      const message = await manager.direct.getMessage(stream, { seq: next, next_by_subj: `${prefix}>` });
      if (stopped) return;
      if (message) {
        next = message.seq + 1;
        news.found();
        take(entryOf(message, prefix));
        continue;
      }
      if (performance.now() - checkedAt >= checkMs) {
        const present = await requireStream(connection, stream);
        if (String(present.created) !== created || present.state.last_seq < next - 1)
          throw new Error(`the bucket ${bucket} was replaced by another one`);
        checkedAt = performance.now();
      }
      await news.wait();
    }
  };

  const ready = takeAll();
  const ended = ready.then(follow).finally(() => news.stop());
  ended.catch(() => undefined);
  return {
    created,
    ready,
    ended,
    stop: () => {
      stopped = true;
      news.stop();
    },
  };
}

function entryOf(message: StoredMsg, prefix: string): BucketEntry {
  const operation = (message.header ?? headers()).get('KV-Operation');
  return {
    key: message.subject.slice(prefix.length),
    revision: message.seq,
    operation: operation === 'DEL' || operation === 'PURGE' ? operation : 'PUT',
    string: () => message.string(),
    json: <T>() => message.json<T>(),
  };
}
