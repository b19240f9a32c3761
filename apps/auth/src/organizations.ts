/** Organizations and their first people and keys, made by the setup or the admin command: not by way of the API. */
import { isOrganizationSlug, maxOrganizationSlugLength, organizationSlugOf } from '@ams/domain';
import { Fault, invalid, newUuid, publicId, type ApiKeyWithSecret } from '@ams/contracts';
import { changesBetween, type Database, type Tx } from '@ams/database';
import { scopes } from '@ams/scopes';
import { createMember, type Person } from './members.js';
import { emailFrom, nameFrom } from './operator-input.js';
import { createKey } from './operator-keys.js';
import { admin, enter, noOrganization, operatorNow, setup, type Operator } from './operator.js';

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

/** `Ship & Sail GmbH` -> `ship-sail-gmbh`. Throws VALIDATION_ERROR. */
export function slugOf(name: string): string {
  const slug = organizationSlugOf(name);
  if (slug === '') throw invalid('name', 'letters', 'The name of an organization needs a letter or a digit.');
  return slug;
}

/** Makes the organization with an owner and a live key with all scopes, unless it is there. Two at once make one. */
export function bootstrap(database: Database, wanted: FirstOrganization): Promise<Bootstrapped> {
  const slug = slugOf(wanted.organization);
  return database.asService(async (tx) => {
    const made = await createFounded(tx, await operatorNow(tx, setup), { name: wanted.organization, slug, ...wanted });
    return made
      ? { organizationId: made.organization.id, ownerId: made.owner.id, key: made.key.key }
      : present(tx, slug);
  });
}

async function present(tx: Tx, slug: string): Promise<Bootstrapped> {
  const [row] = await tx.query<{ organization: string; owner: string | null }>(
    `SELECT organizations.id AS organization, (SELECT id FROM auth.members WHERE organization_id = organizations.id AND role = 'owner' ORDER BY created_at, id LIMIT 1) AS owner
     FROM auth.organizations WHERE slug = $1`,
    [slug],
  );
  if (!row?.owner) throw new Error(`the organization ${slug} is there, but has no owner`);
  return {
    organizationId: publicId('organization', row.organization),
    ownerId: publicId('member', row.owner),
    key: null,
  };
}

export interface Organization {
  id: string;
  name: string;
  slug: string;
  createdAt: string;
}

export interface Founded {
  organization: Organization;
  owner: Person;
  /** Live, with all scopes. */
  key: ApiKeyWithSecret;
}

export interface WantedOrganization {
  name: string;
  /** Made from the name unless said. */
  slug?: string;
  ownerName: string;
  ownerEmail: string;
}

/** An organization with its first owner and first key. Throws VALIDATION_ERROR, and CONFLICT when the slug is taken. */
export async function foundOrganization(database: Database, wanted: WantedOrganization): Promise<Founded> {
  const values = {
    name: nameFrom(wanted.name, 'the name of the organization'),
    slug: slugFrom(wanted.slug ?? slugOf(wanted.name)),
    ownerName: nameFrom(wanted.ownerName, 'the name of the owner'),
    ownerEmail: emailFrom(wanted.ownerEmail),
    keyName: 'first key',
  };
  const made = await database.asService(async (tx) => createFounded(tx, await operatorNow(tx, admin), values));
  if (!made) throw new Fault('CONFLICT', null, `There is an organization with the slug ${values.slug} already.`);
  return made;
}

function slugFrom(text: string): string {
  const slug = text.normalize('NFC');
  if (!isOrganizationSlug(slug)) {
    throw invalid(
      'slug',
      'form',
      `«${text}» is no slug: write small letters and digits, with hyphens between, such as ship-sail.`,
    );
  }
  if (slug.length > maxOrganizationSlugLength)
    throw invalid('slug', 'maxLength', `The slug has more than ${maxOrganizationSlugLength} characters.`);
  return slug;
}

/** `null` when the slug is taken. */
async function createFounded(
  tx: Tx,
  operator: Operator,
  wanted: Required<WantedOrganization> & { keyName: string },
): Promise<Founded | null> {
  const { name, slug, ownerName, ownerEmail, keyName } = wanted;
  const organizationId = newUuid(operator.at.getTime());
  const [created] = await tx.query(
    'INSERT INTO auth.organizations (id, name, slug, created_at, updated_at) VALUES ($1, $2, $3, $4, $4) ON CONFLICT (slug) DO NOTHING RETURNING id',
    [organizationId, name, slug, operator.at],
  );
  if (!created) return null;
  const organization = {
    id: publicId('organization', organizationId),
    name,
    slug,
    createdAt: operator.at.toISOString(),
  };
  const changes = changesBetween(null, { name, slug });
  await enter(tx, operator, {
    organizationId,
    type: 'organization.created',
    resource: { type: 'organization', id: organization.id },
    changes,
  });
  const owner = await createMember(tx, operator, {
    organizationId,
    name: ownerName,
    email: ownerEmail,
    role: 'owner',
    timezone: 'UTC',
  });
  const key = await createKey(tx, operator, {
    organizationId,
    environment: 'live',
    name: keyName,
    scopes,
    expiresAt: null,
  });
  return { organization, owner, key };
}

/** What an operator sees of an organization. */
export interface OrganizationOverview extends Organization {
  /** The addresses of the active ones. */
  owners: string[];
  /** How many there are. */
  members: { active: number; invited: number; disabled: number };
  /** How many there are that are not revoked. */
  keys: { live: number; test: number };
}

type OverviewRow = Omit<OrganizationOverview, 'createdAt'> & { created_at: Date };

const counted = (name: string, from: string, condition: string): string =>
  `'${name}', (SELECT count(*) FROM ${from} x WHERE x.organization_id = o.id AND ${condition})`;

const overview = `
  SELECT o.id, o.name, o.slug, o.created_at,
    ARRAY(SELECT email FROM auth.members m WHERE m.organization_id = o.id AND m.role = 'owner' AND m.status = 'active' ORDER BY m.created_at, m.id) AS owners,
    json_build_object(${['active', 'invited', 'disabled'].map((status) => counted(status, 'auth.members', `x.status = '${status}'`)).join(', ')}) AS members,
    json_build_object(${['live', 'test'].map((name) => counted(name, 'auth.api_keys', `x.environment = '${name}' AND x.revoked_at IS NULL`)).join(', ')}) AS keys
  FROM auth.organizations o`;

/** By slug. */
export const listOrganizations = async (database: Database): Promise<OrganizationOverview[]> =>
  (await database.query<OverviewRow>(`${overview} ORDER BY o.slug`)).map(overviewFromRow);

/** Throws NOT_FOUND. */
export async function showOrganization(database: Database, slug: string): Promise<OrganizationOverview> {
  const [row] = await database.query<OverviewRow>(`${overview} WHERE o.slug = $1`, [slug.normalize('NFC')]);
  if (!row) throw noOrganization(slug);
  return overviewFromRow(row);
}

const overviewFromRow = ({ id, name, slug, owners, members, keys, created_at }: OverviewRow): OrganizationOverview => ({
  id: publicId('organization', id),
  name,
  slug,
  owners,
  members,
  keys,
  createdAt: created_at.toISOString(),
});
