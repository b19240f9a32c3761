import type { QueryInput } from '../api/operation-types.js';
import { texts } from '../texts/texts.js';
import { facetOf } from '../ui/facets.js';
import { noValue } from '../ui/facets.js';
import type { Facet } from '../ui/facets-bar.js';
import { SeverityMark, type Severity } from '../ui/severity-mark.js';
import { teamLabel, useAlertFacets, type useNames } from './alert-facets.js';

const severities = ['critical', 'high', 'medium', 'low', 'info'] as const;
const statuses = ['firing', 'acknowledged', 'suppressed', 'resolved'] as const;
type Status = (typeof statuses)[number];

/** The facets of the list with the counts of the API; while these load, with what is known without them. */
export function useFacets(query: QueryInput<'listAlerts'>, nameOf: ReturnType<typeof useNames>): Facet[] {
  const counted = useAlertFacets(query).data?.facets ?? [];
  const shared = { more: texts.ui.facetMore, about: texts.ui.facetAbout };
  const of = (name: string) => counted.find(({ facet }) => facet === name);
  const named = (kind: 'client' | 'integration' | 'member') => (value: string) => (
    <bdi>{value === noValue ? texts.ui.noValue : nameOf(kind, value)}</bdi>
  );
  const optional = (
    name: 'clientId' | 'integrationId' | 'assigneeId' | 'source',
    title: string,
    labelOf: (value: string) => Facet['values'][number]['label'],
  ): Facet[] => {
    const facet = facetOf(name, of(name), query[name] ?? [], { title, labelOf, ...shared });
    return facet.values.length === 0 ? [] : [facet];
  };
  const labels = counted.flatMap((facet) => {
    if (!facet.facet.startsWith('label:')) return [];
    const key = facet.facet.slice('label:'.length);
    const values = facet.values.flatMap(({ value, count }) =>
      value === null ? [] : [{ value: `${key}:${value}`, count }],
    );
    const labelOf = (value: string) => <bdi>{value.slice(key.length + 1)}</bdi>;
    const own = (query.label ?? []).filter((label) => label.startsWith(`${key}:`));
    if (values.length === 0 && own.length === 0) return [];
    const title = key === teamLabel ? texts.alerts.team : key;
    const shown = facetOf('label', { ...facet, values }, own, { title, labelOf, ...shared });
    // Choosing a value must keep the labels with other keys.
    return [{ ...shown, chosen: query.label ?? [] }];
  });
  return [
    facetOf('status', of('status'), query.status ?? [], {
      title: texts.alerts.status,
      labelOf: (value) => texts.ui.alertStatus[value as Status] ?? value,
      known: statuses,
      ...shared,
    }),
    facetOf('severity', of('severity'), query.severity ?? [], {
      title: texts.alerts.severity,
      labelOf: (value) =>
        (severities as readonly string[]).includes(value) ? <SeverityMark severity={value as Severity} /> : value,
      known: severities,
      ...shared,
    }),
    ...optional('clientId', texts.alerts.client, named('client')),
    ...optional('integrationId', texts.alerts.integration, named('integration')),
    ...optional('assigneeId', texts.alerts.assignee, named('member')),
    ...optional('source', texts.alerts.source, (value) => <bdi>{value === noValue ? texts.ui.noValue : value}</bdi>),
    ...labels,
  ];
}
