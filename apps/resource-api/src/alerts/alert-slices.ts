/** Slices of a search: alerts of one status and severity, of one source … In each, an index has the order of a page. */
import { severityRank, uuidsOf } from '@ams/alerting';
import type { AlertFilter } from '@ams/contracts';
import { alertStatuses, choiceOf, chosenOf, severities } from '@ams/domain';

export type AlertOrder = 'lastOccurredAt' | 'createdAt' | 'severity';

export interface Slices {
  /** The values that define the slices: for each column a list with one value for each slice. */
  columns: { name: string; type: string; values: unknown[] }[];
  count: number;
  /** The filters that the slices apply. They need no further condition. */
  settled: (keyof AlertFilter)[];
}

/** All alerts of the tenant. */
const oneSlice: Slices = { columns: [], count: 1, settled: [] };

/** The slices of the most selective field of the filter for which an index with this order exists. */
export function slicesOf(filter: AlertFilter, order: AlertOrder): Slices {
  if (order === 'createdAt') return oneSlice;
  if (order === 'severity') return byState(filter);
  const [fingerprint, incidentId, assigneeId, clientId, integrationId, source] = (
    ['fingerprint', 'incidentId', 'assigneeId', 'clientId', 'integrationId', 'source'] as const
  ).map((field) => namedValues(filter[field]));
  if (fingerprint) return byColumn('fingerprint', 'text', fingerprint, 'fingerprint');
  if (incidentId) return byColumn('incident_id', 'uuid', uuidsOf('incident', incidentId), 'incidentId');
  if (assigneeId) return byColumn('assignee_id', 'uuid', uuidsOf('member', assigneeId), 'assigneeId');
  if (clientId) return byColumn('client_id', 'uuid', uuidsOf('client', clientId), 'clientId');
  if (integrationId) return byColumn('integration_id', 'uuid', uuidsOf('integration', integrationId), 'integrationId');
  if (source) return byColumn('source', 'text', source, 'source');
  return filter.status || filter.severity ? byState(filter) : oneSlice;
}

/** The values of a filter that names all of them. Null for a filter with `!`, which an index does not help. */
function namedValues(filter: readonly string[] | undefined): string[] | null {
  if (!filter) return null;
  const { negated, none, values } = choiceOf(filter);
  return negated || none ? null : values;
}

function byColumn(name: string, type: string, values: unknown[], settled: keyof AlertFilter): Slices {
  const distinct = [...new Set(values)];
  return { columns: [{ name, type, values: distinct }], count: distinct.length, settled: [settled] };
}

function byState({ status, severity }: AlertFilter): Slices {
  const ranks = chosenOf(severity, severities).map(severityRank);
  const pairs = chosenOf(status, alertStatuses).flatMap((state) => ranks.map((rank) => ({ state, rank })));
  return {
    columns: [
      { name: 'status', type: 'text', values: pairs.map(({ state }) => state) },
      { name: 'severity', type: 'smallint', values: pairs.map(({ rank }) => rank) },
    ],
    count: pairs.length,
    settled: ['status', 'severity'],
  };
}
