/**
 * How an operator creates organizations, each with its first owner and first API key. The API cannot create them. The
 * key is created when the organization has its first records: see organization-defaults.ts.
 */
import { Fault, newUuid, publicId, type ApiKeyWithSecret } from '@ams/contracts';
import { changesBetween, type Database, type Tx } from '@ams/database';
import { scopes } from '@ams/scopes';
import { ApiKeyEntity } from '../api-keys/api-key.entity.js';
import { createApiKey } from '../api-keys/operator-api-keys.js';
import { insertIfAbsent } from '../insert-if-absent.js';
import { MemberEntity } from '../members/member.entity.js';
import { verifyByOperator } from '../mail-recipients/operator-mail-recipients.js';
import { createMember, type MemberSummary } from '../members/operator-members.js';
import { emailFrom, nameFrom } from '../operator/operator-input.js';
import { admin, operatorNow, recordAudit, setup, type Operator } from '../operator/operator.js';
import { waitForDefaults } from './organization-defaults.js';
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

/**
 * An organization with its first owner and first key. Throws VALIDATION_ERROR, CONFLICT when the slug is taken, and
 * UNAVAILABLE when the organization does not get its first records in time.
 */
export async function createOrganization(
  database: Database,
  input: OrganizationInput,
  waiting?: Waiting,
): Promise<CreatedOrganization> {
  const values = {
    name: nameFrom(input.name, 'the name of the organization'),
    slug: slugFrom(input.slug ?? slugOf(input.name)),
    ownerName: nameFrom(input.ownerName, 'the name of the owner'),
    ownerEmail: emailFrom(input.ownerEmail),
  };
  const created = await database.asService(async (tx) => create(tx, await operatorNow(tx, admin), values));
  if (!created) throw new Fault('CONFLICT', null, `There is an organization with the slug ${values.slug} already.`);
  const { organizationId, organization, owner } = created;
  await waitForDefaults(database, organizationId, waiting);
  const key = await database.asService(async (tx) =>
    createFirstKey(tx, await operatorNow(tx, admin), organizationId, 'first key'),
  );
  return { organization, owner, key };
}

export interface FirstOrganizationInput {
  organization: string;
  ownerName: string;
  ownerEmail: string;
  keyName: string;
  /** To the addresses of these domains the organization may send mails. */
  mailDomains?: readonly string[];
}

export interface FirstOrganization {
  /** Public ids. */
  organizationId: string;
  ownerId: string;
  /** `null` when the organization existed already: a key is shown only once. */
  key: string | null;
}

/**
 * For the setup: creates the organization and its key unless they exist. When several calls run at once, one creates
 * each. Throws UNAVAILABLE when the organization does not get its first records in time.
 */
export async function ensureFirstOrganization(
  database: Database,
  input: FirstOrganizationInput,
  waiting?: Waiting,
): Promise<FirstOrganization> {
  const slug = slugOf(input.organization);
  const { organizationId, ownerId } = await database.asService(async (tx) => {
    const operator = await operatorNow(tx, setup);
    const created = await create(tx, operator, { ...input, name: input.organization, slug });
    return created
      ? { organizationId: created.organizationId, ownerId: created.owner.id }
      : findFirstOrganization(tx, slug);
  });
  await waitForDefaults(database, organizationId, waiting);
  const key = await database.asService(async (tx) => {
    const operator = await operatorNow(tx, setup);
    const lock = { mode: 'for_no_key_update' } as const;
    await tx.repository(OrganizationEntity).findOneOrFail({ where: { id: organizationId }, lock });
    for (const value of input.mailDomains ?? [])
      await verifyByOperator(tx, operator, organizationId, { kind: 'domain', value });
    const hasKey = await tx.repository(ApiKeyEntity).existsBy({ organizationId });
    return hasKey ? null : createFirstKey(tx, operator, organizationId, input.keyName);
  });
  return { organizationId: publicId('organization', organizationId), ownerId, key: key?.key ?? null };
}

/** How long a command waits for the first records of an organization. */
export interface Waiting {
  withinMs?: number;
}

/** The live key with all scopes; `organizationId` is a UUID. */
const createFirstKey = (tx: Tx, operator: Operator, organizationId: string, name: string): Promise<ApiKeyWithSecret> =>
  createApiKey(tx, operator, {
    organizationId,
    environment: 'live',
    name,
    scopes,
    restrictedTo: null,
    expiresAt: null,
  });

/** `organizationId` is a UUID, `ownerId` a public id. */
async function findFirstOrganization(tx: Tx, slug: string): Promise<{ organizationId: string; ownerId: string }> {
  const { id: organizationId } = await tx.repository(OrganizationEntity).findOneByOrFail({ slug });
  const owner = await tx
    .repository(MemberEntity)
    .findOne({ where: { organizationId, role: 'owner' }, order: { createdAt: 'ASC', id: 'ASC' } });
  if (!owner) throw new Error(`the organization ${slug} exists, but has no owner`);
  return { organizationId, ownerId: publicId('member', owner.id) };
}

/** Without a key; `null` when the slug is taken. `organizationId` is a UUID. */
async function create(
  tx: Tx,
  operator: Operator,
  input: Required<OrganizationInput>,
): Promise<(Omit<CreatedOrganization, 'key'> & { organizationId: string }) | null> {
  const { name, slug, ownerName, ownerEmail } = input;
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
  return { organizationId, organization, owner };
}
