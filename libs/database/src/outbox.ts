/**
 * The outbox: messages are written in the transaction of the changes that they describe. A relay publishes committed
 * messages in order, and deletes them when NATS has stored them. When a relay ends between the two, the next one
 * publishes the messages again, with the same ids. Audit entries and other messages are in separate queues with a relay
 * each, so a stream that is full holds back its own queue only. One replica relays a queue at a time (an advisory
 * lock), so that the order is kept. A message that NATS can never accept is set aside: it stays in the table with the
 * error.
 */
import { auditSubject } from '@ams/contracts';
import type { Database, Tx } from './database.js';
import { boundedJson } from './outbox-payload.js';
import { serviceRoles } from './roles.js';

export interface OutboxMessage {
  subject: string;
  /** Unchanged when the message is published again. */
  messageId: string;
  payload: unknown;
}

/** Which rows a relay publishes. The indexes of the table have the same conditions. */
export const outboxQueues = {
  events: `subject <> '${auditSubject}' AND set_aside_at IS NULL`,
  audit: `subject = '${auditSubject}' AND set_aside_at IS NULL`,
} as const;

export type OutboxQueue = keyof typeof outboxQueues;

/** A committed message. */
export interface OutboxRow {
  id: string;
  subject: string;
  messageId: string;
  /** The payload as JSON. */
  text: string;
}

export const schemaOf = {
  auth: 'auth',
  'resource-api': 'resources',
  'alert-pipeline': 'alerts',
  'workflow-engine': 'workflows',
} as const;

/** JSON has no control characters, so they can be separated by one. */
const separator = '\x1e';

/** Adds messages. The texts of a payload that is too large are cut (see outbox-payload.ts). */
export async function addToOutbox(
  tx: Tx,
  service: keyof typeof serviceRoles,
  messages: OutboxMessage[],
): Promise<void> {
  if (messages.length === 0) return;
  await tx.query(
    // One text: PostgreSQL parses each payload once, and a list of long texts would have to be escaped.
    {
      name: `add to ${service} outbox`,
      text: `INSERT INTO ${schemaOf[service]}.outbox (subject, message_id, payload) SELECT s, i, p::json
          FROM unnest($1::text[], $2::text[], string_to_array($3, chr(30))) AS m(s, i, p)`,
    },
    [
      messages.map(({ subject }) => subject),
      messages.map(({ messageId }) => messageId),
      messages.map(({ payload }) => boundedJson(payload)).join(separator),
    ],
  );
}

export interface PublishOutcome {
  /** NATS has stored these rows. They are deleted. */
  published: OutboxRow[];
  /** NATS can never accept these rows. They are set aside. */
  refused: { row: OutboxRow; error: string }[];
  /** Why the other rows wait; `undefined` when there are none. */
  failure?: unknown;
}

export interface RelayOptions {
  database: Database;
  queue: OutboxQueue;
  publish: (rows: OutboxRow[]) => Promise<PublishOutcome>;
  log: Record<'warn' | 'error', (facts: Record<string, unknown>, message: string) => void>;
  /** Notes the progress of the rounds, and rounds that fail. */
  clock: Record<'progressed' | 'attempted', () => void>;
  batch?: number;
  /** The polling interval without calls of `publishNow`, in milliseconds. */
  pollMs?: number;
  /**
   * The minimum time between two rounds, in milliseconds, so that a busy relay publishes more in one round. After a
   * round of few rows it is a quarter: there is little to gather.
   */
  paceMs?: number;
}

/** The pause after a failed round doubles up to this time, in milliseconds. */
const longestPauseMs = 2000;

const fewRows = 2;

interface Round {
  /** `elsewhere`: another relay publishes. */
  outcome: 'empty' | 'more' | 'elsewhere';
  /** The rows that were published. */
  rows: number;
}

const nothingFound: Round = { outcome: 'empty', rows: 0 };

export class OutboxRelay {
  private running: Promise<void> | null = null;
  private wake: (() => void) | null = null;
  private stopped = false;
  private isRoundRequested = false;
  private failures = 0;
  private rounds: (() => void)[] = [];

  constructor(private readonly options: RelayOptions) {}

  start(): void {
    this.running ??= this.loop();
  }

  /** Starts a round, because there are new messages. After a failed round, the pause is not shortened. */
  publishNow(): void {
    this.isRoundRequested = true;
    if (this.failures === 0) this.wake?.();
  }

