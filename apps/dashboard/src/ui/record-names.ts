/** The names of records that others refer to by their ids: those of short lists, which are read whole. */
import { useQueries, useQuery } from '@tanstack/react-query';
import { all, read } from '../api/queries.js';
import { useCan } from '../app/session.js';

export type NamedNoun = 'client' | 'integration' | 'member' | 'schedule' | 'team' | 'policy';

/** Undefined while it is not known, and for records that the member may not see. */
export type NameOf = (noun: NamedNoun, id: string) => string | undefined;

/** Clients can be many: those that are needed are named by `clientIds`, and read one by one. */
export function useRecordNames(nouns: readonly NamedNoun[], clientIds: readonly string[] = []): NameOf {
  const can = useCan();
  const wants = (noun: NamedNoun): boolean => nouns.includes(noun);
  const found: Partial<Record<NamedNoun, readonly { id: string; name: string }[] | undefined>> = {
    integration: useQuery({ ...all('listIntegrations'), enabled: wants('integration') && can('listIntegrations') })
      .data,
    member: useQuery({ ...all('listMembers'), enabled: wants('member') && can('listMembers') }).data,
    schedule: useQuery({ ...all('listSchedules'), enabled: wants('schedule') && can('listSchedules') }).data,
    team: useQuery({ ...all('listTeams'), enabled: wants('team') && can('listTeams') }).data,
    policy: useQuery({
      ...all('listEscalationPolicies'),
      enabled: wants('policy') && can('listEscalationPolicies'),
    }).data,
    client: useQueries({
      queries: (can('getClient') ? clientIds : []).map((id) => ({
        ...read('getClient', { path: { id } }),
        staleTime: 5 * 60_000,
      })),
      combine: (results) => results.flatMap(({ data }) => data ?? []),
    }),
  };
  return (noun, id) => found[noun]?.find((record) => record.id === id)?.name;
}
