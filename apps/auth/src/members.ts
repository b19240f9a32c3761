/**
 * Members as an operator makes and changes them; the API only reads them. An organization keeps an active owner, and
 * whoever a schedule or a workflow would call stays able to be called.
 */
import { Fault, newUuid, publicId, type Member } from '@ams/contracts';
import { changesBetween, type Database, type Tx } from '@ams/database';
import type { Role } from '@ams/scopes';
import { emailFrom, nameFrom, roleFrom, timeZoneFrom } from './operator-input.js';
import { enter, findOrganization, inOrganization, type Holding, type Operator } from './operator.js';

/** Who is on call, and how somebody is called, is not known here. */
export type Person = Omit<Member, 'contactMethods' | 'isOnCall'>;

interface Row {
  id: string;
  name: string;
  email: string;
  role: Role;
  status: Member['status'];
  timezone: string;
  created_at: Date;
}

const columns = 'id, name, email, role, status, timezone, created_at';

/** By name. Throws NOT_FOUND. */
export async function listMembers(database: Database, wanted: { organization: string }): Promise<Person[]> {
  const { id } = await findOrganization(database, wanted.organization);
  return (
    await database.query<Row>(
      `SELECT ${columns} FROM auth.members WHERE organization_id = $1 ORDER BY lower(name), id`,
      [id],
    )
  ).map(personFromRow);
}

export interface NewMember {
  /** The UUID. */
  organizationId: string;
  name: string;
  email: string;
  role: Role;
  timezone: string;
}

/** A new active member. Throws CONFLICT when the organization has the address already, in any case of its letters. */
export async function createMember(tx: Tx, operator: Operator, member: NewMember): Promise<Person> {
  const { organizationId, name, email, role, timezone } = member;
  const [created] = await tx.query<Row>(
    `INSERT INTO auth.members (id, organization_id, name, email, role, status, timezone, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, 'active', $6, $7, $7)
     ON CONFLICT (organization_id, lower(email)) DO NOTHING RETURNING ${columns}`,
    [newUuid(operator.at.getTime()), organizationId, name, email, role, timezone, operator.at],
  );
  if (!created) throw new Fault('CONFLICT', null, `There is a member with the address ${email} already.`);
  const person = personFromRow(created);
  const changes = changesBetween(null, { name, email, role, timezone });
  await enter(tx, operator, {
    organizationId,
    type: 'member.created',
    resource: { type: 'member', id: person.id },
    changes,
  });
  return person;
}

export interface WantedMember {
  organization: string;
  name: string;
  email: string;
  role: string;
  /** UTC unless said. */
  timezone?: string;
}

/** Throws VALIDATION_ERROR, NOT_FOUND and CONFLICT. */
export async function addMember(
  database: Database,
  { organization, name, email, role, timezone }: WantedMember,
): Promise<Person> {
  const values = {
    name: nameFrom(name, 'the name of the member'),
    email: emailFrom(email),
    role: roleFrom(role),
    timezone: timeZoneFrom(timezone ?? 'UTC'),
  };
  return inOrganization(database, organization, ({ tx, organization: { id }, operator }) =>
    createMember(tx, operator, { organizationId: id, ...values }),
  );
}

export interface Named {
  organization: string;
  email: string;
}

export interface Changed {
  /** False when it was so already. */
  changed: boolean;
  member: Person;
}

/** Throws VALIDATION_ERROR, NOT_FOUND, and CONFLICT for the last active owner. */
export const setRole = async (database: Database, { role, ...named }: Named & { role: string }): Promise<Changed> =>
  change(database, named, { role: roleFrom(role) });

/** Throws NOT_FOUND, CONFLICT for the last active owner, and RESOURCE_IN_USE for who is still named by a schedule or a workflow. */
export const disableMember = (database: Database, named: Named): Promise<Changed> =>
  change(database, named, { status: 'disabled' });

/** Throws NOT_FOUND. */
export const enableMember = (database: Database, named: Named): Promise<Changed> =>
  change(database, named, { status: 'active' });

