/** Services announce which operations they answer, in a key-value bucket; the API gateway watches it and routes. */
import type { Announcement } from '@ams/contracts';
import type { KV, KvEntry } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import { onReconnect } from './connection.js';
import { announcementsKv, type StreamSettings } from './streams.js';

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
  settings: StreamSettings,
  announcement: Announcement,
  log: { warn(facts: Record<string, unknown>, message: string): void },
): Promise<void> {
  const now = async (): Promise<void> => announce(await announcementsKv(connection, settings), announcement);
  await now();
  onReconnect(
    connection,
    () => void now().catch((error: unknown) => log.warn({ err: error }, 'announcing the operations again failed')),
  );
}

/**
 * Calls `changed` with each announcement and its revision in the bucket: first with the present ones, then with each
 * new one. `ready` resolves after the present ones. An entry that is not JSON becomes an announcement without
 * operations, which the caller refuses: one invalid entry must not end the watch.
 */
export async function watchAnnouncements(
  bucket: KV,
  changed: (announcement: Announcement, revision: number) => void,
): Promise<{ ready: Promise<void>; stop: () => void }> {
  const watch = await bucket.watch();
  let initialised: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => {
    initialised = resolve;
  });
  void (async () => {
    if ((await bucket.status()).values === 0) initialised();
    for await (const entry of watch) {
      if (entry.operation === 'PUT') changed(announcementIn(entry), entry.revision);
      if (entry.delta === 0) initialised();
    }
  })();
  return { ready, stop: () => watch.stop() };
}

function announcementIn(entry: KvEntry): Announcement {
  try {
    return entry.json<Announcement>();
  } catch {
    return { service: entry.key, operations: null as never, schemas: null as never };
  }
}
