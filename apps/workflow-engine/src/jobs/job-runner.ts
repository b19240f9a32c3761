/**
 * Does the jobs of the engine with graphile-worker. Jobs are rows of PostgreSQL: they are added in the transaction
 * that makes them necessary, and their delays survive every restart.
 *
 * graphile-worker gives the jobs of a worker that died to other workers after four hours. Here each replica writes a
 * heartbeat twice a second, on its own connection, and unlocks the jobs of replicas whose heartbeats have stopped. A
 * replica also unlocks jobs that are locked for it and that it has not fetched: a database that was killed may have
 * locked them without an answer. So a job may begin twice, and must be written so that this changes nothing.
 *
 * A storm of one team delays no other: a replica fetches many more jobs than it does at the same time, and does them in
 * turns of organizations and teams (`FairQueue`). What is fetched is limited for each of them (held-jobs.ts). Jobs that
 * give way leave processors idle while other organizations are active.
 */
import { Database, FairSlots, isMessageFault } from '@ams/database';
import type { GivesWay, Share } from '@ams/domain';
import { NatsConnection, onConnectionChange, OrganizationActivity, whenAvailable, WorkClock } from '@ams/messaging';
import { HeartbeatDatabase } from '@ams/persistence';
import { Liveness, Logger, Metrics, Readiness } from '@ams/service';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { continueTrace, endSpan, SpanKind, within, type Span } from '@ams/tracing';
import { Logger as JobLogger, run, type Runner, type TaskList, type WorkerEvents } from 'graphile-worker';
import { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { WorkflowEngineSettings } from '../settings.js';
import { HeldJobs } from './held-jobs.js';
import { openJobConnections } from './job-connections.js';
import { JobMetrics } from './job-metrics.js';
import { jobIndexes, jobSchema, runningShare, type AllJobs, type OfShare } from './jobs.js';
import { restForEach } from './rests.js';
import { PostponedJobs } from './postponed-jobs.js';
import { rememberNotifications } from './remember-notifications.js';

const heartbeatMs = 500;
const deadAfterSeconds = 5;
/** Heartbeats from one check for unknown jobs to the next. */
const heartbeatsPerCheck = 10;
/** How long a runner may take to stop. If the database fails at that time, it may never stop. */
const stopMs = 10_000;
/** The same for a runner that stops by itself, because it could not store the end of a job. */
const ownStopMs = 2000;
/** Heartbeats without a fetch. A runner fetches every second when it has nothing to do. */
const heartbeatsUntilStuck = 12;

/** The last attempt of a job that is itself at fault, after some 80 seconds. */
const attemptsWithFaults = 5;
/** After any other error each attempt counts as this one: graphile-worker waits exp(2) seconds, never hours. */
const attemptWithoutFault = 2;

/** The jobs that a replica holds, for each one that it may do at the same time. */
const heldForEach = 10;
/** The jobs of one fetch. */
const fetchSize = 100;
/** After a fetch of few jobs the next one waits for more, and jobs that have ended are deleted together. */
const gatherMs = 20;
const fewJobs = 20;
/** Much longer than deleting takes, and shorter than the first pause of a job that failed. */
const endedKnownMs = 2000;
/** The parts of the jobs at the same time that one organization, and one team, may have. */
const shareOfOrganization = 0.5;
const shareOfTeam = 0.25;
/** The jobs of one organization at the same time that give way to others (`GivesWay`). */
const fewJobsAtOnce = 2;
/** Jobs that an earlier release has added take their turn together. */
const unknownShare: Share = { organization: '', team: '' };

/** A replica without NATS for this long does no jobs: almost all of them need NATS, and others can do them. */
const withoutNatsMs = 2000;

/** A job that waited for its turn when the replica stopped. Another one does it. */
class NotBegun extends Error {
  override readonly name = 'NotBegun';
}

/** The rest of a job that waits for something in this process, which limits how many go on. It needs no turn then. */
export interface Later {
  ready: Promise<void>;
  work: () => Promise<void>;
}

const spanOfJob = (name: string, attempt: number, ids: object) => ({
  name: `job ${name}`,
  kind: SpanKind.CONSUMER,
  attributes: {
    'ams.job': name,
    'ams.job.attempt': attempt,
    ...Object.fromEntries(Object.entries(ids).map(([id, value]) => [`ams.job.${id}`, String(value)])),
  },
});

interface Backgrounding {
  background(promise: Promise<unknown>): void;
}

/**
 * A queue that is stopped with jobs in it returns them by a promise. When the queue has been released, `background`
 * throws and handles no rejection. If the database is unavailable at that time, the rejection would end the process.
 */
function handleRejections(queue: Backgrounding): void {
  const background = queue.background.bind(queue);
  queue.background = (promise) => {
    promise.catch(() => undefined);
    background(promise);
  };
}

@Injectable()
export class JobRunner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly tasks: TaskList = {};
  private runner: Runner | null = null;
  /** The name of this replica in the rows that graphile-worker locks. */
  private poolId: string | null = null;
  /** The ids of the jobs that this replica has fetched and not completed. */
  private readonly fetched = new Set<string>();
  /** The ids of jobs that waited for their turn when this replica stopped. */
  private readonly notBegun: string[] = [];
  private readonly turns: FairSlots;
  /** The turns of jobs that give way, before the turn of every job. */
  private readonly givingWay: Record<GivesWay, FairSlots>;
  /** End the wait of jobs whose rest is not ready. */
  private readonly waiting = new Set<(error: Error) => void>();
  private readonly held: HeldJobs;
  private readonly postponed: PostponedJobs;
  private readonly metrics: JobMetrics;
  private heartbeatCount = 0;
  /** Progress is a fetch, or a job that ended. */
  private readonly clock = new WorkClock();
  private idle = true;
  private heartbeatsSinceFetch = 0;
  /** Null while NATS is connected. */
  private natsLostAt: number | null = null;
  private stopped = false;
  private running: Promise<void> = Promise.resolve();
  private timer: NodeJS.Timeout | undefined;
  private heartbeatInProgress: Promise<void> | null = null;
  /** Stops waiting for the runner. */
  private abandon: () => void = () => undefined;

  constructor(
    private readonly settings: WorkflowEngineSettings,
    private readonly log: Logger,
    private readonly database: Database,
    private readonly heartbeats: HeartbeatDatabase,
    private readonly activity: OrganizationActivity,
    nats: NatsConnection,
    readiness: Readiness,
    liveness: Liveness,
    metrics: Metrics,
  ) {
    const { workflowConcurrency: total } = settings;
    const organization = Math.ceil(total * shareOfOrganization);
    this.turns = new FairSlots({ total, organization, team: Math.ceil(total * shareOfTeam) });
    this.givingWay = {
      few: new FairSlots({ total, organization: fewJobsAtOnce, team: fewJobsAtOnce }),
      rest: new FairSlots({ total, organization: 1, team: 1 }),
    };
    this.held = new HeldJobs(total * heldForEach);
    this.postponed = new PostponedJobs(database);
    this.metrics = new JobMetrics(metrics, { replica: this.turns, ...this.givingWay }, heartbeats, log);
    liveness.watch('job queue', () => [this.clock]);
    readiness.add('jobs', () => (this.runner ? null : 'jobs are not running'));
    onConnectionChange(nats, (isConnected) => {
      this.natsLostAt = isConnected ? null : (this.natsLostAt ?? performance.now());
    });
  }

  /**
   * Sets how jobs with this name are done, and what happens after the last attempt. To be called in a constructor or in
   * `onModuleInit`. Work that throws is repeated: a few times when its data is at fault (`isMessageFault`), otherwise
   * without end.
   */
  handle<Name extends keyof AllJobs>(
    name: Name,
    work: (payload: AllJobs[Name]) => Promise<Later | void>,
    giveUp: (payload: AllJobs[Name]) => Promise<void>,
  ): void {
    this.tasks[name] = async (input, { job }) => {
      const { share = unknownShare, traceContext, ...rest } = input as AllJobs[Name] & OfShare;
      const payload = rest as unknown as AllJobs[Name];
      const at = this.held.enter(share, Date.now());
      if (at !== null) {
        this.metrics.postponed.inc({ job: name });
        return this.postponed.add(name, { payload: { ...payload, share, traceContext }, at: new Date(at) });
      }
      const span = continueTrace(traceContext ?? {}, () => spanOfJob(name, job.attempts, payload));
      let failure: { error: unknown } | undefined;
      try {
        const later = await this.inTurn(share, () => {
          this.metrics.begins(name, job);
          return this.forShare(share, span, () => work(payload));
        });
        if (later) {
          await this.unlessStopped(later.ready);
          await this.forShare(share, span, later.work);
        }
      } catch (error) {
        failure = { error };
        if (error instanceof NotBegun) {
          this.notBegun.push(job.id);
          throw error;
        }
        if (!isMessageFault(error)) {
          await this.database.sharing(share, () =>
            this.database.query(
              `UPDATE ${jobSchema}._private_jobs SET attempts = least(attempts, ${attemptWithoutFault})
               WHERE id = $1 AND key IS NOT NULL`,
              [job.id],
            ),
          );
          throw error;
        }
        this.log.error({ err: error, job: name, payload, attempt: job.attempts }, 'a job failed');
        if (job.attempts < attemptsWithFaults) throw error;
        await giveUp(payload);
      } finally {
        endSpan(span, failure);
        this.held.leave(share);
      }
    };
  }

  private inTurn<T>(share: Share, work: () => Promise<T>): Promise<T> {
    const inTurn = (): Promise<T> => this.turns.run(share, work);
    const { organization, givesWay } = share;
    if (!givesWay || !this.activity.isAnyBeside(organization, performance.now())) return inTurn();
    return this.givingWay[givesWay].run(share, inTurn, restForEach(this.database, organization, givesWay));
  }

  private forShare<T>(share: Share, span: Span | undefined, work: () => Promise<T>): Promise<T> {
    return runningShare.run(share, () => within(span, () => this.database.sharing(share, work)));
  }

  private unlessStopped(ready: Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.stopped) return reject(new NotBegun('the replica stops'));
      this.waiting.add(reject);
      void ready.then(resolve, reject).finally(() => this.waiting.delete(reject));
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    const ended = await whenAvailable(this.log, () => this.begin());
    this.running = this.keepRunning(ended);
    this.metrics.start();
    this.timer = setInterval(() => {
      this.heartbeatInProgress ??= this.heartbeat()
        .catch((error: unknown) => this.heartbeatFailed(error))
        .finally(() => {
          this.heartbeatInProgress = null;
        });
    }, heartbeatMs);
  }

  /** Starts a runner; what it returns waits for its end. */
  private async begin(): Promise<() => Promise<void>> {
    const { workflowConcurrency: concurrency } = this.settings;
    const events: WorkerEvents = new EventEmitter();
    this.fetched.clear();
    this.heartbeatsSinceFetch = 0;
    rememberNotifications(events);
    events.on('localQueue:init', ({ localQueue }) => handleRejections(localQueue as unknown as Backgrounding));
    const abandoned = new Promise<void>((resolve) => (this.abandon = resolve));
    const { abandon } = this;
    events.on('localQueue:setMode', ({ newMode }) => {
      if (this.abandon !== abandon) return; // another runner has begun
      this.idle = newMode === 'POLLING';
      this.heartbeatsSinceFetch = 0;
    });
    events.on('pool:create', ({ workerPool }) => (this.poolId = workerPool.id));
    events.on('pool:gracefulShutdown', () => {
      // beforeApplicationShutdown has a time limit of its own
      if (!this.stopped) setTimeout(abandon, ownStopMs).unref();
    });
    events.on('localQueue:getJobs:complete', ({ jobs }) => {
      this.clock.progressed();
      this.heartbeatsSinceFetch = 0;
      for (const { id } of jobs) this.fetched.add(String(id));
    });
    events.on('localQueue:returnJobs', ({ jobs }) => jobs.forEach(({ id }) => this.fetched.delete(String(id))));
    events.on('job:complete', ({ job }) => {
      this.clock.progressed();
      // Its row is deleted a moment later. Until then it is not one that this replica does not know.
      setTimeout(() => this.fetched.delete(String(job.id)), endedKnownMs).unref();
    });
    const connections = openJobConnections(this.settings, this.log);
    const runner = await run({
      pgPool: connections.pool,
      noHandleSignals: true,
      crontab: '',
      taskList: this.tasks,
      events,
      logger: new JobLogger(() => (level, message) => this.log.debug({ level, detail: message }, 'job queue')),
      // Jobs are fetched together and ended together. Ending them one by one (-1) would end the process when it fails.
      preset: {
        worker: {
          schema: jobSchema,
          concurrentJobs: concurrency * heldForEach,
          pollInterval: 1000,
          localQueue: {
            size: Math.min(fetchSize, concurrency * heldForEach),
            refetchDelay: { durationMs: gatherMs, threshold: fewJobs },
          },
          completeJobBatchDelay: gatherMs,
          failJobBatchDelay: 0,
        },
      },
    }).catch((error: unknown) => {
      connections.close();
      throw error;
    });
    this.runner = runner;
    await this.ensureIndexes();
    if (this.stopped) await runner.stop();
    else await this.heartbeat().catch((error: unknown) => this.heartbeatFailed(error));
    return async () => {
      try {
        await Promise.race([runner.promise, abandoned]);
      } finally {
        connections.close();
      }
    };
  }

  /** Without them counting is slow, and nothing else. */
  private async ensureIndexes(): Promise<void> {
    for (const [name, columns] of Object.entries(jobIndexes)) {
      try {
        const [found] = await this.database.query('SELECT WHERE to_regclass($1) IS NOT NULL', [`${jobSchema}.${name}`]);
        if (!found)
          await this.database.query(
            `CREATE INDEX IF NOT EXISTS ${name} ON ${jobSchema}._private_jobs ${columns} WHERE is_available`,
          );
      } catch (error) {
        this.log.warn({ err: error, index: name }, 'an index of jobs could not be made');
      }
    }
  }

  private heartbeatFailed(error: unknown): void {
    this.log.warn({ err: error }, 'the heartbeat of this replica failed');
  }

  /** graphile-worker may end when the database is unavailable; then another runner is started. */
  private async keepRunning(first: () => Promise<void>): Promise<void> {
    let ended: (() => Promise<void>) | null = first;
    while (!this.stopped) {
      try {
        await (ended ?? (await this.beginAgain()))();
        if (!this.stopped) this.log.warn({}, 'the job runner ended; another one is started');
      } catch (error) {
        this.log.warn({ err: error }, 'the job runner ended; another one is started');
      }
      this.runner = null;
      ended = null;
      if (!this.stopped) await pause(500);
    }
  }

  /**
   * The jobs of the runner that has ended are unlocked at once. Those that still run here may begin a second time, like
   * the jobs of a dead replica.
   */
  private async beginAgain(): Promise<() => Promise<void>> {
    const former = this.poolId;
    await this.untilNats();
    const ended = await this.begin();
    if (former !== null && former !== this.poolId)
      await this.unlockJobsOf(former).catch((error: unknown) => this.heartbeatFailed(error));
    return ended;
  }

  /** Writes the heartbeat of this replica, and unlocks the jobs of replicas whose heartbeats have stopped. */
  private async heartbeat(): Promise<void> {
    const { heartbeats: database } = this;
    this.clock.attempted();
    await database.query(
      `INSERT INTO workflows.replicas (id, seen_at) VALUES ($1, clock_timestamp())
       ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`,
      [this.poolId],
    );
    this.restartWhenStuck();
    this.stopWithoutNats();
    if (this.heartbeatCount++ % heartbeatsPerCheck === 0) await this.unlockUnknown();
    const gone = await database.query<{ id: string }>(
      `SELECT id FROM workflows.replicas WHERE seen_at < clock_timestamp() - interval '${deadAfterSeconds} s'`,
    );
    if (gone.length === 0) return;
    const ids = gone.map(({ id }) => id);
    await database.query(`SELECT ${jobSchema}.force_unlock_workers($1::text[])`, [ids]);
    await database.query(
      `DELETE FROM workflows.replicas WHERE id = ANY($1::text[])
         AND seen_at < clock_timestamp() - interval '${deadAfterSeconds} s'`,
      [ids],
    );
    this.log.info({ replicas: ids }, 'replicas have died; their jobs are done by others');
  }

  /**
   * A runner whose first query fails keeps that failure (in its `getTaskDetails`), and never fetches a job. It is
   * stopped, and another one is started. Called when the database has just answered.
   */
  private restartWhenStuck(): void {
    if (!this.runner || !this.idle || ++this.heartbeatsSinceFetch < heartbeatsUntilStuck) return;
    this.heartbeatsSinceFetch = 0;
    this.log.warn({}, 'no jobs are fetched although the database answers; the job runner is started again');
    void this.stopRunner(this.runner);
  }

  /**
   * Leaves the jobs to other replicas while this one has no connection to NATS. Here each of them would only wait for
   * its deadline. Another runner begins when NATS is connected.
   */
  private stopWithoutNats(): void {
    if (!this.runner || this.natsLostAt === null || performance.now() - this.natsLostAt < withoutNatsMs) return;
    this.log.warn({}, 'NATS is disconnected; the jobs of this replica are left to others');
    const { runner } = this;
    this.runner = null;
    void this.stopRunner(runner);
  }

  /** Unlocks what the former runner had locked, and waits until NATS is connected. */
  private async untilNats(): Promise<void> {
    if (this.natsLostAt === null) return;
    if (this.poolId !== null)
      await this.unlockJobsOf(this.poolId).catch((error: unknown) => this.heartbeatFailed(error));
    while (this.natsLostAt !== null && !this.stopped) {
      this.clock.progressed(); // nothing is to be done here
      await pause(100);
    }
  }

  /** Waits for jobs that have begun, up to a time limit. Other replicas do the rest. */
  private async stopRunner(runner: Runner): Promise<void> {
    const { abandon } = this;
    const stopped = runner
      .stop()
      .catch((error: unknown) => this.log.warn({ err: error }, 'the job runner did not stop in order'));
    await Promise.race([stopped, pause(stopMs, undefined, { ref: false })]);
    abandon();
  }

  /**
   * Unlocks jobs that have been locked for some time, either for this replica, although it has not fetched them, or for
   * a runner that has never written a heartbeat, because its database failed when it began.
   */
  private async unlockUnknown(): Promise<void> {
    const unlocked = await this.heartbeats.query<{ id: string }>(
      `UPDATE ${jobSchema}._private_jobs j SET locked_at = NULL, locked_by = NULL
       WHERE locked_at < clock_timestamp() - interval '${deadAfterSeconds} s'
         AND (locked_by = $1 AND id <> ALL($2::bigint[])
           OR NOT EXISTS (SELECT FROM workflows.replicas r WHERE r.id = j.locked_by))
       RETURNING id`,
      [this.poolId, [...this.fetched]],
    );
    if (unlocked.length > 0)
      this.log.warn(
        { jobs: unlocked.length },
        'jobs were locked for replicas that had not fetched them; they are unlocked',
      );
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    const notBegun = new NotBegun('the replica stops');
    this.turns.refuse(notBegun);
    for (const turns of Object.values(this.givingWay)) turns.refuse(notBegun);
    for (const end of this.waiting) end(notBegun);
    if (this.runner) await this.stopRunner(this.runner);
    await this.running;
    await this.heartbeatInProgress;
    const { poolId } = this;
    const left = poolId === null ? Promise.resolve() : this.unlockJobsOf(poolId);
    await left.catch((error: unknown) =>
      this.log.warn(
        { err: error },
        'jobs of this replica may still be locked; other replicas unlock them in a few seconds',
      ),
    );
    await this.metrics.stop();
    await this.heartbeats.close();
  }

  /** Both in one transaction, because other replicas find the jobs of a dead replica by its heartbeat. */
  private async unlockJobsOf(poolId: string): Promise<void> {
    await this.heartbeats.asService(async (tx) => {
      await tx.query(`SELECT ${jobSchema}.force_unlock_workers(ARRAY[$1])`, [poolId]);
      // They have failed for graphile-worker, which lets them wait.
      await tx.query(
        `UPDATE ${jobSchema}._private_jobs SET run_at = now(), attempts = greatest(attempts - 1, 0), last_error = NULL
         WHERE id = ANY($1::bigint[]) AND locked_by IS NULL`,
        [this.notBegun.splice(0)],
      );
      await tx.query('DELETE FROM workflows.replicas WHERE id = $1', [poolId]);
    });
  }
}
