/** An open-loop load with a number of requests a second. Every failure counts: no request is repeated. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Organization, Sender, System } from '../system.js';
import { balancer } from '../system/balancer.js';

export interface SteadyLoad {
  /** Ends the load and waits for the last answers. */
  stop(): Promise<void>;
  readonly sent: number;
  /** The wrong and the missing answers, with their number. */
  readonly failures: Map<string, number>;
  /** A text that is added to the failures from now on. */
  note(when: string): void;
  /** Ids of the events that were accepted. */
  readonly accepted: string[];
}

/** Three events for each read and each write. */
export function startSteadyLoad(
  system: System,
  acme: Organization,
  sender: Sender,
  alertId: string,
  perSecond: number,
): SteadyLoad {
  const ingest = balancer(system.replicas('ingest-gateway'));
  const gateways = balancer(system.replicas('api-gateway'));
  const path = new URL(sender.ingestUrl).pathname;
  const authorization = { authorization: `Bearer ${acme.key}` };
  const failures = new Map<string, number>();
  let when = 'at first';
  const accepted: string[] = [];
  const began = performance.now();
  let sent = 0;
  let over = false;

  const one = async (n: number): Promise<void> => {
    const kind = n % 5 < 3 ? 'event' : n % 5 === 3 ? 'read' : 'write';
    const fail = (what: string): void => {
      const text = `${kind} ${when}: ${what}`;
      failures.set(text, (failures.get(text) ?? 0) + 1);
    };
    try {
      const answer =
        kind === 'event'
          ? await ingest.send('POST', path, {
              body: { title: `Event ${n}`, severity: 'low', fingerprint: `steady-${n % 50}` },
            })
          : kind === 'read'
            ? await gateways.send('GET', '/api/v1/alerts?limit=5', { headers: authorization })
            : await gateways.send('POST', `/api/v1/alerts/${alertId}/acknowledge`, { headers: authorization });
      if (answer.status !== (kind === 'event' ? 202 : 200))
        fail(`${answer.status} ${(JSON.parse(answer.body) as { code?: string }).code}`);
      else if (kind === 'event')
        accepted.push(
          ...(JSON.parse(answer.body) as { data: { events: { id: string }[] } }).data.events.map(({ id }) => id),
        );
    } catch (error) {
      fail((error as Error).message);
    }
  };
  const running = (async () => {
    const pending = new Set<Promise<void>>();
    while (!over) {
      // Sends as many as are due: after a late timer the missing ones are sent, too.
      for (const due = Math.floor(((performance.now() - began) / 1000) * perSecond); sent < due; sent++) {
        const request = one(sent).finally(() => pending.delete(request));
        pending.add(request);
      }
      await pause(5);
    }
    await Promise.all(pending);
  })();
  return {
    failures,
    accepted,
    note(text) {
      when = text;
    },
    get sent() {
      return sent;
    },
    async stop() {
      over = true;
      await running;
      ingest.close();
      gateways.close();
    },
  };
}
