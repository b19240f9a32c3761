// Two receivers of webhooks: one counts our notifications, the other what Alertmanager sends.
import { startLocalServer } from '../lib/local-server.mjs';
import { keyOf } from './lists.mjs';

/** A server that calls `take` with the headers and the parsed body of each request. */
const receive = (take) =>
  startLocalServer(async (request, response) => {
    const chunks = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      return; // the sender was killed
    }
    take(request.headers, JSON.parse(Buffer.concat(chunks).toString()));
    response.end();
  });

/** `{ url, ofAlert(id): how many notifications, repeated: attempts of a notification after the first, stop() }` */
export async function startPages() {
  const pages = new Map();
  const seen = new Set();
  let repeated = 0;
  const server = await receive(({ 'webhook-id': id }, { data }) => {
    if (seen.has(id)) repeated++;
    else pages.set(data.alert.id, (pages.get(data.alert.id) ?? 0) + 1);
    seen.add(id);
  });
  return {
    ...server,
    ofAlert: (id) => pages.get(id) ?? 0,
    get repeated() {
      return repeated;
    },
  };
}

/**
 * Alertmanager's second webhook, which never fails. A host may fire more often than its state changes: on a slow
 * machine Prometheus misses a scrape, and then its alerts resolve and fire again. `{ url, outages(key), stop() }`
 */
export async function startSecondReceiver() {
  const firing = new Set();
  const outages = new Map();
  const server = await receive((_, { alerts }) => {
    for (const alert of alerts) {
      const key = keyOf(alert);
      if (alert.status !== 'firing') firing.delete(key);
      else if (!firing.has(key)) {
        firing.add(key);
        outages.set(key, (outages.get(key) ?? 0) + 1);
      }
    }
  });
  return { ...server, outages: (key) => outages.get(key) ?? 0 };
}
