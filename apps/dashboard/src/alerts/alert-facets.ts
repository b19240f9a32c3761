/** The facets of alerts, in words. */
import { useQuery } from '@tanstack/react-query';
import { all, read } from '../api/queries.js';
import type { QueryInput } from '../api/operation-types.js';
import { useCan } from '../app/session.js';
import { useMemberNames } from '../ui/member-name.js';

/** The names of clients and integrations by their ids; the id itself while they are not known. */
export function useNames(): (kind: 'client' | 'integration' | 'member', id: string) => string {
  const can = useCan();
  const memberOf = useMemberNames();
  const clients = useQuery({ ...all('listClients'), enabled: can('listClients') });
  const integrations = useQuery({ ...all('listIntegrations'), enabled: can('listIntegrations') });
  const known = {
    client: new Map(clients.data?.map(({ id, name }) => [id, name])),
    integration: new Map(integrations.data?.map(({ id, name }) => [id, name])),
  };
  return (kind, id) => (kind === 'member' ? memberOf(id) : (known[kind].get(id) ?? id));
}

const facets = ['status', 'severity', 'clientId', 'integrationId', 'assigneeId', 'source'];

/** The label that names the team of an alert, unless a workflow reads another one. */
export const teamLabel = 'team';

/** The counts for the present filters: also of teams, and of the other labels that are chosen. */
export function useAlertFacets({ sort: _sort, ...filters }: QueryInput<'listAlerts'>) {
  const chosen = (filters.label ?? []).flatMap((label) => /^[^!~:]+(?=:)/.exec(label)?.[0] ?? []);
  const keys = [...new Set([teamLabel, ...chosen])];
  const facet = [...facets, ...keys.slice(0, 5).map((key) => `label:${key}`)];
  return useQuery({
    ...read('getAlertFacets', { query: { ...filters, facet, values: 12 } }),
    placeholderData: (before) => before,
  });
}
