/** Services say which operations they answer; the gateway listens and routes. */
import type { Announcement } from '@ams/contracts';
import type { KV } from '@nats-io/kv';

/** Puts the announcement, unless it is there word for word already. */
export async function announce(bucket: KV, announcement: Announcement): Promise<void> {
  const text = JSON.stringify(announcement);
  const present = await bucket.get(announcement.service);
  if (present?.operation === 'PUT' && present.string() === text) return;
  await bucket.put(announcement.service, text);
}

/** Calls back with each announcement, those that are there first; `ready` settles when those were given. */
export async function watchAnnouncements(bucket: KV, changed: (announcement: Announcement) => void): Promise<{ ready: Promise<void>; stop: () => void }> {
  const watch = await bucket.watch();
  let initialised: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => {
    initialised = resolve;
  });
  void (async () => {
    if ((await bucket.status()).values === 0) initialised();
    for await (const entry of watch) {
      if (entry.operation === 'PUT') changed(entry.json<Announcement>());
      if (entry.delta === 0) initialised();
    }
  })();
  return { ready, stop: () => watch.stop() };
}
