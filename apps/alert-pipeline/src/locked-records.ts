/** Alerts and incidents as locked rows: what is decided about them is written at the end of the transaction. */
import type { IngestEvent, Tenant } from '@ams/contracts';
import {
  alertRecordOf,
  dedupScopeOf,
  findIncidentOfGroup,
  findOpenAlerts,
  previousAlertKey,
  storedAlertColumns,
  updateOpenAlerts,
  Windows,
  type AlertingRecords,
  type AlertRecords,
  type OpenAlerts,
  type PreviousAlerts,
  type StoredAlert,
} from '@ams/alerting';
import type { Tx } from '@ams/database';
import type { AlertChanges } from './alert-changes.js';
import { lockIncidents, type IncidentChanges } from './incident-changes.js';
import { nextNumber } from './incident-number.js';
import { lockAlerts, lockOpenAlerts } from './locked-alerts.js';

/** For a batch of events, which may belong to several tenants. */
export const lockedAlerts = (tx: Tx, changes: AlertChanges): AlertRecords => ({
  openAlertsFor: (events) => lockOpenAlertsFor(tx, events),
  previousAlertsFor: (events) => previousAlertsFor(tx, events),
  windowsFor: (tenants) => Windows.of(tx, tenants),
  openAlert: (record, change) => changes.open(record, change),
  changeAlert: (record, next, change) => changes.change(record, next, change),
});

/** For what one tenant asks. Alerts are locked before incidents. */
export function lockedRecords(
  tx: Tx,
  tenant: Tenant,
  alerts: AlertChanges,
  incidents: IncidentChanges,
): AlertingRecords {
  const incident = async (id: string) => (await lockIncidents(tx, tenant, [id]))[0];
  return {
    ...lockedAlerts(tx, alerts),
    alert: async (id) => (await lockAlerts(tx, tenant, [id]))[0],
    openAlertsOf: (incidentId) => lockOpenAlerts(tx, tenant, incidentId),
    incident,
    async incidentOfGroup(group, at) {
      // Two transactions may open an incident for the same group: the second waits here, and then finds that of the first.
      await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
        `${group.workflowId} ${group.groupKey}`,
      ]);
      const id = await findIncidentOfGroup(tx, group, at);
      return id === null ? undefined : incident(id);
    },
    nextIncidentNumber: () => nextNumber(tx, tenant.organizationId),
    openIncident: (record, change) => incidents.open(record, change),
    changeIncident: (record, next, change) => incidents.change(record, next, change),
  };
}

const lockOpen = {
  name: 'lock open alerts',
  text: `SELECT ${storedAlertColumns} FROM alerts.alerts
    WHERE id = ANY($1::uuid[]) AND status <> 'resolved' ORDER BY id FOR UPDATE`,
};

/**
 * Rows are locked in the order of their ids, as everywhere (see locked-alerts.ts). An alert that a command resolves before
 * it is locked is not open any more. No other transaction opens alerts of these fingerprints: only events open alerts, and
 * one replica applies all events of a partition.
 */
async function lockOpenAlertsFor(tx: Tx, events: readonly IngestEvent[]): Promise<OpenAlerts> {
  const open: OpenAlerts = new Map();
  const ids = await findOpenAlerts(tx, events);
  if (ids.length === 0) return open;
  for (const row of await tx.query<StoredAlert>(lockOpen, [ids])) updateOpenAlerts(open, alertRecordOf(row));
  return open;
}

/**
 * Only the index over fingerprints has this order, and a range of one fingerprint keeps it in the order: asked by equality, a
 * planner without statistics reads all alerts of the tenant, newest first, for each fingerprint that is new.
 */
const findPrevious = {
  name: 'find previous alerts',
  text: `SELECT k.o, k.e, k.f, k.s, a.id FROM json_to_recordset($1::json) AS k(o uuid, e text, f text, s text), LATERAL (
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
