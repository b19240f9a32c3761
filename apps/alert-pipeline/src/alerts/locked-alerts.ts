/**
 * Alerts that are locked until the end of the transaction. All code that locks several alerts uses these functions.
 * They lock in the order of the ids, so that no deadlock occurs.
 */
import type { IngestEvent, Tenant } from '@ams/contracts';
import {
  alertRecordOf,
  dedupScopeOf,
  findOpenAlerts,
  previousAlertKey,
  alertColumns,
  updateOpenAlerts,
  Windows,
  type AlertRecord,
  type AlertRecords,
  type OpenAlerts,
  type PreviousAlerts,
  type AlertRow,
} from '@ams/alerting';
import type { Tx } from '@ams/database';
import type { AlertChanges } from './alert-changes.js';

/** The alerts of the tenant that match `condition`. The parameters of the condition begin with `$3`. */
export async function lockAlertsWhere(
  tx: Tx,
  { organizationId, environment }: Tenant,
  condition: string,
  params: unknown[],
  /** Those that another transaction has locked are left out. */
  waiting: '' | 'SKIP LOCKED' = '',
): Promise<AlertRecord[]> {
  const rows = await tx.query<AlertRow>(
    `SELECT ${alertColumns} FROM alerts.alerts
     WHERE organization_id = $1 AND environment = $2 AND ${condition} ORDER BY id FOR UPDATE ${waiting}`,
    [organizationId, environment, ...params],
  );
  return rows.map(alertRecordOf);
}

export const lockAlerts = async (tx: Tx, tenant: Tenant, ids: readonly string[]): Promise<AlertRecord[]> =>
  ids.length === 0 ? [] : lockAlertsWhere(tx, tenant, 'id = ANY($3::uuid[])', [ids]);

/** Those of some alerts that a command may change, locked, and the ids of those that are resolved. */
export interface Commanded {
  records: readonly AlertRecord[];
  resolved: readonly string[];
}

/**
 * The same for a command that cannot change a resolved alert. Those stay resolved, so they are not locked: events of
 * their organization would wait, and those of others that are applied together with them.
 */
export async function lockUnresolved(tx: Tx, tenant: Tenant, ids: readonly string[]): Promise<Commanded> {
  if (ids.length === 0) return { records: [], resolved: [] };
  const records = await lockAlertsWhere(tx, tenant, `id = ANY($3::uuid[]) AND status <> 'resolved'`, [ids]);
  const locked = new Set(records.map(({ id }) => id));
  const others = ids.filter((id) => !locked.has(id));
  if (others.length === 0) return { records, resolved: [] };
  const resolved = await tx.query<{ id: string }>(
    `SELECT id FROM alerts.alerts
     WHERE organization_id = $1 AND environment = $2 AND id = ANY($3::uuid[]) AND status = 'resolved'`,
    [tenant.organizationId, tenant.environment, others],
  );
  return { records, resolved: resolved.map(({ id }) => id) };
}

/** The open alerts of an incident. */
export const lockOpenAlerts = (tx: Tx, tenant: Tenant, incidentId: string): Promise<AlertRecord[]> =>
  lockAlertsWhere(tx, tenant, `incident_id = $3 AND status <> 'resolved'`, [incidentId]);

// --- The alerts of a batch of events ---------------------------------------------------------------------------------

/** A batch may have events of several tenants. */
export const lockedAlerts = (tx: Tx, changes: AlertChanges): AlertRecords => ({
  openAlertsFor: (events) => lockOpenAlertsFor(tx, events),
  previousAlertsFor: (events) => previousAlertsFor(tx, events),
  windowsFor: (tenants) => Windows.of(tx, tenants),
  openAlert: (record, change) => changes.open(record, change),
  changeAlert: (record, next, change) => changes.change(record, next, change),
});

const lockOpen = {
  name: 'lock open alerts',
  text: `SELECT ${alertColumns} FROM alerts.alerts
    WHERE id = ANY($1::uuid[]) AND status <> 'resolved' ORDER BY id FOR UPDATE`,
};

/**
 * Locks rows in the order of their ids, as above. An alert that a command resolves before it is locked is no longer
 * open. No other transaction opens alerts of these fingerprints: only events open alerts, and one replica applies all
 * events of a partition.
 */
async function lockOpenAlertsFor(tx: Tx, events: readonly IngestEvent[]): Promise<OpenAlerts> {
  const open: OpenAlerts = new Map();
  const ids = await findOpenAlerts(tx, events);
  if (ids.length === 0) return open;
  for (const row of await tx.query<AlertRow>(lockOpen, [ids])) updateOpenAlerts(open, alertRecordOf(row));
  return open;
}

/**
 * The condition on the fingerprint is a range (BETWEEN), so that PostgreSQL uses the index over fingerprints for the
 * order. With `=`, a planner without statistics reads all alerts of the tenant, newest first, for each new fingerprint.
 */
const findPrevious = {
  name: 'find previous alerts',
  text: `SELECT k.o, k.e, k.f, k.s, a.id
   FROM json_to_recordset($1::json) AS k(o uuid, e text, f text, s text), LATERAL (
     SELECT id FROM alerts.alerts
     WHERE organization_id = k.o AND environment = k.e AND fingerprint BETWEEN k.f AND k.f AND dedup_scope = k.s
     ORDER BY fingerprint, created_at DESC LIMIT 1) AS a`,
};

async function previousAlertsFor(tx: Tx, events: readonly IngestEvent[]): Promise<PreviousAlerts> {
  if (events.length === 0) return new Map();
  const asked = events.map((event) => ({
    o: event.organizationId,
    e: event.environment,
    f: event.fingerprint,
    s: dedupScopeOf(event),
  }));
  type Found = { o: string; e: IngestEvent['environment']; f: string; s: string; id: string };
  const rows = await tx.query<Found>(findPrevious, [JSON.stringify(asked)]);
  return new Map(
    rows.map(({ o, e, f, s, id }) => [previousAlertKey({ organizationId: o, environment: e, fingerprint: f }, s), id]),
  );
}
