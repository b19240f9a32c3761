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
  | { longChain: true };

/** Labels come from senders and may be long. */
const maxSlugLength = 100;

export const shareOf = ({ organizationId, environment }: ShareTenant, owner: ShareOwner): Share => ({
  organization: organizationId,
  team: `${environment} ${nameOf(owner)}`,
});

function nameOf(owner: ShareOwner): string {
  if ('longChain' in owner) return 'long chain';
  if ('team' in owner) return owner.team === null ? 'catch-all' : `team ${owner.team.slice(0, maxSlugLength)}`;
  if ('policyId' in owner) return owner.policyId === null ? 'catch-all' : `policy ${owner.policyId}`;
  return 'catchAll' in owner || owner.workflowId === null ? 'catch-all' : `workflow ${owner.workflowId}`;
}

/**
 * The share of a run: the team that it pages, else the policy, else the team that the label `team` of the alert names,
 * else its workflow. A run that tells nobody gives way to other organizations. `causedBefore` is how many runs its
 * chain of workflows had caused before it: after some, those that tell nobody have a share of their own.
 */
export function shareOfRun(
  tenant: ShareTenant,
  workflow: { id: string; steps: readonly WorkflowStep[] },
  labels: Readonly<Record<string, string>>,
  causedBefore = 0,
): Share {
  if (asksForHelp(workflow.steps)) return shareOf(tenant, ownerOfRun(workflow, labels));
  if (causedBefore >= promptCausedRuns) return { ...shareOf(tenant, { longChain: true }), givesWay: 'rest' };
  return { ...shareOf(tenant, ownerOfRun(workflow, labels)), givesWay: 'few' };
}

function ownerOfRun(
  { id: workflowId, steps }: { id: string; steps: readonly WorkflowStep[] },
  labels: Readonly<Record<string, string>>,
): ShareOwner {
  const page = steps.find((step) => step.type === 'page');
  const label = (key: string): string | null => (Object.hasOwn(labels, key) ? (labels[key] ?? null) : null);
  if (!page) return label('team') === null ? { workflowId } : { team: label('team') };
  const { policy } = page.params;
  if (policy === null) return { catchAll: true };
  if ('id' in policy) return { policyId: policy.id };
  return { team: label(policy.teamFrom.slice('labels.'.length)) };
}
