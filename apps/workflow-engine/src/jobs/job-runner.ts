/**
 * Durable work, by graphile-worker: jobs are rows of PostgreSQL, so they are made in the transaction of what they follow
 * from, and their delays survive every restart.
 *
 * graphile-worker gives the jobs of a worker that died to others after four hours. Here each process says twice a second
 * that it lives, and whoever finds one that has not said so for a while frees its jobs. A process also frees those that are
 * given to it and that it does not know of: a database that is killed can have given them away, and never have said so. Every
 * job may therefore be begun twice, and is written so that this does no harm.
 */
import type { Tx } from '@ams/database';
import { asFault } from '@ams/messaging';
import { Tokens, type Logger, type Part } from '@ams/service';
import { Inject, Injectable } from '@nestjs/common';
import { Logger as JobLogger, run, type Runner, type TaskList, type WorkerEvents } from 'graphile-worker';
import { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { DatabasePart } from './parts.js';
import type { WorkflowEngineSettings } from './settings.js';

const schema = 'workflow_jobs';
const beatMs = 500;
const deadAfterSeconds = 5;
/** Beats from one look at the jobs that are given to this process to the next. */
const beatsPerLook = 10;
/** How long a runner may take to stop: one to which the database fails just then may never say that it has. */
const stopMs = 10_000;
/** Beats without a fetch, of a runner that fetches every second when it has nothing to do. */
const beatsUntilStuck = 12;

/** What fails although everything is there fails for good at this attempt, some 80 seconds after the first. */
const attemptsWithFaults = 5;
/** While something is away, each attempt counts as this one: graphile-worker waits exp(2) seconds, not hours in the end. */
const attemptWhileAway = 2;

export interface Jobs {
  /** Goes on with a run. */
  advance: { runId: string };
  /** Makes one attempt to send a notification. */
  sendNotification: { notificationId: string };
}

/** Jobs that an earlier release added and that may still wait. They are done, and none are added. */
export interface FormerJobs {
  /** The old name of `sendNotification`. */
  deliver: { deliveryId: string };
}

type AllJobs = Jobs & FormerJobs;

/**
 * Adds jobs to the transaction, or moves those of the same name to this time. `at` is null for now. The name of a job is
 * what it is about: no two of the same wait. One that is being done stays, and the new one is done after it or beside it.
 */
export async function addJobs<Name extends keyof Jobs>(
  tx: Pick<Tx, 'query'>,
  name: Name,
  payloads: readonly Jobs[Name][],
  at: Date | null = null,
): Promise<void> {
  if (payloads.length === 0) return;
  const jobs = payloads.map((payload) => ({ payload, key: `${name}:${Object.values(payload).join(':')}` }));
  await tx.query(
    `SELECT FROM ${schema}.add_jobs(ARRAY(
       SELECT ROW($1, j.payload, NULL, coalesce($3::timestamptz, now()), 1000, j.key, 0, NULL)::${schema}.job_spec FROM json_to_recordset($2::json) AS j(payload json, key text)
     ))`,
    [name, JSON.stringify(jobs), at],
  );
}

export const addJob = <Name extends keyof Jobs>(
  tx: Pick<Tx, 'query'>,
  name: Name,
  payload: Jobs[Name],
  at: Date | null = null,
): Promise<void> => addJobs(tx, name, [payload], at);

interface Backgrounding {
  background(promise: Promise<unknown>): void;
}

/**
 * A queue that is stopped with jobs in it gives them back by a promise that it then refuses to mind (`background` throws once
 * it is released). When the database is away just then, the failure would be nobody's, and end the process.
 */
function minded(queue: Backgrounding): void {
  const background = queue.background.bind(queue);
  queue.background = (promise) => {
    promise.catch(() => undefined);
    background(promise);
  };
}

@Injectable()
export class JobRunner implements Part {
  private readonly tasks: TaskList = {};
  private pool: pg.Pool | null = null;
  private runner: Runner | null = null;
  /** What graphile-worker calls this process in the rows that it works on. */
  private poolId: string | null = null;
  /** The ids of the jobs that were given to this process, and that it has not done. */
  private readonly held = new Set<string>();
  private beats = 0;
  private idle = true;
  private beatsSinceFetch = 0;
  private stopped = false;
  private running: Promise<void> = Promise.resolve();
  private heart: NodeJS.Timeout | undefined;
  private beating: Promise<void> | null = null;
  /** Waits for the runner no longer. */
  private abandon: () => void = () => undefined;

  constructor(
    @Inject(Tokens.settings) private readonly settings: WorkflowEngineSettings,
    @Inject(Tokens.log) private readonly log: Logger,
    @Inject(DatabasePart) private readonly databasePart: DatabasePart,
  ) {}

  /**
   * Says how a kind of job is done, and what is done when that failed for good; before `start`. Work that throws is done
   * again: for as long as the database, the broker or another service is away, else a few times.
   */
  handle<Name extends keyof AllJobs>(
    name: Name,
    work: (payload: AllJobs[Name]) => Promise<void>,
    giveUp: (payload: AllJobs[Name]) => Promise<void>,
  ): void {
    this.tasks[name] = async (input, { job }) => {
      const payload = input as AllJobs[Name];
      try {
        await work(payload);
      } catch (error) {
        if (asFault(error, job.id).code === 'UNAVAILABLE') {
          await this.databasePart.database.query(
            `UPDATE ${schema}._private_jobs SET attempts = least(attempts, ${attemptWhileAway}) WHERE id = $1 AND key IS NOT NULL`,
            [job.id],
          );
          throw error;
        }
        this.log.error({ err: error, job: name, payload, attempt: job.attempts }, 'a job failed');
        if (job.attempts < attemptsWithFaults) throw error;
        await giveUp(payload);
      }
    };
  }

  async start(): Promise<void> {
    this.pool = new pg.Pool({
      connectionString: this.settings.databaseUrl,
      max: 6,
      application_name: 'workflow-engine jobs',
      connectionTimeoutMillis: 3000,
      keepAlive: true,
    });
    const isLost = (error: Error): void => this.log.warn({ err: error }, 'a database connection of the jobs was lost');
    this.pool.on('error', isLost).on('connect', (client) => client.on('error', isLost));
    const ended = await this.begin();
    this.running = this.goOn(ended);
    this.heart = setInterval(() => {
      this.beating ??= this.beat()
        .catch((error: unknown) => this.log.warn({ err: error }, 'could not say that this replica lives'))
        .finally(() => {
          this.beating = null;
        });
    }, beatMs);
  }

  trouble(): string | null {
    return this.runner ? null : 'the jobs do not run';
  }

  /** Begins to work; what it answers waits for the end. */
  private async begin(): Promise<() => Promise<void>> {
    const { workflowConcurrency: concurrency } = this.settings;
    const events: WorkerEvents = new EventEmitter();
    this.held.clear();
    this.beatsSinceFetch = 0;
    events.on('localQueue:init', ({ localQueue }) => minded(localQueue as unknown as Backgrounding));
    events.on('localQueue:setMode', ({ newMode }) => {
      this.idle = newMode === 'POLLING';
      this.beatsSinceFetch = 0;
    });
    events.on('pool:create', ({ workerPool }) => (this.poolId = workerPool.id));
    events.on('localQueue:getJobs:complete', ({ jobs }) => {
      this.beatsSinceFetch = 0;
      for (const { id } of jobs) this.held.add(String(id));
    });
    events.on('localQueue:returnJobs', ({ jobs }) => jobs.forEach(({ id }) => this.held.delete(String(id))));
    events.on('job:complete', ({ job }) => this.held.delete(String(job.id)));
    const runner = await run({
      pgPool: this.pool as pg.Pool,
      noHandleSignals: true,
      crontab: '',
      taskList: this.tasks,
      events,
      logger: new JobLogger(() => (level, message) => this.log.debug({ level, detail: message }, 'job queue')),
      // Jobs are fetched together and ended together. Ending them one by one (-1) would end the process when it fails.
      preset: {
        worker: {
          schema,
          concurrentJobs: concurrency,
          pollInterval: 1000,
          localQueue: { size: concurrency },
          completeJobBatchDelay: 0,
          failJobBatchDelay: 0,
        },
      },
    });
    this.runner = runner;
    if (this.stopped) await runner.stop();
    else await this.beat();
    return () => runner.promise;
  }

  /** When the database goes away graphile-worker may give up; this does not. */
  private async goOn(first: () => Promise<void>): Promise<void> {
    let ended: (() => Promise<void>) | null = first;
    while (!this.stopped) {
      try {
        const over = (ended ?? (await this.begin()))();
        await Promise.race([over, new Promise<void>((resolve) => (this.abandon = resolve))]);
      } catch (error) {
        this.log.warn({ err: error }, 'the jobs have stopped; starting them again');
      }
      this.runner = null;
      ended = null;
      if (!this.stopped) await pause(500);
    }
  }

  /** Says that this process lives, and frees the jobs of those that do not say so any more. */
  private async beat(): Promise<void> {
    const { database } = this.databasePart;
    await database.query(
      'INSERT INTO workflows.replicas (id, seen_at) VALUES ($1, clock_timestamp()) ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at',
      [this.poolId],
    );
    this.unstick();
    if (this.beats++ % beatsPerLook === 0) await this.freeUnknown();
    const gone = await database.query<{ id: string }>(
      `SELECT id FROM workflows.replicas WHERE seen_at < clock_timestamp() - interval '${deadAfterSeconds} s'`,
    );
    if (gone.length === 0) return;
    const ids = gone.map(({ id }) => id);
    await database.query(`SELECT ${schema}.force_unlock_workers($1::text[])`, [ids]);
    await database.query(
      `DELETE FROM workflows.replicas WHERE id = ANY($1::text[]) AND seen_at < clock_timestamp() - interval '${deadAfterSeconds} s'`,
      [ids],
    );
    this.log.info({ replicas: ids }, 'replicas are gone; others do what they had begun');
  }

  /**
   * A runner whose very first question fails keeps that failure as the answer (its `getTaskDetails`), and fetches nothing ever
   * after. It is stopped, and another begins. Asked when the database has just answered.
   */
  private unstick(): void {
    if (!this.runner || !this.idle || ++this.beatsSinceFetch < beatsUntilStuck) return;
    this.beatsSinceFetch = 0;
    this.log.warn({}, 'no jobs are fetched although the database answers; beginning anew');
    void this.stopRunner(this.runner);
  }

  /** Waits for what it has begun, but not for ever. What it leaves behind is done by others. */
  private async stopRunner(runner: Runner): Promise<void> {
    const { abandon } = this;
    const stopped = runner
      .stop()
      .catch((error: unknown) => this.log.warn({ err: error }, 'the jobs could not be stopped in order'));
    await Promise.race([stopped, pause(stopMs, undefined, { ref: false })]);
    abandon();
  }

  /** Frees what is given to this process, for some time already, and is not known here. */
  private async freeUnknown(): Promise<void> {
    const freed = await this.databasePart.database.query<{ id: string }>(
      `UPDATE ${schema}._private_jobs SET locked_at = NULL, locked_by = NULL
       WHERE locked_by = $1 AND locked_at < clock_timestamp() - interval '${deadAfterSeconds} s' AND id <> ALL($2::bigint[]) RETURNING id`,
      [this.poolId, [...this.held]],
    );
    if (freed.length > 0)
      this.log.warn(
        { jobs: freed.length },
        'jobs were given to this replica that it never heard of; they are free again',
      );
  }

  async drain(): Promise<void> {
    this.stopped = true;
    clearInterval(this.heart);
    if (this.runner) await this.stopRunner(this.runner);
    await this.running;
    await this.beating;
    await this.leave().catch((error: unknown) =>
      this.log.warn({ err: error }, 'jobs of this replica may be left; others free them in a few seconds'),
    );
    await Promise.race([this.pool?.end(), pause(stopMs, undefined, { ref: false })]);
  }

  /** Frees what could not be given back. Only then does it stop saying that it was here: others would look after it no more. */
  private async leave(): Promise<void> {
    const { database } = this.databasePart;
    await database.query(`SELECT ${schema}.force_unlock_workers(ARRAY[$1])`, [this.poolId]);
    await database.query('DELETE FROM workflows.replicas WHERE id = $1', [this.poolId]);
  }
}
