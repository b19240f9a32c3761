/** The levels of the incident's escalation policy, with whom each would tell now. */
import { useQuery } from '@tanstack/react-query';
import type { Data } from '../api/operation-types.js';
import { read } from '../api/queries.js';
import { useCan } from '../app/session.js';
import type { Incident } from './use-update-incident.js';

export type PolicyLevel = Data<'getCurrentRecipients'>['levels'][number];

/** `levels` is null while they are not known, and when the member may not read them. */
export function usePolicyLevels(incident: Incident): { levels: PolicyLevel[] | null; isLoading: boolean } {
  const can = useCan();
  const isOpen = incident.status !== 'resolved';
  const organization = useQuery({
    ...read('getOrganization'),
    enabled: isOpen && incident.policyId === null && can('getOrganization'),
  });
  const policyId = incident.policyId ?? organization.data?.catchAllPolicyId ?? null;
  const isPaging = isOpen && incident.escalation.state !== 'stopped';
  const current = useQuery({
    ...read('getCurrentRecipients', { path: { id: policyId ?? '' } }),
    enabled: isPaging && policyId !== null && can('getCurrentRecipients'),
  });
  return { levels: current.data?.levels ?? null, isLoading: current.isLoading };
}
