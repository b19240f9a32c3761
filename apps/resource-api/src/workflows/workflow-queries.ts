/** SQL of workflows: their list, their last runs, and the table of what their steps name. */
import { uuidsOf } from '@ams/alerting';
import type { ListWorkflowsQuery, Tenant } from '@ams/contracts';
import { containing, selectOf, type Tx, type Where } from '@ams/database';
import { choiceOf, referencesOf } from '@ams/domain';
import { owned } from '../records/tenant-queries.js';
import { WorkflowEntity } from './workflow.entity.js';

export type ListedWorkflow = WorkflowEntity & { lastRunAt: Date | null };

export const listedColumns = (tx: Tx): string => `${selectOf(tx, WorkflowEntity, 'workflows')}, (
  SELECT r.created_at FROM workflows_views.runs r WHERE r.workflow_id = workflows.id ORDER BY r.id DESC LIMIT 1
) AS "lastRunAt"`;

export async function lastRunAtOf(tx: Tx, { organizationId, environment, id }: WorkflowEntity): Promise<Date | null> {
  const [run] = await tx.query<{ created_at: Date }>(
    `SELECT created_at FROM workflows_views.runs
     WHERE organization_id = $1 AND environment = $2 AND workflow_id = $3 ORDER BY id DESC LIMIT 1`,
    [organizationId, environment, id],
  );
  return run?.created_at ?? null;
}

export function workflowsMatching(tenant: Tenant, filters: ListWorkflowsQuery): Where {
  const { enabled, event, teamId, q } = filters;
  const where = owned(tenant).ofTimes('created_at', filters.createdSince, filters.createdUntil);
  if (enabled) where.and('enabled = ?', enabled === 'true');
  if (event) {
    const choice = choiceOf(event);
    where.anyChosen(choice, 'events && ?::text[]', [choice.values], 'false');
  }
  where.ofIds('team_id', 'team', teamId);
  return q ? where.and('name ILIKE ?', containing(q)) : where;
}

/** Stores the references of the steps, so that no schedule in use is deleted. */
export async function replaceReferences(
  tx: Tx,
  { organizationId, environment, id, steps }: WorkflowEntity,
): Promise<void> {
  const references = referencesOf(steps);
  const uuidsOfNoun = (noun: 'member' | 'schedule' | 'escalationPolicy'): string[] =>
    uuidsOf(noun, [...new Set(references.filter((one) => one.noun === noun).map((one) => one.id))]);
  const workflow = [organizationId, environment, id];
  await tx.query(
    'DELETE FROM resources.workflow_references WHERE organization_id = $1 AND environment = $2 AND workflow_id = $3',
    workflow,
  );
  await tx.query(
    `INSERT INTO resources.workflow_references
       (organization_id, environment, workflow_id, schedule_id, member_id, policy_id)
     SELECT $1, $2, $3, schedule_id, member_id, policy_id FROM (
       SELECT unnest($4::uuid[]) AS schedule_id, NULL::uuid AS member_id, NULL::uuid AS policy_id
       UNION ALL SELECT NULL, unnest($5::uuid[]), NULL UNION ALL SELECT NULL, NULL, unnest($6::uuid[])
     ) AS named`,
    [...workflow, uuidsOfNoun('schedule'), uuidsOfNoun('member'), uuidsOfNoun('escalationPolicy')],
  );
}
