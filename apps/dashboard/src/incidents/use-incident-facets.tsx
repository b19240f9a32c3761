import { useQuery } from '@tanstack/react-query';
import type { QueryInput } from '../api/operation-types.js';
import { all, read } from '../api/queries.js';
import { useCan } from '../app/session.js';
import { texts } from '../texts/texts.js';
import { facetOf, noValue } from '../ui/facets.js';
import type { Facet } from '../ui/facets-bar.js';
import { useMemberNames } from '../ui/member-name.js';
import { SeverityMark, type Severity } from '../ui/severity-mark.js';

const severities = ['critical', 'high', 'medium', 'low', 'info'] as const;
const statuses = ['triggered', 'acknowledged', 'resolved'] as const;

/** The facets of the list with the counts of the API. */
export function useIncidentFacets(query: QueryInput<'listIncidents'>): Facet[] {
  const can = useCan();
  const memberOf = useMemberNames();
  const { sort: _sort, ...filters } = query;
  const counted = useQuery({
    ...read('getIncidentFacets', { query: { ...filters, values: 12 } }),
    placeholderData: (before) => before,
  });
  const clients = useQuery({ ...all('listClients'), enabled: can('listClients') });
  const teams = useQuery({ ...all('listTeams'), enabled: can('listTeams') });
  const names = new Map([...(clients.data ?? []), ...(teams.data ?? [])].map(({ id, name }) => [id, name]));
  const shared = { more: texts.ui.facetMore, about: texts.ui.facetAbout };
  const of = (name: string) => counted.data?.facets.find(({ facet }) => facet === name);
  const optional = (
    name: 'teamId' | 'clientId' | 'assigneeId',
    title: string,
    nameOf: (id: string) => string,
  ): Facet[] => {
    const labelOf = (value: string) => <bdi>{value === noValue ? texts.ui.noValue : nameOf(value)}</bdi>;
    const facet = facetOf(name, of(name), query[name] ?? [], { title, labelOf, ...shared });
    return facet.values.length === 0 ? [] : [facet];
  };
  const named = (id: string): string => names.get(id) ?? id;
  return [
    facetOf('status', of('status'), query.status ?? [], {
      title: texts.incidents.status,
      labelOf: (value) => texts.ui.incidentStatus[value as (typeof statuses)[number]] ?? value,
      known: statuses,
      ...shared,
    }),
    facetOf('severity', of('severity'), query.severity ?? [], {
      title: texts.incidents.severity,
      labelOf: (value) =>
        (severities as readonly string[]).includes(value) ? <SeverityMark severity={value as Severity} /> : value,
      known: severities,
      ...shared,
    }),
    ...optional('teamId', texts.incidents.team, named),
    ...optional('assigneeId', texts.incidents.assignee, memberOf),
    ...optional('clientId', texts.incidents.client, named),
  ];
}
