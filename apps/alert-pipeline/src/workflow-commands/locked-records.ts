/** Alerts and incidents of one tenant as locked rows. Decisions about them are written when the transaction ends. */
import type { Tenant } from '@ams/contracts';
import {
  findIncidentsOfGroups,
  incidentOfGroup,
  pagingReads,
  type AlertingRecords,
  type AlertRecord,
  type IncidentGroup,
  type IncidentRecord,
} from '@ams/alerting';
import type { Tx } from '@ams/database';
import type { AlertChanges } from '../alerts/alert-changes.js';
import { lockAlerts, lockedAlerts, lockOpenAlerts } from '../alerts/locked-alerts.js';
import { lockIncidents, type IncidentChanges } from '../incidents/incident-changes.js';
import type { IncidentNumbers } from '../incidents/incident-number.js';

/** The changes that the transaction makes, and the numbers that it gives. */
export interface ChangesMade {
  alerts: AlertChanges;
  incidents: IncidentChanges;
  numbers: IncidentNumbers;
}

/**
 * Alerts are locked before groups, and groups before incidents, as in every transaction; groups and incidents each in
 * one order, so that no deadlock occurs.
 */
export function lockedRecords(
  tx: Tx,
  tenant: Tenant,
  { alerts, incidents, numbers }: ChangesMade,
  /** Alerts that the caller has locked. */
  locked: readonly AlertRecord[] = [],
): AlertingRecords {
  const known = new Map<string, IncidentRecord>();
  const lock = async (ids: readonly string[]): Promise<void> => {
    for (const record of await lockIncidents(
      tx,
      tenant,
      ids.filter((id) => !known.has(id)),
    ))
      known.set(record.id, record);
  };
  const incident = async (id: string): Promise<IncidentRecord | undefined> => {
    await lock([id]);
    return known.get(id);
  };
  const given = new Map(locked.map((record) => [record.id, record]));
  /** The incident that the database has for a group. */
  const ofGroups = new Map<string, string | null>();
  return {
    ...lockedAlerts(tx, alerts),
    paging: pagingReads(tx),
    alert: async (id) => given.get(id) ?? (await lockAlerts(tx, tenant, [id]))[0],
    openAlertsOf: (incidentId) => lockOpenAlerts(tx, tenant, incidentId),
    incident,
    async prepareGroups(groups, incidentIds, at) {
      await lockGroups(tx, groups);
      const found = await findIncidentsOfGroups(tx, groups, at);
      for (const [index, group] of groups.entries()) ofGroups.set(keyOfGroup(group), found[index] ?? null);
      await lock([...new Set([...incidentIds, ...found.filter((id) => id !== null)])]);
    },
    async incidentOfGroup(group, at) {
      const present = incidentOfGroup([...known.values()], group, at);
      if (present) return present;
      const id = ofGroups.get(keyOfGroup(group)) ?? null;
      return id === null ? undefined : incident(id);
    },
    nextIncidentNumber: () => numbers.next(),
    ...incidents.effects,
    openIncident(record, change) {
      known.set(record.id, record);
      incidents.open(record, change);
    },
  };
}

const keyOfGroup = (group: IncidentGroup): string => JSON.stringify([group.workflowId, group.clientId, group.groupKey]);

/**
 * Two transactions may open an incident for the same group: the second waits here and then finds the incident of the
 * first.
 */
async function lockGroups(tx: Tx, groups: readonly IncidentGroup[]): Promise<void> {
  if (groups.length === 0) return;
  await tx.query(
    `SELECT pg_advisory_xact_lock(key) FROM (
       SELECT DISTINCT hashtextextended(name, 0) AS key FROM unnest($1::text[]) AS name ORDER BY key) AS keys`,
    [
      groups.map(
        ({ workflowId, organizationId, environment, groupKey }) =>
          `${workflowId ?? `${organizationId} ${environment}`} ${groupKey}`,
      ),
    ],
  );
}
