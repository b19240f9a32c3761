/**
 * Admission of requests to the v1 API: who owns the key, whether it has the scope, and whether the rate limit allows
 * the request. Each request is admitted once, so this is a hot path, in SQL (`admit-statement.ts`).
 *
 * Requests that arrive while a batch is being admitted form the next batch. There is no timer: an idle service does not
 * wait, and a busy service admits many requests in one commit. A batch is one statement and so one transaction: a
 * client cannot hold a lock between two statements, the limit is exact over any number of replicas, and the
 * `api_key.used` entry is stored before the reply is sent. The statement may be repeated: a request that has its entry
 * already gets no second one and is not counted again. When two attempts of a request run at the same time, the
 * statement of the second one fails as a whole and is repeated, so no count has to be given back.
 *
 * Requests of keys and of people who are signed in have a statement each, so that neither costs the other anything.
 */
import { isUuid, type AdmitReply, type AdmitRequest } from '@ams/contracts';
import { Database, isMessageFault } from '@ams/database';
import { storableJson } from '@ams/domain';
import { asFault } from '@ams/messaging';
import { environments, isScope } from '@ams/scopes';
import { Logger, Metrics } from '@ams/service';
import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { AuthSettings } from '../settings.js';
import { replyTo, replyToMember, type RateLimit } from './admit-reply.js';
import {
  admitSessionStatement,
  sessionStatementRow,
  type SessionAdmissionRow,
  type SessionAdmitRequest,
} from './admit-session-statement.js';
import {
  admitStatement,
  metAnotherAttempt,
  statementRow,
  type AdmissionRow,
  type KeyAdmitRequest,
} from './admit-statement.js';
import { RefusedRequests } from './refused-requests.js';

const maxBatch = 512;
const replyKinds = ['admitted', 'unauthorized', 'insufficientScope', 'limited', 'unavailable'] as const;
const unavailable: AdmitReply = { kind: 'unavailable' };

interface WaitingRequest {
  request: AdmitRequest;
  /** By `performance.now()`. */
  arrivedAt: number;
  reply: (reply: AdmitReply) => void;
}

@Injectable()
export class AdmissionService implements BeforeApplicationShutdown {
  private readonly waiting: WaitingRequest[] = [];
  private working: Promise<void> | null = null;
  private readonly limit: RateLimit;
  private readonly memberLimit: RateLimit;
  private readonly admissions;
  private readonly batchSizes;
  private readonly durations;

  constructor(
    private readonly settings: AuthSettings,
    private readonly database: Database,
    private readonly log: Logger,
    private readonly refused: RefusedRequests,
    metrics: Metrics,
  ) {
    this.limit = { requests: settings.apiLimit, windowSeconds: settings.apiLimitWindowSeconds };
    this.memberLimit = { ...this.limit, requests: settings.memberLimit };
    this.admissions = metrics.counter('ams_admissions_total', 'Requests for admission, by the kind of the reply.', [
      'outcome',
    ]);
    for (const outcome of replyKinds) this.admissions.inc({ outcome }, 0);
    this.batchSizes = metrics.sizes('ams_admission_batch_size', 'How many admissions shared a transaction.');
    this.durations = metrics.durations(
      'ams_admission_duration_seconds',
      'From the arrival of a request for admission to its reply.',
    );
    metrics.gauge('ams_admissions_waiting', 'Requests for admission that wait for their batch.', [], (gauge) =>
      gauge.set(this.waiting.length),
    );
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.working;
  }

  /** Never throws. The reply is `unavailable` when there is no decision in time. */
  async admit(request: AdmitRequest): Promise<AdmitReply> {
    if (!isWellFormed(request)) {
      const { operation, requestId } = request;
      this.log.error({ operation, requestId }, 'a malformed request for admission was refused');
      return this.refuse();
    }
    if (this.waiting.length >= this.settings.admissionQueue) return this.refuse();
    return new Promise((resolve) => {
      const arrivedAt = performance.now();
      const reply = (answer: AdmitReply): void => {
        this.admissions.inc({ outcome: answer.kind });
        this.refused.note(request, answer);
        this.durations.observe((performance.now() - arrivedAt) / 1000);
        resolve(answer);
      };
      this.waiting.push({ request, arrivedAt, reply });
      this.working ??= this.work().finally(() => {
        this.working = null;
      });
    });
  }

  private refuse(): AdmitReply {
    this.admissions.inc({ outcome: 'unavailable' });
    return unavailable;
  }

