/**
 * `auth.admit`: who is asking, may they, is there room under the limit. Every request of the v1 API passes here once.
 *
 * Requests that arrive while others are being worked on go together next: no timer, so that an idle system adds no
 * latency and a busy one shares its commits. A batch is one statement, which is one transaction: no client that stalls
 * can hold a lock between two of them, the limit is exact over any number of replicas, and the `api_key.used` entry is
 * stored when the reply leaves. It can be repeated: a use that has its entry is neither entered nor counted again.
 *
 * Batches of several replicas cannot lock each other for ever: windows are locked in the order of their organizations,
 * keys are locked after the window of their organization and never waited for.
 */
import { admitSubject, type AdmitReply, type AdmitRequest, type Principal, type RateLimitState } from '@ams/contracts';
import { Database } from '@ams/database';
import { asFault, Subscriptions, type NatsConnection } from '@ams/messaging';
import { grants, isScope, type Environment } from '@ams/scopes';
import { Metrics, Tokens, withoutCredentials, type Logger, type Part } from '@ams/service';
import { Inject, Injectable } from '@nestjs/common';
import { storableJson } from '@ams/domain';
import { AuthSettings } from './settings.js';

/** As many as a statement should have; the rest is the next batch. */
const batchSize = 512;

const outcomes = ['admitted', 'unauthorized', 'insufficientScope', 'limited', 'unavailable'] as const;

interface Asked {
  request: AdmitRequest;
  since: number;
  answer: (reply: AdmitReply) => void;
}

/** What the statement says of a request with a valid key; there is no row for the others. */
export interface AdmissionRow {
  place: number;
  keyId: string;
  organizationId: string;
  environment: Environment;
  name: string;
  scopes: string[];
  /** The how-manieth request of its window it is. */
  position: number;
  within: boolean;
  /** It has its entry already, and was counted with it. */
  repeated: boolean;
  /** It was given a place in the window, but another attempt of the same request made the entry meanwhile. */
  countedTwice: boolean;
  startedAt: string;
  resetsIn: number;
}

/** $1 the requests as JSON, $2 the limit, $3 the length of a window in seconds. */
const admit = {
  name: 'admit',
  text: `
    WITH asked AS MATERIALIZED (
      SELECT * FROM json_to_recordset($1::json)
        AS asked(place int, use_id uuid, key_hash text, operation text, request_id text, ip text, user_agent text)
    ), known AS MATERIALIZED (
      -- By the index, whatever the planner thinks of the size of the table.
      SELECT asked.*, held.* FROM asked CROSS JOIN LATERAL (
        SELECT id AS key_id, organization_id, environment, name, scopes FROM auth.api_keys
        WHERE key_hash = asked.key_hash AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now()) LIMIT 1
      ) AS held
    ), repeats AS MATERIALIZED (
      SELECT id FROM auth.audit_log WHERE id = ANY (ARRAY(SELECT use_id FROM known))
    ), numbered AS MATERIALIZED (
      SELECT *,
        count(*) FILTER (WHERE NOT repeated) OVER (PARTITION BY organization_id ORDER BY place) AS nth,
        count(*) FILTER (WHERE NOT repeated) OVER (PARTITION BY organization_id) AS fresh
      FROM (SELECT *, use_id IN (SELECT id FROM repeats) AS repeated FROM known) AS marked
    ), windows AS (
      INSERT INTO auth.request_windows AS present (organization_id, started_at, used)
      SELECT DISTINCT ON (organization_id) organization_id, now(), fresh FROM numbered ORDER BY organization_id
      ON CONFLICT (organization_id) DO UPDATE SET
        -- What was refused is not counted further. A window from the future is one from before the clock was set back.
        used = excluded.used + CASE WHEN present.started_at > now() - make_interval(secs => $3) AND present.started_at < now() + interval '10 s'
          THEN least(present.used, $2::int) ELSE 0 END,
        started_at = CASE WHEN present.started_at > now() - make_interval(secs => $3) AND present.started_at < now() + interval '10 s'
          THEN present.started_at ELSE excluded.started_at END
      RETURNING organization_id, started_at, used
    ), decided AS MATERIALIZED (
      SELECT numbered.*, started_at, used - fresh + nth AS position, repeated OR used - fresh + nth <= $2::int AS within
      FROM numbered JOIN windows USING (organization_id)
    ), entered AS (
      INSERT INTO auth.audit_log (id, organization_id, environment, type, occurred_at, actor_type, actor_id, actor_name, ip, user_agent, request_id, resource_type, resource_id)
      SELECT use_id, organization_id, environment, 'api_key.used', now(), 'api_key', 'key_' || replace(key_id::text, '-', ''), name, ip, user_agent, request_id, 'operation', operation
      FROM decided WHERE within AND NOT repeated
      ON CONFLICT (id) DO NOTHING
      RETURNING id
    ), touched AS (
      UPDATE auth.api_keys SET last_used_at = now() WHERE id = ANY (ARRAY(
        SELECT id FROM auth.api_keys
        WHERE id = ANY (ARRAY(SELECT key_id FROM decided WHERE within)) AND (last_used_at IS NULL OR last_used_at < now() - interval '1 s')
        FOR NO KEY UPDATE SKIP LOCKED
      ))
    )
    SELECT place, key_id AS "keyId", organization_id AS "organizationId", environment, name, scopes, position::int, within, repeated,
      within AND NOT repeated AND use_id NOT IN (SELECT id FROM entered) AS "countedTwice",
      started_at::text AS "startedAt", extract(epoch FROM started_at - now())::float8 + $3 AS "resetsIn"
    FROM decided`,
};

