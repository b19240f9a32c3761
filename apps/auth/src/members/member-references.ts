/** Schedules, workflows and escalation policies that name a member. resource-api owns the tables and publishes views of them. */
import { Fault, publicId } from '@ams/contracts';
import { type Tx } from '@ams/database';
import { type MemberEntity } from './member.entity.js';

interface ReferenceRow {
  resource: keyof typeof nouns;
  id: string;
  name: string;
  environment: string;
}

const nouns = {
  schedule: { noun: 'schedule', words: 'the schedule' },
  override: { noun: 'scheduleOverride', words: 'an override of the schedule' },
  workflow: { noun: 'workflow', words: 'the workflow' },
  escalation_policy: { noun: 'escalationPolicy', words: 'the escalation policy' },
} as const;

/** References in both environments. $1: organization, $2: member, $3: now. Overrides that have ended do not count. */
const memberReferences = `
  SELECT 'schedule' AS resource, s.id, s.name, s.environment
  FROM resources_views.schedule_members m JOIN resources_views.schedules s ON s.id = m.schedule_id
  WHERE m.organization_id = $1 AND m.member_id = $2
  UNION ALL
  SELECT 'override', o.id, s.name, s.environment
  FROM resources_views.schedule_overrides o JOIN resources_views.schedules s ON s.id = o.schedule_id
  WHERE o.organization_id = $1 AND o.member_id = $2 AND o.ends_at > $3
  UNION ALL
  SELECT 'workflow', w.id, w.name, w.environment
  FROM resources_views.workflow_references r JOIN resources_views.workflows w ON w.id = r.workflow_id
  WHERE r.organization_id = $1 AND r.member_id = $2
  UNION ALL
  SELECT 'escalation_policy', p.id, p.name, p.environment
  FROM resources_views.policy_references r JOIN resources_views.escalation_policies p ON p.id = r.policy_id
  WHERE r.organization_id = $1 AND r.member_id = $2
  ORDER BY resource, environment, name, id`;

/** Throws RESOURCE_IN_USE. */
export async function requireUnreferenced(
  tx: Tx,
  { organizationId, id: memberId, email }: MemberEntity,
  now: Date,
): Promise<void> {
  const rows = await tx.query<ReferenceRow>(memberReferences, [organizationId, memberId, now]);
  if (rows.length === 0) return;
  const references = rows.map(({ resource, id, name }) => ({ resource, id: publicId(nouns[resource].noun, id), name }));
  const described = rows.map(({ resource, name, environment }, i) => {
    const where = `${environment}, ${references[i]?.id}`;
    return `${nouns[resource].words} "${name}" (${where})`;
  });
  const message = `${email} is used by ${described.join(', ')}. Remove these references first.`;
  throw new Fault('RESOURCE_IN_USE', { references }, message);
}
