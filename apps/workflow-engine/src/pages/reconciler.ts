/**
 * Looks for pages that are missing, and puts them on their way again: the net under every fault that nobody has thought
 * of. By the clock of the database, and only what is older than a minute, so that work in progress is not counted. One
 * replica at a time looks; another one continues when it dies. Everything it does may be repeated.
 */
import { publicId, type Alert, type Cause } from '@ams/contracts';
import { alertFromRow, shownAlertColumns, type ShownAlertRow } from '@ams/alerting';
import { Database, type Tx } from '@ams/database';
import type { ActorRef, FieldChange } from '@ams/domain';
import type { Environment } from '@ams/scopes';
import { Logger, Metrics } from '@ams/service';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { addJobs, jobSchema } from '../jobs/jobs.js';
import { beginRuns } from '../runs/begin-runs.js';
import type { DomainEvent } from '../runs/condition-facts.js';
import { createPageNotifications, pagesWithoutNotifications } from './page-notifications.js';
import { endPageRequests } from './page-outcomes.js';

const turnMs = 2000;
/** Turns from one search for missing pages to the next one: half a minute. */
const turnsPerSearch = 15;
/** Of each kind, in one search. */
const atOnce = 200;

/** What was missing. */
type Missing = 'event' | 'run' | 'job' | 'notification';

@Injectable()
export class PageReconciler implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly missing;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private stopped = false;
  private turns = 0;

  constructor(
    private readonly database: Database,
    private readonly log: Logger,
    metrics: Metrics,
  ) {
    this.missing = metrics.counter(
      'ams_pages_missing_total',
      'Pages that were missing for more than a minute and were put on their way again. 0 in a healthy system.',
      ['missing'] as const,
    );
    for (const missing of ['event', 'run', 'job', 'notification'] as const) this.missing.inc({ missing }, 0);
  }

  onApplicationBootstrap(): void {
    this.turn();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private turn(): void {
    this.running = this.work()
      .catch((error: unknown) => this.log.warn({ err: error }, 'pages could not be checked; trying again'))
      .finally(() => {
        if (!this.stopped) this.timer = setTimeout(() => this.turn(), turnMs);
      });
  }

  private async work(): Promise<void> {
    while ((await endPageRequests(this.database)) > 0 && !this.stopped);
    if (this.turns++ % turnsPerSearch === 0) await this.search();
  }

  /** Searches for everything that is missing. Each part has a transaction, so that one fault does not stop the others. */
  async search(): Promise<void> {
    await this.part('event', beginLostEvents);
    await this.part('run', beginLostRuns);
    await this.part('job', addLostJobs);
    await this.part('notification', notifyOfLostPages);
  }

  private async part(missing: Missing, work: (tx: Tx) => Promise<number>): Promise<void> {
    const found = await this.database
      .asService(async (tx) => {
        const [lock] = await tx.query<{ held: boolean }>(
          `SELECT pg_try_advisory_xact_lock(hashtextextended('missing pages', 0)) AS held`,
        );
        return lock?.held ? work(tx) : 0;
      })
      .catch((error: unknown) => {
        this.log.warn({ err: error, missing }, 'missing pages could not be searched; trying again');
        return 0;
      });
    if (found === 0) return;
    this.missing.inc({ missing }, found);
    this.log.error({ missing, found }, 'pages were missing, and were put on their way again');
  }
}

interface LostEventRow extends ShownAlertRow {
  organization_id: string;
  event_id: string;
  event_type: 'alert.created' | 'alert.resumed';
  occurred_at: Date;
  actor: ActorRef;
  cause: Cause;
  changes: FieldChange[];
  environment: Environment;
}

/**
 * Firing alerts outside incidents whose last opening or resuming was never decided: its event is lost. An event without
 * any workflow is not recorded, so those tenants are left out.
 */
async function beginLostEvents(tx: Tx): Promise<number> {
  const columns = shownAlertColumns
    .split(', ')
    .map((name) => `a.${name}`)
    .join(', ');
  const rows = await tx.query<LostEventRow>(
    `SELECT ${columns}, a.organization_id, a.environment, t.id AS event_id, t.type AS event_type, t.occurred_at,
       t.actor, t.cause, t.changes
     FROM alerts_views.alerts a
     JOIN LATERAL (SELECT * FROM alerts_views.timeline t
       WHERE t.alert_id = a.id AND t.organization_id = a.organization_id AND t.environment = a.environment
         AND t.type IN ('alert.created', 'alert.resumed') ORDER BY t.id DESC LIMIT 1) t ON true
     WHERE a.status = 'firing' AND a.incident_id IS NULL AND t.occurred_at < now() - interval '1 minute'
       AND NOT EXISTS (SELECT FROM workflows.page_requests r WHERE r.alert_id = a.id)
       AND NOT EXISTS (SELECT FROM workflows.considered c WHERE c.event_id = t.id)
       AND (EXISTS (SELECT FROM resources_views.workflows w
           WHERE w.organization_id = a.organization_id AND w.environment = a.environment AND w.enabled
             AND w.events && ARRAY['alert.created', t.type] AND w.created_at <= t.occurred_at)
         OR EXISTS (SELECT FROM resources_views.organization_settings s
           WHERE s.organization_id = a.organization_id AND s.environment = a.environment
             AND s.catch_all_policy_id IS NOT NULL))
     ORDER BY t.occurred_at LIMIT ${atOnce}`,
  );
  if (rows.length === 0) return 0;
  await beginRuns(tx, rows.map(eventOf), { onlyOlderWorkflows: true });
  // An event that begins nothing is recorded too, so that it is not found again.
  await tx.query(
    `INSERT INTO workflows.considered (event_id, organization_id, environment, event_type, alert_id, occurred_at, workflows)
     SELECT e, o, v, t, a, at, '[]' FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::uuid[], $6::timestamptz[])
       AS r(e, o, v, t, a, at) ON CONFLICT (event_id) DO NOTHING`,
    [
      rows.map(({ event_id }) => event_id),
      rows.map(({ organization_id }) => organization_id),
      rows.map(({ environment }) => environment),
      rows.map(({ event_type }) => event_type),
      rows.map(({ id }) => id),
      rows.map(({ occurred_at }) => occurred_at),
    ],
  );
  const [asked] = await tx.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM workflows.page_requests WHERE event_id = ANY($1::uuid[])',
    [rows.map(({ event_id }) => event_id)],
  );
  return asked?.n ?? 0;
}

