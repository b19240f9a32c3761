/** By which escalation policy a page would run, and whom its first level would tell now. */
import {
  chosenPolicy,
  levelRecipients,
  shownOnCall,
  type IncidentPage,
  type PagingPolicy,
  type PagingReads,
  type Recipient,
  type ShownOnCall,
} from '@ams/alerting';
import type { PlannedIncident, PlannedPage, Tenant } from '@ams/contracts';
import type { PolicyReason, PolicyRequest } from '@ams/domain';

/** A recipient without its real address. */
export interface PlannedTarget {
  channel: string;
  target: string;
  why: string;
  unreachable: string | null;
  onCall: ShownOnCall | null;
}

export const plannedTarget = ({ channel, target, why, unreachable, onCall }: Recipient): PlannedTarget => ({
  channel,
  target,
  why,
  unreachable,
  onCall: shownOnCall(onCall),
});

/** `policyId` is that of the incident; undefined when no incident is known. `at` in RFC 3339. */
export async function plannedPage(
  reads: PagingReads,
  tenant: Tenant,
  request: PolicyRequest,
  { policyId, pages, at }: { policyId?: string | null; pages: readonly IncidentPage[]; at: string },
): Promise<PlannedPage> {
  const choice = await chosenPolicy(reads, tenant, request);
  const hasAnother = policyId !== undefined && policyId !== choice.policyId;
  const id = hasAnother ? policyId : choice.policyId;
  const policy = id === null ? null : await reads.policy(tenant, id);
  const team = 'team' in request ? request.team : null;
  return {
    policyId: policy?.id ?? null,
    policyName: policy?.name ?? null,
    by: hasAnother ? 'incident' : choice.by,
    why: hasAnother ? 'The open incident pages by it already.' : reasons[choice.reason](team ?? ''),
    tellsNow: pages.some(({ recipients }) => recipients.some(({ unreachable }) => unreachable === null)),
    levelOne: policy ? await firstLevel(reads, tenant, policy, at) : [],
  };
}

const reasons: Readonly<Record<PolicyReason, (team: string) => string>> = {
  named: () => 'The step names it.',
  team: (team) => `The alert names the team "${team}".`,
  asked: () => 'The step names no policy.',
  policyMissing: () => 'The policy of the step does not exist.',
  noTeamNamed: () => 'The alert names no team.',
  teamMissing: (team) => `There is no team "${team}".`,
  teamWithoutPolicy: (team) => `The team "${team}" has no policy.`,
};

async function firstLevel(
  reads: PagingReads,
  { organizationId, environment }: Tenant,
  policy: PagingPolicy,
  at: string,
): Promise<PlannedTarget[]> {
  const notifier = { organizationId, environment, policyName: policy.name };
  return (await levelRecipients(reads, notifier, policy.levels[0]?.targets ?? [], at)).map(plannedTarget);
}

/** How the page goes on after what is done with the incident: `, and page by the escalation policy "Payments"`. */
export function describePage(page: PlannedPage, decision: PlannedIncident['decision'] | null): string {
  const begins = decision === null || decision === 'opened' || decision === 'reopened';
  return `${begins ? ', and page by' : ', which pages by'} ${policyIn(page)}`;
}

function policyIn({ policyId, policyName, by, why }: PlannedPage): string {
  const because = `${why.charAt(0).toLowerCase()}${why.slice(1).replace(/\.$/, '')}`;
  if (policyId === null) return `no escalation policy, so it tells the owners (${because})`;
  return `${by === 'catchAll' ? 'the catch-all policy' : 'the escalation policy'} "${policyName}" (${because})`;
}