  /** Resolves when everything committed before this call is published, or after the time-out (false). */
  async flushed(timeoutMs: number): Promise<boolean> {
    const done = new Promise<boolean>((resolve) => {
      this.rounds.push(() => resolve(true));
    });
    this.publishNow();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), timeoutMs);
    });
    try {
      return await Promise.race([done, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  async drain(): Promise<void> {
    this.stopped = true;
    this.wake?.();
    await this.running;
  }

  private async loop(): Promise<void> {
    while (!this.stopped) {
      const isRequested = this.isRoundRequested;
      this.isRoundRequested = false;
      const waiting = this.rounds;
      this.rounds = [];
      let pause = this.options.pollMs ?? 500;
      try {
        // A poll rarely finds rows: it looks without a transaction. A row that another relay publishes is there until then.
        const { outcome, rows } = isRequested || (await this.hasRows()) ? await this.round() : nothingFound;
        this.options.clock.progressed();
        this.failures = 0;
        if (outcome === 'empty') for (const done of waiting) done();
        else this.rounds.unshift(...waiting);
        if (outcome === 'more') {
          pause = 0;
          const { paceMs = 0 } = this.options;
          const restMs = rows < fewRows ? paceMs / 4 : paceMs;
          if (restMs > 0 && !this.stopped) await new Promise((resolve) => setTimeout(resolve, restMs));
        }
        if (outcome === 'elsewhere' && this.rounds.length > 0) pause = 20;
      } catch (error) {
        this.options.clock.attempted();
        this.rounds.unshift(...waiting);
        pause = Math.min(pause * 2 ** this.failures++, longestPauseMs);
        this.options.log.warn(
          { err: error, queue: this.options.queue },
          'publishing from the outbox failed; it will be retried',
        );
      }
      if (pause > 0 && (!this.isRoundRequested || this.failures > 0) && !this.stopped) await this.sleep(pause);
    }
  }

  private sleep(ms: number): Promise<void> {
    return new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    }).then(() => {
      this.wake = null;
    });
  }

  private async round(): Promise<Round> {
    const { database, queue, publish, log, batch = 500 } = this.options;
    const table = `${schemaOf[database.service]}.outbox`;
    const outcome = await database.asService(async (tx): Promise<PublishOutcome | 'empty' | 'elsewhere'> => {
      const [lock] = await tx.query<{ held: boolean }>('SELECT pg_try_advisory_xact_lock(hashtext($1)) AS held', [
        `${table} ${queue}`,
      ]);
      if (!lock?.held) return 'elsewhere';
      // Locked, because a relay of an earlier release may publish the same rows.
      const rows = await tx.query<OutboxRow>(
        // The order is that of the column, not of the text that is selected.
        `SELECT o.id::text, subject, message_id AS "messageId", payload::text AS text FROM ${table} o
         WHERE ${outboxQueues[queue]} ORDER BY o.id LIMIT ${batch} FOR UPDATE`,
      );
      if (rows.length === 0) return 'empty';
      const { published, refused, failure } = await publish(rows);
      if (published.length > 0)
        await tx.query(`DELETE FROM ${table} WHERE id = ANY($1::bigint[])`, [published.map(({ id }) => id)]);
      for (const { row, error } of refused)
        await tx.query(`UPDATE ${table} SET set_aside_at = now(), error = $2 WHERE id = $1`, [row.id, error]);
      return { published, refused, failure };
    });
    if (typeof outcome === 'string') return { outcome, rows: 0 };
    for (const { row, error } of outcome.refused)
      log.error({ id: row.id, subject: row.subject, messageId: row.messageId, error }, 'a message was set aside');
    if (outcome.failure !== undefined) throw outcome.failure;
    return { outcome: 'more', rows: outcome.published.length };
  }

  private async hasRows(): Promise<boolean> {
    const { database, queue } = this.options;
    const rows = await database.query(
      `SELECT FROM ${schemaOf[database.service]}.outbox WHERE ${outboxQueues[queue]} LIMIT 1`,
    );
    return rows.length > 0;
  }

  /** The age of the oldest row that waits, in seconds by the clock of the database; null when none waits. */
  async oldestSeconds(): Promise<number | null> {
    const [row] = await this.options.database.query<{ seconds: number | null }>(
      `SELECT extract(epoch FROM clock_timestamp() - created_at)::float8 AS seconds
       FROM ${schemaOf[this.options.database.service]}.outbox WHERE ${outboxQueues[this.options.queue]}
       ORDER BY id LIMIT 1`,
    );
    return row?.seconds ?? null;
  }
}

/** How many rows of the outbox are set aside. */
export async function setAsideRows(database: Database): Promise<number> {
  const [row] = await database.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM ${schemaOf[database.service]}.outbox WHERE set_aside_at IS NOT NULL`,
  );
  return row?.n ?? 0;
}
