/** Commands on alerts: acknowledge and resolve, for one alert and in bulk. They lock the same rows as events do. */
import {
  bulkFilterLimit,
  Fault,
  invalid,
  publicId,
  uuidOf,
  type Alert,
  type AlertNote,
  type BulkAction,
  type BulkAlerts,
  type BulkItem,
  type BulkResult,
  type Input,
  type NoQuery,
} from '@ams/contracts';
import { alertConditions, alertOfRecord, withMatchedLabels, type AlertRecord } from '@ams/alerting';
import { actorOf, auditMessage, Database, requireVersion, withIdempotency } from '@ams/database';
import { decideCommand, type CommandDecision } from '@ams/domain';
import { Outbox } from '@ams/persistence';
import { Metrics } from '@ams/service';
import { Injectable } from '@nestjs/common';
import { AlertChanges } from './alert-changes.js';
import { lockAlerts } from './locked-alerts.js';

type Caller = Pick<Input<unknown, unknown>, 'principal' | 'requestId' | 'ip' | 'userAgent'>;

const auditType: Record<BulkAction, string> = { acknowledge: 'alert.acknowledged', resolve: 'alert.resolved' };

@Injectable()
export class AlertsService {
  private readonly commands;

  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    metrics: Metrics,
  ) {
    this.commands = metrics.counter('ams_pipeline_commands_total', 'Commands by action.', ['action'] as const);
  }

  async change(action: BulkAction, input: Input<NoQuery, AlertNote>): Promise<Alert> {
    const id = input.params.id ?? '';
    const alert = await this.database.writeAs(input.principal, (tx) =>
      withIdempotency(tx, 'alert-pipeline', input.principal, input.idempotency, async () => {
        const uuid = uuidOf('alert', id);
        const [record] = uuid ? await lockAlerts(tx, input.principal, [uuid]) : [];
        if (!record) throw new Fault('NOT_FOUND', { resource: 'alert', id });
        requireVersion(input.ifMatch, record.state.version);
        const changes = new AlertChanges(new Date().toISOString());
        const decision = command(changes, record, action, input, input.body.note ?? null);
        if (decision.kind === 'refused')
          throw new Fault('INVALID_STATE_TRANSITION', {
            from: decision.from,
            to: decision.to,
            allowed: [...decision.allowed],
          });
        await changes.write(tx);
        return alertOfRecord(record);
      }),
    );
    this.commands.inc({ action });
    this.outbox.publishNow();
    return alert;
  }

  async bulk(input: Input<NoQuery, BulkAlerts>): Promise<BulkResult> {
    const { action, ids, filter, note } = input.body;
    if ((ids === undefined) === (filter === undefined)) throw invalid('ids', 'oneOf', 'Send either ids or filter.');
    const requested = ids ? [...new Set(ids)] : (await this.matching(input)).map((uuid) => publicId('alert', uuid));
    const result = await this.database.writeAs(input.principal, (tx) =>
      withIdempotency(tx, 'alert-pipeline', input.principal, input.idempotency, async () => {
        const uuids = requested.map((id) => uuidOf('alert', id)).filter((uuid) => uuid !== null);
        const records = new Map(
          (await lockAlerts(tx, input.principal, uuids)).map((record) => [publicId('alert', record.id), record]),
        );
        const changes = new AlertChanges(new Date().toISOString());
        const results = requested.map((id) => bulkItem(id, changes, records.get(id), action, input, note ?? null));
        await changes.write(tx);
        const succeeded = results.filter((item) => item.ok).length;
        return { action, requested: requested.length, succeeded, failed: requested.length - succeeded, results };
      }),
    );
    this.commands.inc({ action: `bulk ${action}` }, result.succeeded);
    this.outbox.publishNow();
    return result;
  }

  /**
   * The UUIDs of the alerts that match the filter. The service role reads them, with conditions on the tenant: with the
   * row-level security of the principal role, PostgreSQL cannot use the indexes of labels and text. The alerts are then
   * changed with the principal role.
   */
  private async matching(input: Input<NoQuery, BulkAlerts>): Promise<string[]> {
    const { filter = {} } = input.body;
    const conditions = await withMatchedLabels(this.database, 'alerts.alerts', input.principal, filter, 'filter.label');
    const where = alertConditions(input.principal, conditions);
    const rows = await this.database.query<{ id: string }>(
      `SELECT id FROM alerts.alerts a WHERE ${where.toString()} LIMIT ${bulkFilterLimit + 1}`,
      where.params,
    );
    if (rows.length > bulkFilterLimit)
      throw invalid('filter', 'max', `The filter matches more than ${bulkFilterLimit} alerts. Narrow it.`);
    return rows.map(({ id }) => id);
  }
}

function command(
  changes: AlertChanges,
  record: AlertRecord,
  action: BulkAction,
  caller: Caller,
  note: string | null,
): CommandDecision {
  const now = new Date();
  const at = now.toISOString();
  const actor = actorOf(caller.principal);
  const before = record.state.status;
  const decision = decideCommand(
    record.state,
    action === 'resolve' ? { action, reason: 'api' } : { action },
    at,
    actor,
  );
  if (decision.kind === 'changed') {
    changes.change(record, decision.alert, {
      type: decision.type,
      changes: decision.changes,
      actor,
      cause: { type: 'request', id: caller.requestId },
      at,
      note,
    });
    changes.also(
      auditMessage(caller, {
        type: auditType[action],
        resource: { type: 'alert', id: publicId('alert', record.id) },
        changes: [{ field: 'status', before, after: decision.alert.status }],
        at: now,
      }),
    );
  }
  return decision;
}

function bulkItem(
  id: string,
  changes: AlertChanges,
  record: AlertRecord | undefined,
  action: BulkAction,
  caller: Caller,
  note: string | null,
): BulkItem {
  const fault = (error: Fault, status: BulkItem['status']): BulkItem => ({
    id,
    ok: false,
    changed: false,
    status,
    error: { error: error.message, code: error.code, details: error.details },
  });
  if (!record) return fault(new Fault('NOT_FOUND', { resource: 'alert', id }), null);
  const decision = command(changes, record, action, caller, note);
  if (decision.kind === 'refused') {
    return fault(
      new Fault('INVALID_STATE_TRANSITION', { from: decision.from, to: decision.to, allowed: [...decision.allowed] }),
      record.state.status,
    );
  }
  return { id, ok: true, changed: decision.kind === 'changed', status: record.state.status, error: null };
}