function eventOf(row: LostEventRow): DomainEvent {
  const alert: Alert = alertFromRow(row);
  return {
    id: publicId('timelineEntry', row.event_id),
    organizationId: row.organization_id,
    environment: row.environment,
    type: row.event_type,
    occurredAt: row.occurred_at.toISOString(),
    actor: row.actor,
    cause: row.cause,
    changes: row.changes,
    alert,
    depth: 0,
  };
}

interface OpenRequestRow {
  id: string;
  event_id: string;
  workflow_id: string;
}

/** Lines without an end whose run does not exist any more: the decision is made again. */
async function beginLostRuns(tx: Tx): Promise<number> {
  const lost = await tx.query<OpenRequestRow>(
    `SELECT r.id, r.event_id, r.workflow_id FROM workflows.page_requests r
     WHERE r.outcome IS NULL AND r.incident_id IS NULL AND r.workflow_id IS NOT NULL
       AND coalesce(r.repaired_at, r.asked_at) < now() - interval '1 minute'
       AND NOT EXISTS (SELECT FROM workflows.runs w WHERE w.workflow_id = r.workflow_id AND w.event_id = r.event_id)
     ORDER BY r.asked_at LIMIT ${atOnce} FOR UPDATE`,
  );
  if (lost.length === 0) return 0;
  const events = await tx.query<LostEventRow>(
    `SELECT ${shownAlertColumns
      .split(', ')
      .map((name) => `a.${name}`)
      .join(', ')}, a.organization_id, a.environment, t.id AS event_id, t.type AS event_type, t.occurred_at, t.actor,
       t.cause, t.changes
     FROM alerts_views.timeline t JOIN alerts_views.alerts a ON a.id = t.alert_id
       AND a.organization_id = t.organization_id AND a.environment = t.environment
     WHERE t.id = ANY($1::uuid[]) AND a.status <> 'resolved'`,
    [lost.map(({ event_id }) => event_id)],
  );
  const ids = events.map(({ event_id }) => event_id);
  await tx.query('DELETE FROM workflows.considered WHERE event_id = ANY($1::uuid[])', [ids]);
  await beginRuns(tx, events.map(eventOf), { onlyOlderWorkflows: true });
  await noteRepairs(
    tx,
    lost.map(({ id }) => id),
  );
  return events.length;
}

const noteRepairs = (tx: Tx, ids: readonly string[]): Promise<unknown> =>
  tx.query(
    `UPDATE workflows.page_requests SET repairs = repairs + 1, repaired_at = clock_timestamp() WHERE id = ANY($1::uuid[])`,
    [ids],
  );

/** `key` in SQL, as `addJobs` makes it. */
const withoutJob = (key: string): string =>
  `NOT EXISTS (SELECT FROM ${jobSchema}._private_jobs j WHERE j.key = ${key})`;

/** Runs, notifications and requests to the catch-all policy that wait for a job that does not exist. */
async function addLostJobs(tx: Tx): Promise<number> {
  const runs = await tx.query<{ id: string }>(
    `SELECT r.id FROM workflows.runs r
     WHERE r.status IN ('running', 'waiting') AND coalesce(r.due_at, r.previous_done_at) < now() - interval '1 minute'
       AND (r.status = 'running' OR r.due_at IS NOT NULL) AND ${withoutJob(`'advance:' || r.id`)}
     ORDER BY r.previous_done_at LIMIT ${atOnce}`,
  );
  const notifications = await tx.query<{ id: string }>(
    `SELECT n.id FROM workflows.notifications n
     WHERE n.status = 'queued' AND coalesce(n.next_attempt_at, n.created_at) < now() - interval '1 minute'
       AND ${withoutJob(`'sendNotification:' || n.id`)} AND ${withoutJob(`'deliver:' || n.id`)}
     ORDER BY n.created_at LIMIT ${atOnce}`,
  );
  const requests = await tx.query<{ id: string }>(
    `SELECT r.id FROM workflows.page_requests r
     WHERE r.outcome IS NULL AND r.incident_id IS NULL AND r.workflow_id IS NULL
       AND coalesce(r.repaired_at, r.asked_at) < now() - interval '1 minute' AND ${withoutJob(`'pageCatchAll:' || r.id`)}
     ORDER BY r.asked_at LIMIT ${atOnce}`,
  );
  await addJobs(
    tx,
    'advance',
    runs.map(({ id }) => ({ runId: id })),
  );
  await addJobs(
    tx,
    'sendNotification',
    notifications.map(({ id }) => ({ notificationId: id })),
  );
  await addJobs(
    tx,
    'pageCatchAll',
    requests.map(({ id }) => ({ pageRequestId: id })),
  );
  await noteRepairs(
    tx,
    requests.map(({ id }) => id),
  );
  return runs.length + notifications.length + requests.length;
}

/** Pages whose event is lost. */
async function notifyOfLostPages(tx: Tx): Promise<number> {
  const pages = await pagesWithoutNotifications(tx);
  await createPageNotifications(tx, pages);
  return pages.length;
}
