/** Alerts and incidents of one tenant as locked rows. Decisions about them are written when the transaction ends. */
import type { Tenant } from '@ams/contracts';
import { findIncidentOfGroup, type AlertingRecords } from '@ams/alerting';
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
): AlertingRecords {
  const incident = async (id: string) => (await lockIncidents(tx, tenant, [id]))[0];
  return {
    ...lockedAlerts(tx, alerts),
    alert: async (id) => (await lockAlerts(tx, tenant, [id]))[0],
    openAlertsOf: (incidentId) => lockOpenAlerts(tx, tenant, incidentId),
    incident,
    async incidentOfGroup(group, at) {
      // Two transactions may open an incident for the same group: the second waits here and then finds the incident of
      // the first.
      await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
        `${group.workflowId} ${group.groupKey}`,
      ]);
      const id = await findIncidentOfGroup(tx, group, at);
      return id === null ? undefined : incident(id);
    },
    nextIncidentNumber: () => nextIncidentNumber(tx, tenant.organizationId),
    openIncident: (record, change) => incidents.open(record, change),
    changeIncident: (record, next, change) => incidents.change(record, next, change),
  };
}
