/**
 * SQL on the views of alerts; alert-pipeline owns the tables. Lists are searched by alert-search.ts, timelines by
 * timeline.ts.
 */
import {
  addAlertFilter,
  alertConditions,
  alertFromRow,
  shownAlertColumns,
  type AlertConditions,
  type AlertReader,
  type ShownAlertRow,
} from '@ams/alerting';
import { Fault, uuidOf, type Alert, type Input, type Tenant } from '@ams/contracts';
import { PageRoom, type Database, type Tx } from '@ams/database';
import { owned } from '../records/tenant-queries.js';

const byId = {
  name: 'alerts by id',
  text: `SELECT ${shownAlertColumns} FROM alerts_views.alerts
         WHERE organization_id = $1 AND environment = $2 AND id = ANY($3::uuid[])`,
};

/** The alerts with these UUIDs, in this order, without those that do not exist. */
export async function alertsById(
  tx: Pick<Tx, 'query'>,
  { organizationId, environment }: Tenant,
  ids: readonly string[],
): Promise<ShownAlertRow[]> {
  if (ids.length === 0) return [];
  const rows = new Map<string, ShownAlertRow>();
  for (const row of await tx.query<ShownAlertRow>(byId, [organizationId, environment, ids])) rows.set(row.id, row);
  return ids.flatMap((id) => rows.get(id) ?? []);
}

/** The first of these alerts, as many as one message can have, read so many at a time. `isWhole`: these are all. */
export async function alertsThatFit(
  tx: Pick<Tx, 'query'>,
  tenant: Tenant,
  ids: readonly string[],
  portion: number,
): Promise<{ data: Alert[]; isWhole: boolean }> {
  const room = new PageRoom();
  const data: Alert[] = [];
  for (let at = 0; at < ids.length; at += portion) {
    for (const row of await alertsById(tx, tenant, ids.slice(at, at + portion))) {
      const alert = alertFromRow(row);
      if (!room.take(alert)) return { data, isWhole: false };
      data.push(alert);
    }
  }
  return { data, isWhole: true };
}

/** The alert that the path names. Throws NOT_FOUND. */
export async function findAlert(
  tx: Pick<Tx, 'query'>,
  { principal, params }: Input<unknown, unknown>,
): Promise<ShownAlertRow> {
  const publicId = params['id'] ?? '';
  const id = uuidOf('alert', publicId);
  const [row] = id === null ? [] : await alertsById(tx, principal, [id]);
  if (!row) throw new Fault('NOT_FOUND', { resource: 'alert', id: publicId });
  return row;
}

/** Reads the counters of the pipeline, which are by status, severity and integration. */
export async function sumOfCounters(tx: Pick<Tx, 'query'>, tenant: Tenant, filter: AlertConditions): Promise<number> {
  const where = addAlertFilter(owned(tenant), filter);
  const [row] = await tx.query<{ n: string }>(
    `SELECT coalesce(sum(n), 0)::text AS n FROM alerts_views.counts WHERE ${where.toString()}`,
    where.params,
  );
  return Number(row?.n ?? 0);
}

/** Runs with the role of the service: see alert-search.ts. */
export async function countAlerts(database: Database, reader: AlertReader, filter: AlertConditions): Promise<number> {
  const where = alertConditions(reader, filter);
  const [row] = await database.query<{ n: string }>(
    `SELECT count(*)::text AS n FROM alerts_views.alerts WHERE ${where.toString()}`,
    where.params,
  );
  return Number(row?.n ?? 0);
}
