/** The filters of alerts as SQL, for the list and for bulk commands. */
import { uuidOf, type AlertFilter, type Noun, type Tenant } from '@ams/contracts';
import { severityRank } from '../severity-rank.js';
import { containing, Where } from '@ams/database';

/** A malformed id matches no alert and is not an error. */
export const uuidsOf = (noun: Noun, ids: string[]): string[] =>
  ids.map((id) => uuidOf(noun, id)).filter((uuid) => uuid !== null);

/** Conditions over the columns of `alerts.alerts`; they begin with the tenant. */
export const alertConditions = (tenant: Tenant, filter: AlertFilter): Where =>
  addAlertFilter(
    new Where().and('organization_id = ?', tenant.organizationId).and('environment = ?', tenant.environment),
    filter,
  );

/** Adds the conditions of a filter. */
export function addAlertFilter(where: Where, filter: AlertFilter): Where {
  if (filter.status) where.and('status = ANY(?::text[])', filter.status);
  if (filter.severity) where.and('severity = ANY(?::smallint[])', filter.severity.map(severityRank));
  if (filter.source) where.and('source = ANY(?::text[])', filter.source);
  if (filter.fingerprint) where.and('fingerprint = ANY(?::text[])', filter.fingerprint);
  if (filter.clientId) where.and('client_id = ANY(?::uuid[])', uuidsOf('client', filter.clientId));
  if (filter.integrationId) where.and('integration_id = ANY(?::uuid[])', uuidsOf('integration', filter.integrationId));
  if (filter.incidentId) where.and('incident_id = ANY(?::uuid[])', uuidsOf('incident', filter.incidentId));
  if (filter.assigneeId) where.and('assignee_id = ANY(?::uuid[])', uuidsOf('member', filter.assigneeId));
  for (const label of filter.label ?? []) {
    const colon = label.indexOf(':');
    where.and('labels @> ?::jsonb', JSON.stringify({ [label.slice(0, colon)]: label.slice(colon + 1) }));
  }
  if (filter.q) where.and('title ILIKE ?', containing(filter.q));
  if (filter.since) where.and('last_occurred_at >= ?', new Date(filter.since));
  if (filter.until) where.and('last_occurred_at < ?', new Date(filter.until));
  return where;
}
