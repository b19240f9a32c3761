/** SQL of integrations: their list with numbers from the request log, the records that use them, expired tokens. */
import { uuidsOf } from '@ams/alerting';
import type { ListIntegrationsQuery, Tenant } from '@ams/contracts';
import { containing, selectOf, Where, type Tx } from '@ams/database';
import { referencesIn, type Reference } from '../records/references.js';
import { noActivity, type IntegrationActivity } from './integration-record.js';
import { IntegrationEntity } from './integration.entity.js';

export type ListedIntegration = IntegrationEntity & IntegrationActivity;

const activityColumns =
  'a.last_event_at AS "lastEventAt", a.limited_count AS "limitedCount", a.limited_at AS "limitedAt"';

export const listedColumns = (tx: Tx): string => `${selectOf(tx, IntegrationEntity, 'i')}, ${activityColumns}`;

export const integrationsWithActivity =
  'resources.integrations i LEFT JOIN resources.integration_activity a ON a.integration_id = i.id';

export function integrationsMatching(
  { organizationId, environment }: Tenant,
  { type, enabled, clientId, teamId, q }: ListIntegrationsQuery,
): Where {
  const where = new Where()
    .and('i.organization_id = ?', organizationId)
    .and('i.environment = ?', environment)
    .and('i.deleted_at IS NULL');
  if (type) where.and('i.type = ANY(?::text[])', type);
  if (enabled) where.and('i.enabled = ?', enabled === 'true');
  if (clientId) where.and('i.client_id = ANY(?::uuid[])', uuidsOf('client', clientId));
  if (teamId) where.and('i.team_id = ANY(?::uuid[])', uuidsOf('team', teamId));
  return q ? where.and('i.name ILIKE ?', containing(q)) : where;
}

export async function activityOf(
  tx: Tx,
  { organizationId, environment, id }: IntegrationEntity,
): Promise<IntegrationActivity> {
  const [activity] = await tx.query<IntegrationActivity>(
    `SELECT ${activityColumns} FROM resources.integration_activity a
     WHERE a.organization_id = $1 AND a.environment = $2 AND a.integration_id = $3`,
    [organizationId, environment, id],
  );
  return activity ?? noActivity;
}

/**
 * Up to ten open alerts of an integration, and up to ten suppression windows that name it. The integration is locked,
 * so a transaction that writes a window with it waits.
 */
export async function recordsUsing(tx: Tx, integration: IntegrationEntity): Promise<Reference[]> {
  const { organizationId, environment, id } = integration;
  const windows = await referencesIn(
    tx,
    'suppression_window',
    'suppressionWindow',
    `SELECT id, name FROM resources.suppression_windows
     WHERE organization_id = $1 AND environment = $2 AND $3 = ANY(integration_ids)`,
    [organizationId, environment, id],
  );
  return [...(await openAlerts(tx, integration)), ...windows];
}

/** Most integrations have none. The counters show that without reading alerts. */
async function openAlerts(tx: Tx, { organizationId, environment, id }: IntegrationEntity): Promise<Reference[]> {
  const ofIntegration = `organization_id = $1 AND environment = $2 AND integration_id = $3 AND status <> 'resolved'`;
  const params = [organizationId, environment, id];
  const [open] = await tx.query<{ n: string }>(
    `SELECT coalesce(sum(n), 0)::text AS n FROM alerts_views.counts WHERE ${ofIntegration}`,
    params,
  );
  if (open?.n === '0') return [];
  const alerts = `SELECT id, title AS name FROM alerts_views.alerts WHERE ${ofIntegration}`;
  return referencesIn(tx, 'alert', 'alert', alerts, params);
}

/** Removes the previous tokens that have expired, in all tenants. Returns their hashes. */
export async function removeExpiredTokens(tx: Tx): Promise<string[]> {
  const rows = await tx.query<{ hash: string }>(
    `WITH expired AS (
       SELECT id, previous_token_hash FROM resources.integrations
       WHERE previous_token_hash IS NOT NULL AND previous_token_expires_at <= now() FOR UPDATE SKIP LOCKED
     )
     UPDATE resources.integrations i SET previous_token_hash = NULL, previous_token_expires_at = NULL
     FROM expired WHERE i.id = expired.id
     RETURNING expired.previous_token_hash AS hash`,
  );
  return rows.map(({ hash }) => hash);
}