const change = (
  database: Database,
  { organization: slug, email }: Named,
  sent: Partial<Pick<Row, 'role' | 'status'>>,
): Promise<Changed> =>
  inOrganization(database, slug, async (holding) => {
    const { tx, organization, operator } = holding;
    const before = await lockMember(holding, email);
    const after = { ...before, ...sent };
    const changes = changesBetween(before, after);
    if (changes.length === 0) return { changed: false, member: personFromRow(before) };
    if (isActiveOwner(before) && !isActiveOwner(after)) await requireAnotherOwner(holding, before);
    if (after.status === 'disabled') await requireUnused(holding, before);
    await tx.query(
      'UPDATE auth.members SET role = $3, status = $4, updated_at = $5, version = version + 1 WHERE organization_id = $1 AND id = $2',
      [organization.id, before.id, after.role, after.status, operator.at],
    );
    const member = personFromRow(after);
    await enter(tx, operator, {
      organizationId: organization.id,
      type: 'member.updated',
      resource: { type: 'member', id: member.id },
      changes,
    });
    return { changed: true, member };
  });

/** Waits for whoever is just writing the member into a schedule or a workflow: the foreign key holds the row. */
async function lockMember({ tx, organization }: Holding, email: string): Promise<Row> {
  const [row] = await tx.query<Row>(
    `SELECT ${columns} FROM auth.members WHERE organization_id = $1 AND lower(email) = lower($2) FOR UPDATE`,
    [organization.id, email],
  );
  if (!row)
    throw new Fault(
      'NOT_FOUND',
      { resource: 'member', id: email },
      `There is no member with the address «${email}» in ${organization.slug}.`,
    );
  return row;
}

const isActiveOwner = ({ role, status }: Row): boolean => role === 'owner' && status === 'active';

/** The row of the organization is held, so of two owners who take each other's place away one comes second. */
async function requireAnotherOwner({ tx, organization }: Holding, owner: Row): Promise<void> {
  const [other] = await tx.query(
    `SELECT FROM auth.members WHERE organization_id = $1 AND role = 'owner' AND status = 'active' AND id <> $2 LIMIT 1`,
    [organization.id, owner.id],
  );
  if (!other)
    throw new Fault(
      'CONFLICT',
      null,
      `${owner.email} is the last active owner of ${organization.slug}: first make somebody else an owner.`,
    );
}

/** $1 the organization, $2 the member, $3 the time. */
const usesOfMember = `
  SELECT 'schedule' AS resource, s.id, s.name, s.environment FROM resources_views.schedule_members m JOIN resources_views.schedules s ON s.id = m.schedule_id
  WHERE m.organization_id = $1 AND m.member_id = $2
  UNION ALL
  SELECT 'override', o.id, s.name, s.environment FROM resources_views.schedule_overrides o JOIN resources_views.schedules s ON s.id = o.schedule_id
  WHERE o.organization_id = $1 AND o.member_id = $2 AND o.ends_at > $3
  UNION ALL
  SELECT 'workflow', w.id, w.name, w.environment FROM resources_views.workflow_references r JOIN resources_views.workflows w ON w.id = r.workflow_id
  WHERE r.organization_id = $1 AND r.member_id = $2
  ORDER BY resource, environment, name, id`;

const use = {
  schedule: { noun: 'schedule', words: 'the schedule' },
  override: { noun: 'scheduleOverride', words: 'an override of the schedule' },
  workflow: { noun: 'workflow', words: 'the workflow' },
} as const;

async function requireUnused({ tx, organization, operator }: Holding, { id: memberId, email }: Row): Promise<void> {
  const rows = await tx.query<{ resource: keyof typeof use; id: string; name: string; environment: string }>(
    usesOfMember,
    [organization.id, memberId, operator.at],
  );
  if (rows.length === 0) return;
  const references = rows.map(({ resource, id, name }) => ({ resource, id: publicId(use[resource].noun, id), name }));
  const named = rows.map(
    ({ resource, name, environment }, i) => `${use[resource].words} «${name}» (${environment}, ${references[i]?.id})`,
  );
  throw new Fault('RESOURCE_IN_USE', { references }, `${email} is needed by ${named.join(', ')}: first take them off.`);
}

const personFromRow = ({ id, name, email, role, status, timezone, created_at }: Row): Person => ({
  id: publicId('member', id),
  name,
  email,
  role,
  status,
  timezone,
  createdAt: created_at.toISOString(),
});
