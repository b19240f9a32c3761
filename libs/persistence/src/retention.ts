/**
 * Deletes rows that nobody needs any more, each kind after the days of its setting. A step is a transaction that takes
 * some thousand rows at most. Of all replicas one takes a step at a time (an advisory lock of the transaction, so it
 * ends with the connection), and it rests after a step as long as the step took: what is deleted never holds up what is
 * stored. After `roundMs` other tasks of housekeeping have their turn, and then the rest follows.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Database, expiredIdempotencyKeys, type Tx } from '@ams/database';
import { Metrics } from '@ams/service';
import { Injectable } from '@nestjs/common';
import { Housekeeping } from './housekeeping.js';

const hourMs = 3_600_000;
const roundMs = 30_000;

export interface StepTaken {
  /** The number of rows that were deleted, 0 when only months were dropped. */
  removed: number;
  droppedMonths?: number;
  /** Nothing is left to delete at present. */
  isDone: boolean;
}

export interface KeptRows {
  /** The value of the label `kind`. */
  kind: string;
  /** SQL of the age of the oldest row, in seconds: `SELECT … AS age`. No row: the table is empty. */
  oldest: string;
  /** Begins a search for old rows; what it returns takes the next step of it. */
  begin: () => (tx: Tx) => Promise<StepTaken>;
}

/** The number of rows that one statement deletes, so that nobody waits long for its locks. */
export const rowsOfStep = 5000;

/** Steps by one statement that deletes at most `rowsOfStep` rows. */
export const deletedBy =
  (statement: string, params: unknown[] = []) =>
  () =>
  async (tx: Tx): Promise<StepTaken> => {
    const [row] = await tx.query<{ n: number }>(
      `WITH deleted AS (${statement} RETURNING 1) SELECT count(*)::int AS n FROM deleted`,
      params,
    );
    const removed = row?.n ?? 0;
    return { removed, isDone: removed < rowsOfStep };
  };

/** SQL of the age of the first row in the order of `id`, which is a UUIDv7. `time` is a column with its time. */
export const ageOfFirst = (table: string, time: string, id = 'id'): string =>
  `SELECT extract(epoch FROM now() - ${time}) AS age FROM ${table} ORDER BY ${id} LIMIT 1`;

interface Oldest {
  /** Null: there is no row. */
  ageSeconds: number | null;
  readAt: number;
}

@Injectable()
export class Retention {
  private readonly removedRows;
  private readonly droppedMonths;
  private readonly oldest = new Map<string, Oldest>();

  constructor(
    private readonly database: Database,
    private readonly housekeeping: Housekeeping,
    metrics: Metrics,
  ) {
    this.removedRows = metrics.counter('ams_retention_removed_rows_total', 'Rows that were deleted for their age.', [
      'kind',
    ]);
    this.droppedMonths = metrics.counter(
      'ams_retention_dropped_months_total',
      'Monthly partitions that were dropped for their age.',
      ['kind'],
    );
    metrics.gauge(
      'ams_retention_oldest_row_seconds',
      'Age of the oldest row that is kept; no value when it could not be read or there is none.',
      ['kind'],
      (gauge) => {
        gauge.reset();
        for (const [kind, { ageSeconds, readAt }] of this.oldest)
          if (ageSeconds !== null) gauge.set({ kind }, ageSeconds + (performance.now() - readAt) / 1000);
      },
    );
    const { deletion, oldest } = expiredIdempotencyKeys(database.service, rowsOfStep);
    this.add({ kind: 'idempotency keys', oldest, begin: deletedBy(deletion) });
  }

  /** Call it in the constructor of the module or service that owns the rows. */
  add({ kind, oldest, begin }: KeptRows): void {
    let step: ((tx: Tx) => Promise<StepTaken>) | null = null;
    this.housekeeping.add({
      name: `old rows: ${kind}`,
      everyMs: hourMs,
      run: async () => {
        step ??= begin();
        const next = step;
        step = null; // after an error the search begins anew
        if (await this.takeSteps(kind, next)) step = next;
        await this.measure(kind, oldest);
        return step ? 'unfinished' : 'finished';
      },
    });
  }

  /** Rows that another task deletes: it reports how many months it has dropped. */
  addMonths(kind: string, oldest: string, drop: () => Promise<number>): void {
    this.housekeeping.add({
      name: `old rows: ${kind}`,
      everyMs: hourMs,
      run: async () => {
        this.droppedMonths.inc({ kind }, await drop());
        await this.measure(kind, oldest);
      },
    });
  }

  /** True: there is more to delete. */
  private async takeSteps(kind: string, step: (tx: Tx) => Promise<StepTaken>): Promise<boolean> {
    const begun = performance.now();
    while (!this.housekeeping.isStopping) {
      const stepBegun = performance.now();
      const taken = await this.database.asService((tx) => this.alone(kind, tx, step));
      if (!taken) return false;
      const { removed, droppedMonths = 0, isDone } = taken;
      this.removedRows.inc({ kind }, removed);
      this.droppedMonths.inc({ kind }, droppedMonths);
      if (isDone) return false;
      if (performance.now() - begun > roundMs) return true;
      await sleep(performance.now() - stepBegun);
    }
    return false;
  }

  /** Null: another replica takes a step of this kind now. */
  private async alone(kind: string, tx: Tx, step: (tx: Tx) => Promise<StepTaken>): Promise<StepTaken | null> {
    const [lock] = await tx.query<{ held: boolean }>(
      'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS held',
      [`retention ${this.database.service} ${kind}`],
    );
    return lock?.held ? step(tx) : null;
  }

  private async measure(kind: string, oldest: string): Promise<void> {
    this.oldest.delete(kind);
    const readAt = performance.now();
    const [row] = await this.database.query<{ age: string | null }>(oldest);
    this.oldest.set(kind, { ageSeconds: row?.age ? Number(row.age) : null, readAt });
  }
}
