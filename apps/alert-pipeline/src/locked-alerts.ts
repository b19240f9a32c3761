/**
 * Alerts that are locked until the end of the transaction. Everyone who locks several alerts locks them here, in the order
 * of their ids, so that no two transactions wait for each other.
 */
import type { Tenant } from '@ams/contracts';
import { alertRecordOf, storedAlertColumns, type AlertRecord, type StoredAlert } from '@ams/alerting';
import type { Tx } from '@ams/database';

/** Those that `condition` selects among the alerts of the tenant; its parameters begin with `$3`. */
export async function lockAlertsWhere(
  tx: Tx,
  { organizationId, environment }: Tenant,
  condition: string,
  params: unknown[],
): Promise<AlertRecord[]> {
  const rows = await tx.query<StoredAlert>(
    `SELECT ${storedAlertColumns} FROM alerts.alerts
     WHERE organization_id = $1 AND environment = $2 AND ${condition} ORDER BY id FOR UPDATE`,
    [organizationId, environment, ...params],
  );
  return rows.map(alertRecordOf);
}

export const lockAlerts = async (tx: Tx, tenant: Tenant, ids: readonly string[]): Promise<AlertRecord[]> =>
  ids.length === 0 ? [] : lockAlertsWhere(tx, tenant, 'id = ANY($3::uuid[])', [ids]);

/** The open alerts of an incident. */
export const lockOpenAlerts = (tx: Tx, tenant: Tenant, incidentId: string): Promise<AlertRecord[]> =>
  lockAlertsWhere(tx, tenant, `incident_id = $3 AND status <> 'resolved'`, [incidentId]);
