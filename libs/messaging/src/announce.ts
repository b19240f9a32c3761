/** Services announce which operations they answer, in a key-value bucket; the API gateway watches it and routes. */
import type { Announcement } from '@ams/contracts';
import { announcementsBucket } from '@ams/contracts';
import type { KV } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import { setTimeout as pause } from 'node:timers/promises';
import { onReconnect } from './connection.js';
import { watchBucket, type BucketEntry } from './bucket-watch.js';
import { openBucket } from './streams.js';

const retryMs = 250;

/** Writes the announcement, unless the same one is there already. */
export async function announce(bucket: KV, announcement: Announcement): Promise<void> {
  const text = JSON.stringify(announcement);
  const present = await bucket.get(announcement.service);
  if (present?.operation === 'PUT' && present.string() === text) return;
  await bucket.put(announcement.service, text);
}

/**
 * Announces now, and again after each reconnection, because NATS may have lost the bucket. Throws when the first
 * announcement fails.
 */
export async function keepAnnounced(
  connection: NatsConnection,
  announcement: Announcement,
  log: { warn(facts: Record<string, unknown>, message: string): void },
): Promise<void> {
  const now = async (): Promise<void> => announce(await openBucket(connection, announcementsBucket), announcement);
  await now();
  const again = async (): Promise<void> => {
    while (!connection.isClosed()) {
      try {
        return await now();
      } catch (error) {
        if (!connection.isClosed())
          log.warn({ err: error }, 'announcing the operations again failed; it is tried again');
        await pause(1000, undefined, { ref: false });
      }
    }
  };
  onReconnect(connection, () => void again());
}

/**
 * Calls `changed` with each announcement and its revision in the bucket: first with the present ones, then with each
 * new one, also of a bucket that replaces this one. Resolves after the present ones; rejects when NATS does not answer
 * meanwhile. An entry that is not JSON becomes an announcement without operations, which the caller refuses: one invalid
 * entry must not end the watch.
 */
export async function watchAnnouncements(
  connection: NatsConnection,
  changed: (announcement: Announcement, revision: number) => void,
): Promise<{ stop: () => void }> {
  let stopped = false;
  const open = () =>
    watchBucket(connection, announcementsBucket, (entry) => {
      if (entry.operation === 'PUT') changed(announcementIn(entry), entry.revision);
    });
  let watch = await open();
  await watch.ready;
  void (async () => {
    while (!stopped) {
      await watch.ended.catch(() => undefined);
      if (stopped) return;
      await pause(retryMs, undefined, { ref: false });
      watch = await open().catch(() => watch);
    }
  })();
  return {
    stop: () => {
      stopped = true;
      watch.stop();
    },
  };
}

function announcementIn(entry: BucketEntry): Announcement {
  try {
    return entry.json<Announcement>();
  } catch {
    return { service: entry.key, operations: null as never, schemas: null as never };
  }
}