@Injectable()
export class Admission implements Part {
  private readonly subscriptions: Subscriptions;
  private waiting: Asked[] = [];
  private working: Promise<void> | null = null;
  private readonly admissions;
  private readonly sizes;
  private readonly durations;

  constructor(
    @Inject(Tokens.broker) broker: NatsConnection,
    @Inject(Tokens.settings) private readonly settings: AuthSettings,
    @Inject(Tokens.log) private readonly log: Logger,
    @Inject(Tokens.metrics) metrics: Metrics,
    @Inject(Database) private readonly database: Database,
  ) {
    this.subscriptions = new Subscriptions(broker, 'auth', log);
    this.admissions = metrics.counter(
      'ams_admissions_total',
      'Requests that asked to be admitted, by what they were answered.',
      ['outcome'],
    );
    for (const outcome of outcomes) this.admissions.inc({ outcome }, 0);
    this.sizes = metrics.sizes('ams_admission_batch_size', 'How many admissions shared a transaction.');
    this.durations = metrics.durations(
      'ams_admission_duration_seconds',
      'From the arrival of an admission to its reply.',
    );
    metrics.gauge('ams_admissions_waiting', 'Admissions that wait for the batch before theirs.', [], (gauge) =>
      gauge.set(this.waiting.length),
    );
  }

  start(): Promise<void> {
    this.subscriptions.serve(admitSubject, (message) => this.admit(message.json<AdmitRequest>()));
    return Promise.resolve();
  }

  async drain(): Promise<void> {
    await this.subscriptions.drain();
    await this.working;
  }

  admit(request: AdmitRequest): Promise<AdmitReply> {
    if (!isWellFormed(request)) {
      this.log.error(
        { operation: request.operation, requestId: request.requestId },
        'a malformed admission was refused',
      );
      this.admissions.inc({ outcome: 'unavailable' });
      return Promise.resolve({ kind: 'unavailable' });
    }
    if (this.waiting.length >= this.settings.admissionQueue) {
      this.admissions.inc({ outcome: 'unavailable' });
      return Promise.resolve({ kind: 'unavailable' });
    }
    return new Promise((resolve) => {
      const since = performance.now();
      const answer = (reply: AdmitReply): void => {
        this.admissions.inc({ outcome: reply.kind });
        this.durations.observe((performance.now() - since) / 1000);
        resolve(reply);
      };
      this.waiting.push({ request, since, answer });
      this.working ??= this.work().finally(() => {
        this.working = null;
      });
    });
  }

