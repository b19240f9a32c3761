/** The filters of alerts as SQL, for the list and for bulk commands. */
import { publicId, uuidOf, type AlertFilter, type Noun, type Tenant } from '@ams/contracts';
import type { KeyRestriction } from '@ams/domain';
import { severityRank } from '../severity-rank.js';
import { containing, Where } from '@ams/database';

/** A malformed id matches no alert and is not an error. */
export const uuidsOf = (noun: Noun, ids: string[]): string[] =>
  ids.map((id) => uuidOf(noun, id)).filter((uuid) => uuid !== null);

/** A tenant, and for a narrowed key what it is restricted to. */
export type AlertReader = Tenant & { restrictedTo?: KeyRestriction | null };

/**
 * The condition for the alerts that a reader may see, for queries that run with the role of the service, where the
 * database does not hide the others.
 */
export function ofReader({ organizationId, environment, restrictedTo }: AlertReader, alias = ''): Where {
  const where = new Where()
    .and(`${alias}organization_id = ?`, organizationId)
    .and(`${alias}environment = ?`, environment);
  return restrictedTo ? where.and(`${alias}client_id = ANY(?::uuid[])`, restrictedTo.clientIds) : where;
}

/** The filter with the clients of a narrowed key when it names none, so that a search can use their index. */
export const filterOf = ({ restrictedTo }: AlertReader, filter: AlertFilter): AlertFilter =>
  restrictedTo && filter.clientId === undefined
    ? { ...filter, clientId: restrictedTo.clientIds.map((id) => publicId('client', id)) }
    : filter;

/** Conditions over the columns of `alerts.alerts`; they begin with the tenant. */
export const alertConditions = (reader: AlertReader, filter: AlertFilter): Where =>
  addAlertFilter(ofReader(reader), filter);

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
