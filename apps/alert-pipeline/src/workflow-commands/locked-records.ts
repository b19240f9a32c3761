/** Alerts and incidents of one tenant as locked rows. Decisions about them are written when the transaction ends. */
import type { Tenant } from '@ams/contracts';
import {
  findIncidentOfGroup,
  incidentOfGroup,
  pagingReads,
  type AlertingRecords,
  type AlertRecord,
  type IncidentRecord,
} from '@ams/alerting';
import type { Tx } from '@ams/database';
import type { AlertChanges } from '../alerts/alert-changes.js';
import { lockAlerts, lockedAlerts, lockOpenAlerts } from '../alerts/locked-alerts.js';
import { lockIncidents, type IncidentChanges } from '../incidents/incident-changes.js';
import { nextIncidentNumber } from '../incidents/incident-number.js';

/** Alerts are locked before incidents, as in every transaction. */
export function lockedRecords(
  tx: Tx,
  tenant: Tenant,
  alerts: AlertChanges,
  incidents: IncidentChanges,
  /** Alerts that the caller has locked. */
  locked: readonly AlertRecord[] = [],
): AlertingRecords {
  const known = new Map<string, IncidentRecord>();
  const incident = async (id: string): Promise<IncidentRecord | undefined> => {
    const found = known.get(id) ?? (await lockIncidents(tx, tenant, [id]))[0];
    if (found) known.set(id, found);
    return found;
  };
  const given = new Map(locked.map((record) => [record.id, record]));
  return {
    ...lockedAlerts(tx, alerts),
    paging: pagingReads(tx),
    alert: async (id) => given.get(id) ?? (await lockAlerts(tx, tenant, [id]))[0],
    openAlertsOf: (incidentId) => lockOpenAlerts(tx, tenant, incidentId),
    incident,
    async incidentOfGroup(group, at) {
      // Two transactions may open an incident for the same group: the second waits here and then finds the incident of
      // the first.
      await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
        `${group.workflowId ?? `${tenant.organizationId} ${tenant.environment}`} ${group.groupKey}`,
      ]);
      const present = incidentOfGroup([...known.values()], group, at);
      if (present) return present;
      const id = await findIncidentOfGroup(tx, group, at);
      return id === null ? undefined : incident(id);
    },
    nextIncidentNumber: () => nextIncidentNumber(tx, tenant.organizationId),
    ...incidents.effects,
    openIncident(record, change) {
      known.set(record.id, record);
      incidents.open(record, change);
    },
  };
}
