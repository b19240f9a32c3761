/** The filters of alerts as SQL, for the list, for exports and for bulk commands. */
import { publicId, uuidOf, type AlertFilter, type Noun, type Tenant } from '@ams/contracts';
import { containing, Where } from '@ams/database';
import { alertStatuses, chosenOf, labelTermsOf, severities, type KeyRestriction, type LabelTerm } from '@ams/domain';
import { severityRank } from '../severity-rank.js';

/** A malformed id matches no alert and is not an error. */
export const uuidsOf = (noun: Noun, ids: readonly string[]): string[] =>
  ids.map((id) => uuidOf(noun, id)).filter((uuid) => uuid !== null);

/** The values of a label that a pattern matches: see label-patterns.ts. */
export interface MatchedLabel {
  key: string;
  values: string[];
  negated: boolean;
}

/** A filter whose patterns are replaced by the values that they match. */
export interface AlertConditions extends AlertFilter {
  matched?: MatchedLabel[] | undefined;
}

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
export const filterOf = ({ restrictedTo }: AlertReader, filter: AlertConditions): AlertConditions =>
  restrictedTo && filter.clientId === undefined
    ? { ...filter, clientId: restrictedTo.clientIds.map((id) => publicId('client', id)) }
    : filter;

/** Conditions over the columns of `alerts.alerts`; they begin with the tenant. */
export const alertConditions = (reader: AlertReader, filter: AlertConditions): Where =>
  addAlertFilter(ofReader(reader), filter);

/** Adds the conditions of a filter. */
export function addAlertFilter(where: Where, filter: AlertConditions): Where {
  if (filter.status) where.and('status = ANY(?::text[])', chosenOf(filter.status, alertStatuses));
  if (filter.severity)
    where.and('severity = ANY(?::smallint[])', chosenOf(filter.severity, severities).map(severityRank));
  where.ofTexts('source', filter.source);
  where.ofTexts('fingerprint', filter.fingerprint);
  where.ofIds('client_id', 'client', filter.clientId);
  where.ofIds('integration_id', 'integration', filter.integrationId);
  where.ofIds('incident_id', 'incident', filter.incidentId);
  where.ofIds('assignee_id', 'member', filter.assigneeId);
  for (const term of labelTermsOf(filter.label ?? [])) addLabel(where, term);
  for (const matched of filter.matched ?? []) addMatched(where, matched);
  if (filter.q) where.and('title ILIKE ?', containing(filter.q));
  where.ofTimes('last_occurred_at', filter.since, filter.until);
  where.ofTimes('created_at', filter.createdSince, filter.createdUntil);
  return where;
}

function addLabel(where: Where, term: LabelTerm): void {
  const { key, negated } = term;
  if (term.kind === 'matches') throw new Error('a pattern must be replaced by the values that it matches');
  if (term.kind === 'present') where.and(`labels ->> ? IS ${negated ? '' : 'NOT '}NULL`, key);
  else where.and(`${negated ? 'NOT ' : ''}labels @> ?::jsonb`, JSON.stringify({ [key]: term.value }));
}

/** So many values are found by the index of labels. More are compared one alert at a time. */
const indexedValues = 20;

function addMatched(where: Where, { key, values, negated }: MatchedLabel): void {
  if (negated) where.and('(labels ->> ? = ANY(?::text[])) IS NOT TRUE', key, values);
  else if (isIndexed({ key, values, negated }))
    where.and(
      `(${values.map(() => 'labels @> ?::jsonb').join(' OR ')})`,
      ...values.map((value) => JSON.stringify({ [key]: value })),
    );
  else where.and('labels ->> ? = ANY(?::text[])', key, values);
}

const isIndexed = ({ values, negated }: MatchedLabel): boolean =>
  !negated && values.length > 0 && values.length <= indexedValues;

/** Whether the index of labels or of titles finds the alerts of the filter. */
export const isSearched = ({ label, matched, q }: AlertConditions): boolean =>
  q !== undefined ||
  labelTermsOf(label ?? []).some((term) => term.kind === 'equals' && !term.negated) ||
  (matched ?? []).some(isIndexed);
