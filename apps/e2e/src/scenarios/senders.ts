/** Senders and API users that continue through all failures and know exactly what must be stored in the end. */
import { uuidOf } from '@ams/contracts';
import { setTimeout as pause } from 'node:timers/promises';
import type { Organization, Sender, System } from '../system.js';
import { balancer, type Answer, type Balancer } from '../system/balancer.js';

export interface Traffic {
  /** Stops the senders after their current requests. */
  stop(): Promise<void>;
  accepted(): number;
  /** Waits until all accepted events are applied. Returns the faults of what is stored. */
  faults(): Promise<string[]>;
}

interface TrafficOptions {
  /** Each sends one event after another of its own fingerprint until it is accepted, each with an Idempotency-Key. */
  sequential: number;
  /** Each sends events with different fingerprints, without keys, until they are accepted. */
  unique: number;
  /** Each calls the API and records which requests were answered. */
  readers: number;
  pauseMs: number;
}

interface Unique {
  fingerprint: string;
  id: string;
  again: boolean;
}

const severities = ['critical', 'high', 'medium', 'low', 'info'];

export function startTraffic(system: System, acme: Organization, sender: Sender, options: TrafficOptions): Traffic {
  const ingest = balancer(system.replicas('ingest-gateway'));
  const gateways = balancer(system.replicas('api-gateway'));
  const path = new URL(sender.ingestUrl).pathname;
  let over = false;

  /** Sends until the payload is accepted. Returns the ids of its events; `again` when it was sent more than once. */
  const untilAccepted = async (
    body: unknown,
    headers: Record<string, string>,
  ): Promise<{ ids: string[]; again: boolean }> => {
    for (let again = false; ; again = true) {
      const answer = await attempt(ingest, 'POST', path, { body, headers });
      if (answer && answer.status < 300) {
        const { data } = JSON.parse(answer.body) as { data: { events: { id: string }[] } };
        return { ids: data.events.map(({ id }) => id), again: again || answer.sent > 1 };
      }
      if (answer && answer.status < 500) throw new Error(`a valid event was refused: ${answer.status} ${answer.body}`);
      await pause(50);
    }
  };

  const sequences = Array.from({ length: options.sequential }, () => ({
    fingerprint: `seq-${crypto.randomUUID()}`,
    ids: [] as string[],
  }));
  const uniques: Unique[] = [];
  /** How often each request was sent: again when a reused connection was closed already. */
  const answered = new Map<string, number>();

  const sequential = async ({ fingerprint, ids }: (typeof sequences)[number]): Promise<void> => {
    while (!over) {
      const n = ids.length + 1;
      const body = { title: `${fingerprint} #${n}`, severity: severities[n % 5], fingerprint };
      ids.push(...(await untilAccepted(body, { 'idempotency-key': `${fingerprint} ${n}` })).ids);
      await pause(options.pauseMs);
    }
  };
  const unique = async (): Promise<void> => {
    while (!over) {
      const fingerprint = `one-${crypto.randomUUID()}`;
      const { ids, again } = await untilAccepted({ title: 'Once', severity: 'low', fingerprint }, {});
      uniques.push({ fingerprint, id: ids[0] as string, again });
      await pause(options.pauseMs);
    }
  };
  const reader = async (): Promise<void> => {
    while (!over) {
      const requestId = crypto.randomUUID();
      const answer = await attempt(gateways, 'GET', '/api/v1/alerts?limit=1', {
        headers: { authorization: `Bearer ${acme.key}`, 'x-request-id': requestId },
      });
      if (answer?.status === 200) answered.set(requestId, answer.sent);
      else if (answer && answer.status < 500)
        throw new Error(`a valid request was refused: ${answer.status} ${answer.body}`);
      await pause(options.pauseMs);
    }
  };
  const running = Promise.all([
    ...sequences.map(sequential),
    ...Array.from({ length: options.unique }, unique),
    ...Array.from({ length: options.readers }, reader),
  ]);
  running.catch(() => undefined); // stop() throws it

  const acceptedIds = () => [...sequences.flatMap(({ ids }) => ids), ...uniques.map(({ id }) => id)];
  return {
    accepted: () => acceptedIds().length,
    async stop() {
      over = true;
      try {
        await running;
      } finally {
        ingest.close();
        gateways.close();
      }
    },
    async faults() {
      await system.eventuallyApplied(acceptedIds(), 60_000);
      return [
        ...(await sequenceFaults(system, sequences)),
        ...(await uniqueFaults(system, uniques)),
        ...(await auditFaults(system, answered)),
      ];
    },
  };
}

