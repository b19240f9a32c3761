/** What names a member. resource-api owns the tables and publishes views of them. */
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
  team: { noun: 'team', words: 'the team' },
} as const;

/** What a message names; the details have up to a hundred. */
const mostDescribed = 10;

/** What names the member, in both environments. Overrides that have ended do not count. */
const referencesOf = (tx: Tx, { organizationId, id }: MemberEntity, at: Date): Promise<ReferenceRow[]> =>
  tx.query<ReferenceRow>('SELECT resource, id, name, environment FROM auth.member_references($1, $2, $3) LIMIT 100', [
    organizationId,
    id,
    at,
  ]);

function inUse(rows: ReferenceRow[], who: string): Fault {
  const references = rows.map(({ resource, id, name }) => ({ resource, id: publicId(nouns[resource].noun, id), name }));
  const described = rows.slice(0, mostDescribed).map(({ resource, name, environment }, i) => {
    const where = `${environment}, ${references[i]?.id}`;
    return `${nouns[resource].words} "${name}" (${where})`;
  });
  const rest = rows.length > mostDescribed ? ' and others' : '';
  const message = `${who} is used by ${described.join(', ')}${rest}. Remove these references first.`;
  return new Fault('RESOURCE_IN_USE', { references }, message);
}

/** For a member who is disabled: a team may keep the member. Throws RESOURCE_IN_USE. */
export async function requireUnreferenced(tx: Tx, member: MemberEntity, at: Date): Promise<void> {
  const rows = (await referencesOf(tx, member, at)).filter(({ resource }) => resource !== 'team');
  if (rows.length > 0) throw inUse(rows, member.email);
}

/** For a member who is deleted. Throws RESOURCE_IN_USE. */
export async function requireUnused(tx: Tx, member: MemberEntity, who: string, at: Date): Promise<void> {
  const rows = await referencesOf(tx, member, at);
  if (rows.length > 0) throw inUse(rows, who);
}
