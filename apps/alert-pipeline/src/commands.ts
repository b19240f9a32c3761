/** What people ask of alerts: acknowledge, resolve, and both in bulk. The same row locks and the same table as for events. */
import {
  acknowledgeAlert,
  bulkAlerts,
  bulkFilterLimit,
  Fault,
  invalid,
  publicId,
  resolveAlert,
  uuidOf,
  type Alert,
  type AlertNote,
  type BulkAction,
  type BulkAlerts,
  type BulkItem,
  type BulkResult,
  type Input,
} from '@ams/contracts';
import { alertConditions, alertOfRecord, type AlertRecord } from '@ams/alerting';
import { actorOf, auditMessage, withIdempotency, requireVersion } from '@ams/database';
import { decideCommand, type CommandDecision } from '@ams/domain';
import { Subscriptions, type NatsConnection } from '@ams/messaging';
import { Tokens, type Logger, type Part } from '@ams/service';
import { Inject, Injectable } from '@nestjs/common';
import { AlertChanges } from './alert-changes.js';
import { lockAlerts } from './locked-alerts.js';
import { DatabasePart, PipelineTokens } from './parts.js';
import type { PipelineMetrics } from './pipeline-metrics.js';
import { Relay } from './relay.js';

type By = Pick<Input<unknown, unknown>, 'principal' | 'requestId' | 'ip' | 'userAgent'>;

const auditType: Record<BulkAction, string> = { acknowledge: 'alert.acknowledged', resolve: 'alert.resolved' };

@Injectable()
export class Commands implements Part {
  private subscriptions: Subscriptions | null = null;

  constructor(
    @Inject(Tokens.log) private readonly log: Logger,
    @Inject(Tokens.broker) private readonly broker: NatsConnection,
    @Inject(PipelineTokens.metrics) private readonly metrics: PipelineMetrics,
    @Inject(DatabasePart) private readonly databasePart: DatabasePart,
    @Inject(Relay) private readonly relay: Relay,
  ) {}

  async start(): Promise<void> {
    this.subscriptions = new Subscriptions(this.broker, 'alert-pipeline', this.log);
    this.subscriptions.handle(acknowledgeAlert, (input) => this.one('acknowledge', input));
    this.subscriptions.handle(resolveAlert, (input) => this.one('resolve', input));
    this.subscriptions.handle(bulkAlerts, (input) => this.bulk(input));
  }

  async drain(): Promise<void> {
    await this.subscriptions?.drain();
  }

  private async one(action: BulkAction, input: Input<Record<string, never>, AlertNote>): Promise<Alert> {
    const id = input.params.id ?? '';
    const alert = await this.databasePart.database.writeAs(input.principal, (tx) =>
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
    this.metrics.commands.inc({ action });
    this.relay.kick();
    return alert;
  }

  private async bulk(input: Input<Record<string, never>, BulkAlerts>): Promise<BulkResult> {
    const { action, ids, filter, note } = input.body;
    if ((ids === undefined) === (filter === undefined)) throw invalid('ids', 'oneOf', 'Send either ids or filter.');
    const requested = ids ? [...new Set(ids)] : (await this.matching(input)).map((uuid) => publicId('alert', uuid));
    const result = await this.databasePart.database.writeAs(input.principal, (tx) =>
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
    this.metrics.commands.inc({ action: `bulk ${action}` }, result.succeeded);
    this.relay.kick();
    return result;
  }

  /**
   * Ids only, found as the service under the tenant's predicates: row-level security forbids a principal the indexes of
   * labels and text. The alerts themselves are read and changed as the principal.
   */
  private async matching(input: Input<Record<string, never>, BulkAlerts>): Promise<string[]> {
    const where = alertConditions(input.principal, input.body.filter ?? {});
    const rows = await this.databasePart.database.query<{ id: string }>(
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
  by: By,
  note: string | null,
): CommandDecision {
  const now = new Date();
  const at = now.toISOString();
  const actor = actorOf(by.principal);
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
      cause: { type: 'request', id: by.requestId },
      at,
      note,
    });
    changes.also(
      auditMessage(by, {
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
  by: By,
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
  const decision = command(changes, record, action, by, note);
  if (decision.kind === 'refused') {
    return fault(
      new Fault('INVALID_STATE_TRANSITION', { from: decision.from, to: decision.to, allowed: [...decision.allowed] }),
      record.state.status,
    );
  }
  return { id, ok: true, changed: decision.kind === 'changed', status: record.state.status, error: null };
}