async function attempt(
  client: Balancer,
  method: string,
  path: string,
  options: { headers?: Record<string, string>; body?: unknown },
): Promise<Answer | null> {
  try {
    return await client.send(method, path, options);
  } catch {
    return null; // no connection, or it was closed before the answer: nothing was accepted
  }
}

/** Expects every event of a sequence once and in order, and the alert as the last event left it. */
async function sequenceFaults(system: System, sequences: { fingerprint: string; ids: string[] }[]): Promise<string[]> {
  const faults: string[] = [];
  for (const { fingerprint, ids } of sequences) {
    const [alert, ...others] = await system.sql<{ id: string; title: string; occurrence_count: number }>(
      'SELECT id, title, occurrence_count FROM alerts.alerts WHERE fingerprint = $1',
      [fingerprint],
    );
    const timeline = await system.sql<{ cause: { id: string } }>(
      `SELECT cause FROM alerts.timeline WHERE alert_id = $1 AND cause->>'type' <> 'workflow' ORDER BY alert_version`,
      [alert?.id],
    );
    const stored = await system.sql<{ id: string }>('SELECT id FROM alerts.events WHERE alert_id = $1', [alert?.id]);
    const check = (holds: boolean, what: string) => holds || faults.push(`${fingerprint}: ${what}`);
    check(others.length === 0, `${others.length + 1} alerts`);
    check(alert?.occurrence_count === ids.length, `occurrenceCount ${alert?.occurrence_count} of ${ids.length}`);
    check(alert?.title === `${fingerprint} #${ids.length}`, `the last title is ${alert?.title} of ${ids.length}`);
    check(stored.length === ids.length, `${stored.length} events of ${ids.length}`);
    check(
      timeline.map(({ cause }) => cause.id).join() === ids.join(),
      'the timeline is not the sent events in their order',
    );
  }
  return faults;
}

/** Expects that accepted events are applied: once, unless they were sent more often. */
async function uniqueFaults(system: System, uniques: Unique[]): Promise<string[]> {
  const rows = await system.sql<{ fingerprint: string; occurrence_count: number; events: string[] }>(
    `SELECT fingerprint, occurrence_count,
       array(SELECT e.id::text FROM alerts.events e WHERE e.alert_id = a.id) AS events
     FROM alerts.alerts a WHERE fingerprint = ANY ($1)`,
    [uniques.map(({ fingerprint }) => fingerprint)],
  );
  const byFingerprint = new Map(rows.map((row) => [row.fingerprint, row]));
  return uniques.flatMap(({ fingerprint, id, again }) => {
    const row = byFingerprint.get(fingerprint);
    if (!row?.events.includes(uuidOf('event', id) as string)) return [`${fingerprint}: accepted and not applied`];
    const sound = row.occurrence_count === row.events.length && (again || row.occurrence_count === 1);
    return sound
      ? []
      : [
          `${fingerprint}: occurrenceCount ${row.occurrence_count}, ${row.events.length} events, ` +
            `sent ${again ? 'again' : 'once'}`,
        ];
  });
}

/** Expects an entry for each answered request, and at most one for each time that it was sent. */
async function auditFaults(system: System, answered: ReadonlyMap<string, number>): Promise<string[]> {
  const rows = await system.sql<{ request_id: string; n: string }>(
    `SELECT request_id, count(*) AS n FROM auth.audit_log
     WHERE type = 'api_key.used' AND request_id = ANY ($1) GROUP BY 1`,
    [[...answered.keys()]],
  );
  const doubled = rows.filter(({ request_id, n }) => Number(n) > (answered.get(request_id) ?? 0));
  return [
    ...(rows.length === answered.size
      ? []
      : [`${answered.size - rows.length} of ${answered.size} answered requests have no api_key.used`]),
    ...doubled.map(({ request_id, n }) => `request ${request_id} has ${n} api_key.used`),
  ];
}
