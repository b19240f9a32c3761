/** By which escalation policy a page would run, whom its first level would tell now, and whom the others later. */
import {
  chosenPolicy,
  levelRecipients,
  shownOnCall,
  withoutDevices,
  type IncidentPage,
  type PagingPolicy,
  type PagingReads,
  type Recipient,
  type ShownOnCall,
} from '@ams/alerting';
import type { PlannedIncident, PlannedLevel, PlannedPage, Tenant } from '@ams/contracts';
import { plusSeconds, type PolicyReason, type PolicyRequest } from '@ams/domain';

/** A recipient without its real address. */
export interface PlannedTarget {
  channel: string;
  target: string;
  why: string;
  unreachable: string | null;
  onCall: ShownOnCall | null;
}

const plannedTarget = ({ channel, target, why, unreachable, onCall }: Recipient): PlannedTarget => ({
  channel,
  target,
  why,
  unreachable,
  onCall: shownOnCall(onCall),
});

/** A level may tell two thousand people: twenty teams of a hundred members. */
const maxShown = 100;

export const plannedTargets = (recipients: readonly Recipient[]): PlannedTarget[] =>
  withoutDevices(recipients).slice(0, maxShown).map(plannedTarget);

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
  const [levelOne, ...later] = policy ? await plannedLevels(reads, tenant, policy, at) : [];
  return {
    policyId: policy?.id ?? null,
    policyName: policy?.name ?? null,
    by: hasAnother ? 'incident' : choice.by,
    why: hasAnother ? 'The open incident pages by it already.' : reasons[choice.reason](team ?? ''),
    tellsNow: pages.some(({ recipients }) => recipients.some(({ unreachable }) => unreachable === null)),
    levelOne: levelOne?.targets ?? [],
    later,
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

/**
 * Whom each level would tell at its time, when nobody acknowledges. A level that comes to nobody takes no time, as in an
 * escalation.
 */
async function plannedLevels(
  reads: PagingReads,
  { organizationId, environment }: Tenant,
  policy: PagingPolicy,
  at: string,
): Promise<PlannedLevel[]> {
  const notifier = { organizationId, environment, policyId: policy.id, policyName: policy.name };
  const levels: PlannedLevel[] = [];
  let afterSeconds = 0;
  for (const { targets, escalateAfterSeconds } of policy.levels) {
    const recipients = await levelRecipients(reads, notifier, targets, plusSeconds(at, afterSeconds));
    levels.push({ level: levels.length + 1, afterSeconds, targets: plannedTargets(recipients) });
    if (recipients.some(({ unreachable }) => unreachable === null)) afterSeconds += escalateAfterSeconds;
  }
  return levels;
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
