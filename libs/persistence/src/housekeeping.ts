/**
 * Work that is done at intervals, at the start first: partitions ahead of time, rows that are too old. It is harmless when
 * several replicas do it at once. A task that fails is logged and done again the next time; it holds up no other task.
 */
import { Database, deleteExpiredIdempotencyKeys } from '@ams/database';
import { Logger } from '@ams/messaging';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';

export interface HousekeepingTask {
  /** For the log. */
  name: string;
  everyMs: number;
  run: () => Promise<unknown>;
}

const hourMs = 3_600_000;
const monthsAhead = 3;

@Injectable()
export class Housekeeping implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly tasks: HousekeepingTask[] = [];
  private timers: NodeJS.Timeout[] = [];
  private running: Promise<unknown> = Promise.resolve();
  private stopped = false;

  constructor(
    private readonly database: Database,
    private readonly log: Logger,
  ) {
    this.add({
      name: 'expired idempotency keys',
      everyMs: hourMs,
      run: () => database.asService((tx) => deleteExpiredIdempotencyKeys(tx, database.service)),
    });
  }

  /** In the constructor or `onModuleInit` of whoever adds it. */
  add(task: HousekeepingTask): void {
    this.tasks.push(task);
  }

  /** Keeps partitions of these tables ahead of time; `tables` with their schema. */
  keepPartitions(tables: readonly string[], everyMs = hourMs): void {
    const ensure = 'SELECT public.ensure_partitions($1::regclass, now(), $2)';
    this.add({
      name: 'partitions',
      everyMs,
      run: () =>
        this.database.asService(async (tx) => {
          for (const table of tables) await tx.query(ensure, [table, monthsAhead]);
        }),
    });
  }

  /** For tasks that delete in portions. */
  get isStopping(): boolean {
    return this.stopped;
  }

  onApplicationBootstrap(): void {
    for (const task of this.tasks) {
      this.queue(task);
      this.timers.push(setInterval(() => this.queue(task), task.everyMs));
    }
  }

  private queue(task: HousekeepingTask): void {
    this.running = this.running
      .then(() => (this.stopped ? undefined : task.run()))
      .catch((error: unknown) =>
        this.log.warn({ err: error, task: task.name }, 'housekeeping failed; it is tried again'),
      );
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    for (const timer of this.timers) clearInterval(timer);
    await this.running;
  }
}
