/** To which share work belongs (fair-queue.ts). */
import type { Environment } from '@ams/scopes';
import { asksForHelp, promptCausedRuns } from '../workflows/workflow-run.js';
import type { WorkflowStep } from '../workflows/workflow-schema.js';
import type { Share } from './fair-queue.js';

export interface ShareTenant {
  organizationId: string;
  environment: Environment;
}

/** Whose work it is within the tenant: that of a team (its slug), else of a policy, a workflow, or nobody's. */
export type ShareOwner =
  | { team: string | null }
  | { policyId: string | null }
  | { workflowId: string | null }
  | { catchAll: true }
  | { yielding: true };

/** Labels come from senders and may be long. */
const maxSlugLength = 100;
const yieldingName = 'yielding';

export const shareOf = ({ organizationId, environment }: ShareTenant, owner: ShareOwner): Share => ({
  organization: organizationId,
  team: `${environment} ${nameOf(owner)}`,
});

/** Work of this share leaves processors idle for other organizations while these are active. */
export const isYielding = ({ team }: Share): boolean => team.split(' ', 2)[1] === yieldingName;

function nameOf(owner: ShareOwner): string {
  if ('yielding' in owner) return yieldingName;
  if ('team' in owner) return owner.team === null ? 'catch-all' : `team ${owner.team.slice(0, maxSlugLength)}`;
  if ('policyId' in owner) return owner.policyId === null ? 'catch-all' : `policy ${owner.policyId}`;
  return 'catchAll' in owner || owner.workflowId === null ? 'catch-all' : `workflow ${owner.workflowId}`;
}

/**
 * The share of a run: the team that it pages, else the policy, else the team that the label `team` of the alert names,
 * else its workflow. A run of a long chain of workflows that tells nobody belongs to a share of such runs; `causedBefore`
 * is how many runs the chain had caused before it.
 */
export function shareOfRun(
  tenant: ShareTenant,
  { id: workflowId, steps }: { id: string; steps: readonly WorkflowStep[] },
  labels: Readonly<Record<string, string>>,
  causedBefore = 0,
): Share {
  if (causedBefore >= promptCausedRuns && !asksForHelp(steps)) return shareOf(tenant, { yielding: true });
  const page = steps.find((step) => step.type === 'page');
  const label = (key: string): string | null => (Object.hasOwn(labels, key) ? (labels[key] ?? null) : null);
  if (!page) return shareOf(tenant, label('team') === null ? { workflowId } : { team: label('team') });
  const { policy } = page.params;
  if (policy === null) return shareOf(tenant, { catchAll: true });
  if ('id' in policy) return shareOf(tenant, { policyId: policy.id });
  return shareOf(tenant, { team: label(policy.teamFrom.slice('labels.'.length)) });
}
