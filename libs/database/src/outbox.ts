/**
 * The outbox: messages are written in the transaction of the changes that they describe. The relay publishes committed
 * messages in order, and deletes them when NATS has stored them. A relay that ends between the two publishes again,
 * with the same message id. Only one replica relays at a time (an advisory lock), so that the order is kept.
 */
import type { Database, Tx } from './database.js';
import { serviceRoles } from './roles.js';

export interface OutboxMessage {
  subject: string;
  /** Unchanged when the message is published again. */
  messageId: string;
  payload: unknown;
}

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

export async function addToOutbox(
  tx: Tx,
  service: keyof typeof serviceRoles,
  messages: OutboxMessage[],
): Promise<void> {
  if (messages.length === 0) return;
  await tx.query(
    // One JSON text: a list of texts would be escaped twice, which would cost more than everything else here.
    {
      name: `add to ${service} outbox`,
      text: `INSERT INTO ${schemaOf[service]}.outbox (subject, message_id, payload) SELECT m->>0, m->>1, m->2
          FROM json_array_elements($1::json) AS m`,
    },
    [JSON.stringify(messages.map((m) => [m.subject, m.messageId, m.payload]))],
  );
}

export interface RelayOptions {
  database: Database;
  /** Resolves when NATS has stored all of them. */
  publish: (rows: OutboxRow[]) => Promise<void>;
  log: { warn(facts: Record<string, unknown>, message: string): void };
  batch?: number;
  /** The polling interval without calls of `kick`, in milliseconds. */
  pollMs?: number;
  /** The minimum time between two rounds, in milliseconds, so that a busy relay publishes more in one round. */
  paceMs?: number;
}

export class OutboxRelay {
  private running: Promise<void> | null = null;
  private wake: (() => void) | null = null;
  private stopped = false;
  private kicked = false;
  private rounds: (() => void)[] = [];

  constructor(private readonly options: RelayOptions) {}

  start(): void {
    this.running ??= this.loop();
  }

  /** Starts a round, because there are new messages. */
  kick(): void {
    this.kicked = true;
    this.wake?.();
  }

  /** Resolves when everything committed before this call is published, or after the time-out (false). */
  async flushed(timeoutMs: number): Promise<boolean> {
    const done = new Promise<boolean>((resolve) => {
      this.rounds.push(() => resolve(true));
    });
    this.kick();
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
      this.kicked = false;
      const waiting = this.rounds;
      this.rounds = [];
      let pause = this.options.pollMs ?? 500;
      try {
        const outcome = await this.round();
        if (outcome === 'empty') for (const done of waiting) done();
        else this.rounds.unshift(...waiting);
        if (outcome === 'more') {
          pause = 0;
          if (this.options.paceMs && !this.stopped)
            await new Promise((resolve) => setTimeout(resolve, this.options.paceMs));
        }
        if (outcome === 'elsewhere' && this.rounds.length > 0) pause = 20;
      } catch (error) {
        this.rounds.unshift(...waiting);
        this.options.log.warn({ err: error }, 'publishing from the outbox failed; it will be retried');
      }
      if (pause > 0 && !this.kicked && !this.stopped) await this.sleep(pause);
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

  private round(): Promise<'empty' | 'more' | 'elsewhere'> {
    const table = `${schemaOf[this.options.database.service]}.outbox`;
    const batch = this.options.batch ?? 500;
    return this.options.database.asService(async (tx) => {
      const [lock] = await tx.query<{ held: boolean }>('SELECT pg_try_advisory_xact_lock(hashtext($1)) AS held', [
        table,
      ]);
      if (!lock?.held) return 'elsewhere';
      const rows = await tx.query<OutboxRow>(
        `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} ORDER BY id LIMIT ${batch})
            RETURNING id::text, subject, message_id AS "messageId", payload::text AS text`,
      );
      if (rows.length === 0) return 'empty';
      rows.sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
      await this.options.publish(rows);
      return 'more';
    });
  }
}