  private async work(): Promise<void> {
    await Promise.resolve(); // requests of the same turn of the event loop share the batch
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, maxBatch);
      const deadline = performance.now() - this.settings.admissionTimeoutMs;
      const timely = batch.filter(({ arrivedAt }) => arrivedAt > deadline);
      for (const { arrivedAt, reply } of batch) if (arrivedAt <= deadline) reply(unavailable);
      const ofKeys = timely.filter(({ request }) => 'keyHash' in request);
      const ofSessions = timely.filter(({ request }) => 'sessionHash' in request);
      await Promise.all(
        [ofKeys, ofSessions].filter(({ length }) => length > 0).map((alike) => this.replyToBatch(alike)),
      );
    }
  }

  /** Replies to each request of the batch, after ADMISSION_TIMEOUT_MS at the latest. */
  private async replyToBatch(batch: WaitingRequest[]): Promise<void> {
    this.batchSizes.observe(batch.length);
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_resolve, reject) => {
      const error = new Error('the database did not answer in time');
      timer = setTimeout(() => reject(error), this.settings.admissionTimeoutMs);
    });
    try {
      const replies = await Promise.race([this.decide(batch.map(({ request }) => request)), timeout]);
      batch.forEach(({ reply }, index) => reply(replies[index] ?? unavailable));
    } catch (error) {
      this.log.error({ err: error, requests: batch.length }, 'requests could not be admitted');
      for (const { reply } of batch) reply(unavailable);
    } finally {
      clearTimeout(timer);
    }
  }

  /** One reply for each request. Repeats the statement after an error that may be temporary. */
  private async decide(requests: AdmitRequest[]): Promise<AdmitReply[]> {
    try {
      return await this.query(requests);
    } catch (error) {
      // Each time at least one more request has its entry, so this ends.
      if (metAnotherAttempt(error)) return this.decide(requests);
      if (isMessageFault(error) && requests.length > 1) return this.decideEach(requests);
      if (!mayBeRepeated(error)) throw error;
      return await this.query(requests);
    }
  }

  /** A request with a value that cannot be stored does not fail the others of its batch. */
  private async decideEach(requests: AdmitRequest[]): Promise<AdmitReply[]> {
    const replies: AdmitReply[] = [];
    for (const request of requests) {
      replies.push(...(await this.decide([request]).catch((): AdmitReply[] => [unavailable])));
    }
    return replies;
  }

  /** All requests have keys, or all have sessions. */
  private query(requests: AdmitRequest[]): Promise<AdmitReply[]> {
    const ofKeys = requests.filter((request) => 'keyHash' in request);
    return ofKeys.length > 0
      ? this.queryKeys(ofKeys)
      : this.querySessions(requests.filter((request) => 'sessionHash' in request));
  }

  private async querySessions(requests: SessionAdmitRequest[]): Promise<AdmitReply[]> {
    const { requests: limit, windowSeconds } = this.memberLimit;
    const { idleSeconds, lifeSeconds } = this.settings.sessions;
    const rows = await this.database.query<SessionAdmissionRow>(admitSessionStatement, [
      storableJson(requests.map(sessionStatementRow)),
      limit,
      windowSeconds,
      idleSeconds,
      lifeSeconds,
    ]);
    const rowOfIndex = new Map(rows.map((row) => [row.index, row]));
    return requests.map((request, index) => replyToMember(request, rowOfIndex.get(index), this.memberLimit));
  }

  private async queryKeys(requests: KeyAdmitRequest[]): Promise<AdmitReply[]> {
    const firstOfUse = new Map<string, number>();
    requests.forEach(({ useId }, index) => {
      if (!firstOfUse.has(useId)) firstOfUse.set(useId, index);
    });
    const distinct = [...firstOfUse.values()].map((index) => statementRow(requests[index] as KeyAdmitRequest, index));
    const { requests: limit, windowSeconds } = this.limit;
    const rows = await this.database.query<AdmissionRow>(admitStatement, [
      storableJson(distinct),
      limit,
      windowSeconds,
    ]);
    const rowOfIndex = new Map(rows.map((row) => [row.index, row]));
    return requests.map((request) =>
      replyTo(request, rowOfIndex.get(firstOfUse.get(request.useId) as number), this.limit),
    );
  }
}

/**
 * A deadlock, or a lost connection (then it is unknown whether the statement was committed). A statement or lock
 * time-out is not temporary: the time for the reply is over.
 */
function mayBeRepeated(error: unknown): boolean {
  const { code } = error as { code?: string };
  return code === '40P01' || (asFault(error, '').code === 'UNAVAILABLE' && code !== '57014' && code !== '55P03');
}

const isWellFormed = (request: AdmitRequest): boolean =>
  isUuid(request.useId) &&
  typeof request.operation === 'string' &&
  (request.scope === null || isScope(request.scope)) &&
  ('keyHash' in request
    ? typeof request.keyHash === 'string'
    : typeof request.sessionHash === 'string' && environments.includes(request.environment));
