/** Organizations and their first people and keys, made by a setup command: not by way of the API. */
import { newApiKey, newUuid, publicId, type Actor, type AuditRecord } from '@ams/contracts';
import { changesBetween, type Database, type Tx } from '@ams/database';
import { scopes, type Role } from '@ams/scopes';
import { addEntries } from './audit-log.js';
import { changesOfCreation, insertKey } from './api-keys.js';

const setup: Actor = { type: 'service', id: null, name: 'setup' };

export interface FirstOrganization {
  organization: string;
  ownerName: string;
  ownerEmail: string;
  keyName: string;
}

export interface Bootstrapped {
  /** Public ids. */
  organizationId: string;
  ownerId: string;
  /** Only when it was made just now: it cannot be shown again. */
  key: string | null;
}

/** `Ship & Sail GmbH` -> `ship-sail-gmbh`. */
export function slugOf(name: string): string {
  const slug = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-+|-+$/g, '');
  if (slug === '') throw new Error('the name of an organization needs a letter or a digit');
  return slug;
}

/** Makes the organization with an owner and a live key with all scopes, unless it is there. Two at once make one. */
export function bootstrap(database: Database, wanted: FirstOrganization): Promise<Bootstrapped> {
  const slug = slugOf(wanted.organization);
  return database.asService(async (tx) => {
    const organizationId = await createOrganization(tx, { name: wanted.organization, slug });
    if (!organizationId) return present(tx, slug);
    const ownerId = await createMember(tx, { organizationId, name: wanted.ownerName, email: wanted.ownerEmail, role: 'owner' });
    const key = await createKey(tx, { organizationId, name: wanted.keyName });
    return { organizationId: publicId('organization', organizationId), ownerId: publicId('member', ownerId), key };
  });
}

async function present(tx: Tx, slug: string): Promise<Bootstrapped> {
  const [row] = await tx.query<{ organization: string; owner: string | null }>(
    `SELECT organizations.id AS organization, (SELECT id FROM auth.members WHERE organization_id = organizations.id AND role = 'owner' ORDER BY created_at, id LIMIT 1) AS owner
     FROM auth.organizations WHERE slug = $1`,
    [slug],
  );
  if (!row?.owner) throw new Error(`the organization ${slug} is there, but has no owner`);
  return { organizationId: publicId('organization', row.organization), ownerId: publicId('member', row.owner), key: null };
}

/** The UUID of the new organization, or `null` when the slug is taken. */
export async function createOrganization(tx: Tx, { name, slug }: { name: string; slug: string }): Promise<string | null> {
  const id = newUuid();
  const [created] = await tx.query('INSERT INTO auth.organizations (id, name, slug) VALUES ($1, $2, $3) ON CONFLICT (slug) DO NOTHING RETURNING id', [id, name, slug]);
  if (!created) return null;
  await addEntries(tx, [entry(id, 'organization.created', { type: 'organization', id: publicId('organization', id) }, changesBetween(null, { name, slug }))]);
  return id;
}

/** The UUID of the new member. */
export async function createMember(tx: Tx, member: { organizationId: string; name: string; email: string; role: Role }): Promise<string> {
  const id = newUuid();
  const { organizationId, name, email, role } = member;
  await tx.query(`INSERT INTO auth.members (id, organization_id, name, email, role, status) VALUES ($1, $2, $3, $4, $5, 'active')`, [id, organizationId, name, email, role]);
  await addEntries(tx, [entry(organizationId, 'member.created', { type: 'member', id: publicId('member', id) }, changesBetween(null, { name, email, role }))]);
  return id;
}

/** A new live key with all scopes. Keys of a setup do not count against the limit of the API. */
export async function createKey(tx: Tx, { organizationId, name }: { organizationId: string; name: string }): Promise<string> {
  const key = newApiKey('live');
  const created = await insertKey(tx, key, { organizationId, environment: 'live', name, scopes, expiresAt: null, createdBy: setup, at: new Date() });
  await addEntries(tx, [entry(organizationId, 'api_key.created', { type: 'api_key', id: created.id }, changesOfCreation(created))]);
  return key;
}

const entry = (organizationId: string, type: string, resource: AuditRecord['resource'], changes: AuditRecord['changes']): AuditRecord => {
  const at = new Date();
  return { id: newUuid(at.getTime()), organizationId, environment: 'live', type, occurredAt: at.toISOString(), actor: setup, ip: null, userAgent: null, requestId: null, resource, changes };
};
