/** How an operator creates organizations, each with its first owner and first API key. The API cannot create them. */
import { Fault, newUuid, publicId, type ApiKeyWithSecret } from '@ams/contracts';
import { changesBetween, type Database, type Tx } from '@ams/database';
import { scopes } from '@ams/scopes';
import { createApiKey } from '../api-keys/operator-api-keys.js';
import { insertIfAbsent } from '../insert-if-absent.js';
import { MemberEntity } from '../members/member.entity.js';
import { createMember, type MemberSummary } from '../members/operator-members.js';
import { emailFrom, nameFrom } from '../operator/operator-input.js';
import { admin, operatorNow, recordAudit, setup, type Operator } from '../operator/operator.js';
import { OrganizationEntity } from './organization.entity.js';
import { slugFrom, slugOf } from './slug.js';

export interface Organization {
  id: string;
  name: string;
  slug: string;
  createdAt: string;
}

export interface CreatedOrganization {
  organization: Organization;
  owner: MemberSummary;
  /** The first key: live, with all scopes. */
  key: ApiKeyWithSecret;
}

export interface OrganizationInput {
  name: string;
  /** Made from the name when left out. */
  slug?: string;
  ownerName: string;
  ownerEmail: string;
}

/** An organization with its first owner and first key. Throws VALIDATION_ERROR, and CONFLICT when the slug is taken. */
export async function createOrganization(database: Database, input: OrganizationInput): Promise<CreatedOrganization> {
  const values = {
    name: nameFrom(input.name, 'the name of the organization'),
    slug: slugFrom(input.slug ?? slugOf(input.name)),
    ownerName: nameFrom(input.ownerName, 'the name of the owner'),
    ownerEmail: emailFrom(input.ownerEmail),
    keyName: 'first key',
  };
  const created = await database.asService(async (tx) => create(tx, await operatorNow(tx, admin), values));
  if (!created) throw new Fault('CONFLICT', null, `There is an organization with the slug ${values.slug} already.`);
  return created;
}

export interface FirstOrganizationInput {
  organization: string;
  ownerName: string;
  ownerEmail: string;
  keyName: string;
}

export interface FirstOrganization {
  /** Public ids. */
  organizationId: string;
  ownerId: string;
  /** `null` when the organization existed already: a key is shown only once. */
  key: string | null;
}

/** For the setup: creates the organization unless it exists. When several calls run at once, one creates it. */
export function ensureFirstOrganization(database: Database, input: FirstOrganizationInput): Promise<FirstOrganization> {
  const slug = slugOf(input.organization);
  return database.asService(async (tx) => {
    const operator = await operatorNow(tx, setup);
    const created = await create(tx, operator, { ...input, name: input.organization, slug });
    if (!created) return findFirstOrganization(tx, slug);
    const { organization, owner, key } = created;
    return { organizationId: organization.id, ownerId: owner.id, key: key.key };
  });
}

async function findFirstOrganization(tx: Tx, slug: string): Promise<FirstOrganization> {
  const { id: organizationId } = await tx.repository(OrganizationEntity).findOneByOrFail({ slug });
  const owner = await tx
    .repository(MemberEntity)
    .findOne({ where: { organizationId, role: 'owner' }, order: { createdAt: 'ASC', id: 'ASC' } });
  if (!owner) throw new Error(`the organization ${slug} exists, but has no owner`);
  return { organizationId: publicId('organization', organizationId), ownerId: publicId('member', owner.id), key: null };
}

/** `null` when the slug is taken. */
async function create(
  tx: Tx,
  operator: Operator,
  input: Required<OrganizationInput> & { keyName: string },
): Promise<CreatedOrganization | null> {
  const { name, slug, ownerName, ownerEmail, keyName } = input;
  const { at } = operator;
  const organizationId = newUuid(at.getTime());
  const record = { id: organizationId, name, slug, createdAt: at, updatedAt: at };
  if (!(await insertIfAbsent(tx, OrganizationEntity, record))) return null;
  const organization = { id: publicId('organization', organizationId), name, slug, createdAt: at.toISOString() };
  await recordAudit(tx, operator, {
    organizationId,
    type: 'organization.created',
    resource: { type: 'organization', id: organization.id },
    changes: changesBetween(null, { name, slug }),
  });
  const owner = await createMember(tx, operator, {
    organizationId,
    name: ownerName,
    email: ownerEmail,
    role: 'owner',
    timezone: 'UTC',
  });
  const key = await createApiKey(tx, operator, {
    organizationId,
    environment: 'live',
    name: keyName,
    scopes,
    restrictedTo: null,
    expiresAt: null,
  });
  return { organization, owner, key };
}