  private async work(): Promise<void> {
    // What arrived in the same turn of the event loop goes together.
    await Promise.resolve();
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, batchSize);
      const tooLate = performance.now() - this.settings.admissionTimeoutMs;
      const [timely, late] = [
        batch.filter(({ since }) => since > tooLate),
        batch.filter(({ since }) => since <= tooLate),
      ];
      for (const { answer } of late) answer({ kind: 'unavailable' });
      if (timely.length > 0) await this.settle(timely);
    }
  }

  /** Answers a batch, whatever happens, before the time is up. */
  private async settle(batch: Asked[]): Promise<void> {
    this.sizes.observe(batch.length);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(
        () => reject(new Error('the database did not answer in time')),
        this.settings.admissionTimeoutMs,
      );
    });
    try {
      const replies = await Promise.race([this.decide(batch.map(({ request }) => request)), late]);
      batch.forEach(({ answer }, place) => answer(replies[place] as AdmitReply));
    } catch (error) {
      this.log.error({ err: error, requests: batch.length }, 'requests could not be admitted');
      for (const { answer } of batch) answer({ kind: 'unavailable' });
    } finally {
      clearTimeout(timer);
    }
  }

  private async decide(requests: AdmitRequest[]): Promise<AdmitReply[]> {
    try {
      return await this.ask(requests);
    } catch (error) {
      const code = (error as { code?: string }).code ?? '';
      // A row that cannot be stored shall not take the others with it.
      if (/^2[23]/.test(code) && requests.length > 1) {
        const replies: AdmitReply[] = [];
        for (const request of requests)
          replies.push(...(await this.decide([request]).catch((): AdmitReply[] => [{ kind: 'unavailable' }])));
        return replies;
      }
      // A connection that was lost says nothing about the commit; asking again does no harm.
      const again =
        code === '40P01' || (asFault(error, '').code === 'UNAVAILABLE' && code !== '57014' && code !== '55P03');
      if (!again) throw error;
      return await this.ask(requests);
    }
  }

  private async ask(requests: AdmitRequest[]): Promise<AdmitReply[]> {
    const { apiLimit, apiLimitWindowSeconds } = this.settings;
    const firstOfUse = new Map<string, number>();
    requests.forEach(({ useId }, place) => {
      if (!firstOfUse.has(useId)) firstOfUse.set(useId, place);
    });
    const asked = [...firstOfUse.values()].map((place) => rowOf(requests[place] as AdmitRequest, place));
    const rows = await this.database.query<AdmissionRow>(admit, [storableJson(asked), apiLimit, apiLimitWindowSeconds]);
    await this.giveBack(rows.filter(({ countedTwice }) => countedTwice));
    const byPlace = new Map(rows.map((row) => [row.place, row]));
    return requests.map((request) =>
      replyTo(request, byPlace.get(firstOfUse.get(request.useId) as number), apiLimit, apiLimitWindowSeconds),
    );
  }

  /** Two attempts of one request at the same time: one entry, and one place in the window. */
  private async giveBack(rows: AdmissionRow[]): Promise<void> {
    for (const { organizationId, startedAt } of rows) {
      await this.database.query(
        'UPDATE auth.request_windows SET used = used - 1 WHERE organization_id = $1 AND started_at = $2 AND used > 0',
        [organizationId, startedAt],
      );
    }
  }
}

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const isWellFormed = ({ useId, keyHash, scope, operation }: AdmitRequest): boolean =>
  typeof useId === 'string' &&
  uuidForm.test(useId) &&
  typeof keyHash === 'string' &&
  typeof operation === 'string' &&
  (scope === null || isScope(scope));

const rowOf = ({ useId, keyHash, operation, requestId, ip, userAgent }: AdmitRequest, place: number) => ({
  place,
  use_id: useId,
  key_hash: keyHash,
  operation: operation.slice(0, 100),
  request_id: shortened(requestId, 255),
  ip: shortened(ip, 64),
  user_agent: shortened(userAgent, 512),
});

const perhapsCredential = /svc_|earer |:\/\/|webhook\//;

/** What a client sent, for the audit log: not at any length, and without a credential that got into the wrong place. */
function shortened(text: string | null | undefined, length: number): string | null {
  if (typeof text !== 'string') return null;
  const short = text.slice(0, length);
  return perhapsCredential.test(short) ? withoutCredentials(short) : short;
}

/** The reply to a request, from what the database said of it. */
export function replyTo(
  request: AdmitRequest,
  row: AdmissionRow | undefined,
  limit: number,
  windowSeconds: number,
): AdmitReply {
  if (!row) return { kind: 'unauthorized' };
  const rate: RateLimitState = {
    limit,
    remaining: row.within ? Math.max(0, limit - row.position) : 0,
    resetSeconds: Math.min(windowSeconds, Math.max(1, Math.ceil(row.resetsIn))),
  };
  if (!row.within) return { kind: 'limited', rate };
  const principal: Principal = {
    type: 'api_key',
    id: row.keyId,
    name: row.name,
    organizationId: row.organizationId,
    environment: row.environment,
    scopes: row.scopes,
  };
  return { kind: grants(row.scopes, request.scope) ? 'admitted' : 'insufficientScope', principal, rate };
}
