/**
 * Periodic tasks, first run at start: creating table partitions in advance, deleting old rows. Several replicas may run
 * them concurrently. A failing task is logged and retried at its next interval, and does not delay other tasks.
 */
import { Database } from '@ams/database';
import { Logger } from '@ams/messaging';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';

export interface HousekeepingTask {
  /** For the log. */
  name: string;
  everyMs: number;
  /** `unfinished`: it is run again soon, after the other tasks. */
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
  ) {}

  /** Call it in the constructor or `onModuleInit` of the module that adds it. */
  add(task: HousekeepingTask): void {
    this.tasks.push(task);
  }

  /** Creates table partitions in advance; `tables` with their schema. */
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

  /** For tasks that delete in batches. */
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
      .then((outcome) => {
        if (outcome === 'unfinished') this.queue(task);
      })
      .catch((error: unknown) =>
        this.log.warn({ err: error, task: task.name }, 'housekeeping failed; it will be retried'),
      );
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    for (const timer of this.timers) clearInterval(timer);
    await this.running;
  }
}
