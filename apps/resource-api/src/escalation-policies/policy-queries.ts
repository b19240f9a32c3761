/** SQL of escalation policies: their list, the table of what their levels name, and the records that use them. */
import { uuidsOf } from '@ams/alerting';
import { publicId, type ListEscalationPoliciesQuery, type Tenant } from '@ams/contracts';
import { containing, type Tx, type Where } from '@ams/database';
import { policyReferencesOf, type PolicyReference } from '@ams/domain';
import { referencesIn, type Reference } from '../records/references.js';
import { owned } from '../records/tenant-queries.js';
import type { EscalationPolicyEntity } from './escalation-policy.entity.js';

export function policiesMatching(
  tenant: Tenant,
  { teamId, q, createdSince, createdUntil }: ListEscalationPoliciesQuery,
): Where {
  const where = owned(tenant).ofTimes('created_at', createdSince, createdUntil);
  where.ofIds('team_id', 'team', teamId);
  return q ? where.and('name ILIKE ?', containing(q)) : where;
}

/** Stores the references of the levels, so that no record in use is deleted. */
export async function replacePolicyReferences(
  tx: Tx,
  { organizationId, environment, id, levels }: EscalationPolicyEntity,
): Promise<void> {
  const references = policyReferencesOf(levels);
  const uuidsOfNoun = (noun: PolicyReference['noun']): string[] =>
    uuidsOf(noun, [...new Set(references.filter((one) => one.noun === noun).map((one) => one.id))]);
  const policy = [organizationId, environment, id];
  await tx.query(
    'DELETE FROM resources.policy_references WHERE organization_id = $1 AND environment = $2 AND policy_id = $3',
    policy,
  );
  await tx.query(
    `INSERT INTO resources.policy_references
       (organization_id, environment, policy_id, schedule_id, member_id, team_id)
     SELECT $1, $2, $3, schedule_id, member_id, team_id FROM (
       SELECT unnest($4::uuid[]) AS schedule_id, NULL::uuid AS member_id, NULL::uuid AS team_id
       UNION ALL SELECT NULL, unnest($5::uuid[]), NULL UNION ALL SELECT NULL, NULL, unnest($6::uuid[])
     ) AS named`,
    [...policy, uuidsOfNoun('schedule'), uuidsOfNoun('member'), uuidsOfNoun('team')],
  );
}

/** Up to ten teams and ten workflows that name the policy, and the organization whose catch-all policy it is. */
export async function recordsUsing(
  tx: Tx,
  { organizationId, environment, id }: EscalationPolicyEntity,
): Promise<Reference[]> {
  const policy = [organizationId, environment, id];
  const ofTenant = 'organization_id = $1 AND environment = $2';
  const catchAll = await tx.query(
    `SELECT 1 FROM resources.organization_settings WHERE ${ofTenant} AND catch_all_policy_id = $3`,
    policy,
  );
  return [
    ...(await referencesIn(
      tx,
      'team',
      'team',
      `SELECT id, name FROM resources.teams WHERE ${ofTenant} AND policy_id = $3 ORDER BY name, id`,
      policy,
    )),
    ...(await referencesIn(
      tx,
      'workflow',
      'workflow',
      `SELECT w.id, w.name FROM resources.workflow_references r JOIN resources.workflows w ON w.id = r.workflow_id
       WHERE r.organization_id = $1 AND r.environment = $2 AND r.policy_id = $3 ORDER BY w.name, w.id`,
      policy,
    )),
    ...(catchAll.length === 0
      ? []
      : [{ resource: 'organization', id: publicId('organization', organizationId), name: 'catchAllPolicyId' }]),
  ];
}

/** Up to ten policies whose levels name the schedule or the team. */
export const policiesNaming = (
  tx: Tx,
  noun: 'schedule' | 'team',
  { organizationId, environment, id }: Tenant & { id: string },
): Promise<Reference[]> =>
  referencesIn(
    tx,
    'escalation_policy',
    'escalationPolicy',
    `SELECT p.id, p.name FROM resources.policy_references r JOIN resources.escalation_policies p ON p.id = r.policy_id
     WHERE r.organization_id = $1 AND r.environment = $2 AND r.${noun}_id = $3 ORDER BY p.name, p.id`,
    [organizationId, environment, id],
  );
