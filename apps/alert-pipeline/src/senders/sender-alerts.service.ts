/**
 * What a sender may read through Opsgenie's API: alerts of its own integration, and the effects of its own events.
 * Every query names the organization, the environment and the integration.
 */
import {
  uuidOf,
  type Alert,
  type SenderAlertKey,
  type SenderAlertsQuery,
  type SenderAlertSort,
  type SenderEventResult,
  type SenderRequest,
} from '@ams/contracts';
import { shownAlertColumns, alertFromRow, type ShownAlertRow } from '@ams/alerting';
import { Database, Where } from '@ams/database';
import { Injectable } from '@nestjs/common';

const sortColumns: Record<SenderAlertSort, string> = {
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  lastOccurredAt: 'last_occurred_at',
};

/** More alerts are not counted. */
const countLimit = 100_000;

const ofSender = ({ organizationId, environment, integrationId }: SenderRequest): Where =>
  new Where()
    .and('organization_id = ?', organizationId)
    .and('environment = ?', environment)
    .and('integration_id = ?', integrationId);

@Injectable()
export class SenderAlertsService {
  constructor(private readonly database: Database) {}

  async find({ key, ...sender }: SenderRequest & { key: SenderAlertKey }): Promise<{ alert: Alert | null }> {
    const where = ofSender(sender);
    if ('id' in key) {
      const id = uuidOf('alert', key.id);
      if (id === null) return { alert: null };
      where.and('id = ?', id);
    } else where.and('fingerprint = ?', key.fingerprint).and(`status <> 'resolved'`);
    const [row] = await this.database.query<ShownAlertRow>(
      `SELECT ${shownAlertColumns} FROM alerts.alerts WHERE ${where.toString()} LIMIT 1`,
      where.params,
    );
    return { alert: row ? alertFromRow(row) : null };
  }

  async list({
    query,
    ...sender
  }: SenderRequest & { query: SenderAlertsQuery }): Promise<{ alerts: Alert[]; count: number }> {
    const where = ofSender(sender);
    if (query.open !== undefined) where.and(query.open ? `status <> 'resolved'` : `status = 'resolved'`);
    if (query.acknowledged !== undefined)
      where.and(query.acknowledged ? 'acknowledged_at IS NOT NULL' : 'acknowledged_at IS NULL');
    if (query.fingerprint !== undefined) where.and('fingerprint = ?', query.fingerprint);
    const direction = query.descending ? 'DESC' : 'ASC';
    const rows = await this.database.query<ShownAlertRow>(
      `SELECT ${shownAlertColumns} FROM alerts.alerts WHERE ${where.toString()}
       ORDER BY ${sortColumns[query.sort]} ${direction}, id ${direction}
       LIMIT ${Number(query.limit)} OFFSET ${Number(query.offset)}`,
      where.params,
    );
    const [counted] = await this.database.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM (
         SELECT 1 FROM alerts.alerts WHERE ${where.toString()} LIMIT ${countLimit}) AS found`,
      where.params,
    );
    return { alerts: rows.map(alertFromRow), count: counted?.n ?? 0 };
  }

  async event({
    eventId,
    ...sender
  }: SenderRequest & { eventId: string }): Promise<{ result: SenderEventResult | null }> {
    const where = ofSender(sender).and('id = ?', eventId);
    const [event] = await this.database.query<{ outcome: string; alert_id: string | null }>(
      `SELECT outcome, alert_id FROM alerts.events WHERE ${where.toString()}`,
      where.params,
    );
    if (!event) return { result: null };
    const ofAlert = ofSender(sender).and('id = ?', event.alert_id);
    const [row] = await this.database.query<ShownAlertRow>(
      `SELECT ${shownAlertColumns} FROM alerts.alerts WHERE ${ofAlert.toString()}`,
      ofAlert.params,
    );
    return { result: { outcome: event.outcome, appliedTo: row ? alertFromRow(row) : null } };
  }
}
