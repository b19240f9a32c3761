/** Commands on alerts: for one, and acknowledge, resolve and assign in bulk. They lock the same rows as events do. */
import {
  Accepted,
  bulkFilterLimit,
  bulkJobLimits,
  Fault,
  invalid,
  publicId,
  uuidOf,
  type Alert,
  type AlertNote,
  type BulkAction,
  type BulkAlerts,
  type BulkItem,
  type BulkJob,
  type BulkResult,
  type Input,
  type NoQuery,
  type Principal,
} from '@ams/contracts';
import { actingFor, alertConditions, alertOfRecord, withMatchedLabels } from '@ams/alerting';
import { Database, inPartsWithIdempotency, requireVersion, withIdempotency, type Tx } from '@ams/database';
import { Outbox } from '@ams/persistence';
import { Metrics } from '@ams/service';
import { Injectable } from '@nestjs/common';
import { requireAssignable, type AlertAct } from './alert-acts.js';
import { AlertChanges } from './alert-changes.js';
import { changeInBulk } from './bulk-changes.js';
import { findJob, insertJob } from './bulk-job-queries.js';
import { BulkJobs } from './bulk-jobs.js';
import { BulkTurns } from './bulk-turns.js';
import { command, refusal } from './command.js';
import { lockAlerts } from './locked-alerts.js';
import { timeUnderLock } from '../time-under-lock.js';

/** The alerts of a bulk change, and the results of those that are changed. */
interface BulkProgress {
  ids: string[];
  results: BulkItem[];
}

@Injectable()
export class AlertsService {
  private readonly commands;

  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly jobs: BulkJobs,
    private readonly turns: BulkTurns,
    metrics: Metrics,
  ) {
    this.commands = metrics.counter('ams_pipeline_commands_total', 'Commands by action.', ['action'] as const);
  }

  change(action: BulkAction, input: Input<NoQuery, AlertNote>): Promise<Alert> {
    return this.act(action, input, (_tx, changes, record, caller) => {
      const decision = command(changes, record, action, caller, input.body.note ?? null);
      if (decision.kind === 'refused') throw refusal(decision);
      return Promise.resolve();
    });
  }

  /** Does something with one alert, which is locked. */
  async act<Body extends { onBehalfOf?: string | null }>(
    action: string,
    input: Input<NoQuery, Body>,
    work: AlertAct<Body>,
  ): Promise<Alert> {
    const id = input.params.id ?? '';
    const alert = await this.database.writeAs(input.principal, (tx) =>
      withIdempotency(tx, 'alert-pipeline', input.principal, input.idempotency, async () => {
        const uuid = uuidOf('alert', id);
        const [record] = uuid ? await lockAlerts(tx, input.principal, [uuid]) : [];
        if (!record) throw new Fault('NOT_FOUND', { resource: 'alert', id });
        requireVersion(input.ifMatch, record.state.version);
        const caller = await actingFor(tx, input, input.body.onBehalfOf);
        const changes = new AlertChanges(timeUnderLock([record]).toISOString());
        await work(tx, changes, record, caller);
        await changes.write(tx);
        return alertOfRecord(record);
      }),
    );
    this.commands.inc({ action });
    this.outbox.publishNow();
    return alert;
  }

  /** More alerts than a request may change are changed by a job. */
  async bulk(input: Input<NoQuery, BulkAlerts>): Promise<BulkResult | Accepted<BulkJob>> {
    const { action, assigneeId, ids, filter, note = null, onBehalfOf } = input.body;
    if ((ids === undefined) === (filter === undefined)) throw invalid('ids', 'oneOf', 'Send either ids or filter.');
    if ((assigneeId !== undefined) !== (action === 'assign'))
      throw invalid('assigneeId', 'oneOf', 'Send assigneeId with the action assign, and only with it.');
    const matching = ids
      ? null
      : await this.matching(input, action === 'assign' ? bulkFilterLimit : bulkJobLimits.alerts);
    const requested = matching ? matching.map((uuid) => publicId('alert', uuid)) : [...new Set(ids)];
    const { principal, idempotency } = input;
    let partSize = 1;
    const answer = await inPartsWithIdempotency<BulkProgress, BulkResult | BulkJob>(
      (part) =>
        this.bulkPart(principal, (tx, size) => {
          partSize = size;
          return part(tx);
        }),
      'alert-pipeline',
      principal,
      idempotency,
      async (tx, progress) => {
        const caller = await actingFor(tx, input, onBehalfOf);
        if (action === 'assign') await requireAssignable(tx, principal, assigneeId ?? null);
        else if (progress === null && matching && matching.length > bulkFilterLimit)
          return { answer: await insertJob(tx, caller, action, note, matching) };
        const { ids: all, results: before } = progress ?? { ids: requested, results: [] };
        const part = all.slice(before.length, before.length + partSize);
        const change = { action, assigneeId: assigneeId ?? null, note };
        const results = [...before, ...(await changeInBulk(tx, caller, part, change))];
        if (results.length < all.length) return { next: { ids: all, results } };
        const succeeded = results.filter((item) => item.ok).length;
        return { answer: { action, requested: all.length, succeeded, failed: all.length - succeeded, results } };
      },
    );
    if (!('results' in answer)) {
      this.jobs.startNow();
      return new Accepted(answer);
    }
    this.commands.inc({ action: `bulk ${action}` }, answer.succeeded);
    return answer;
  }

  private async bulkPart<T>(principal: Principal, part: (tx: Tx, size: number) => Promise<T>): Promise<T> {
    const done = await this.turns.run(principal.organizationId, 'request', (size) =>
      this.database.writeAs(principal, (tx) => part(tx, size)),
    );
    this.outbox.publishNow();
    return done;
  }

  job(input: Input<NoQuery, undefined>): Promise<BulkJob> {
    return this.database.readAs(input.principal, (tx) => findJob(tx, input));
  }

  /**
   * The UUIDs of the alerts that match the filter. The service role reads them, with conditions on the tenant: with the
   * row-level security of the principal role, PostgreSQL cannot use the indexes of labels and text. The alerts are then
   * changed with the principal role.
   */
  private async matching(input: Input<NoQuery, BulkAlerts>, limit: number): Promise<string[]> {
    const { filter = {} } = input.body;
    const conditions = await withMatchedLabels(this.database, 'alerts.alerts', input.principal, filter, 'filter.label');
    const where = alertConditions(input.principal, conditions);
    const rows = await this.database.query<{ id: string }>(
      `SELECT id FROM alerts.alerts a WHERE ${where.toString()} ORDER BY id LIMIT ${limit + 1}`,
      where.params,
    );
    if (rows.length > limit) throw invalid('filter', 'max', `The filter matches more than ${limit} alerts. Narrow it.`);
    return rows.map(({ id }) => id);
  }
}
