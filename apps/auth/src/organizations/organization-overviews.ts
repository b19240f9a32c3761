/** What an operator sees of organizations. SQL, because it counts over several tables. */
import { publicId } from '@ams/contracts';
import { type Database } from '@ams/database';
import { noOrganization } from '../operator/operator.js';
import { type Organization } from './operator-organizations.js';

export interface OrganizationOverview extends Organization {
  /** The addresses of the active owners. */
  owners: string[];
  /** The number of all members. */
  members: { active: number; invited: number; disabled: number };
  /** The number of keys that are not revoked. */
  keys: { live: number; test: number };
}

type OverviewRow = Omit<OrganizationOverview, 'createdAt'> & { created_at: Date };

const memberCount = (status: string): string =>
  `'${status}', (SELECT count(*) FROM auth.members m WHERE m.organization_id = o.id AND m.status = '${status}')`;
const keyCount = (environment: string): string =>
  `'${environment}', (SELECT count(*) FROM auth.api_keys k
     WHERE k.organization_id = o.id AND k.environment = '${environment}' AND k.revoked_at IS NULL)`;

const overviews = `
  SELECT o.id, o.name, o.slug, o.created_at,
    ARRAY(SELECT email FROM auth.members m
      WHERE m.organization_id = o.id AND m.role = 'owner' AND m.status = 'active'
      ORDER BY m.created_at, m.id) AS owners,
    json_build_object(${['active', 'invited', 'disabled'].map(memberCount).join(', ')}) AS members,
    json_build_object(${['live', 'test'].map(keyCount).join(', ')}) AS keys
  FROM auth.organizations o`;

/** In the order of their slugs. */
export const listOrganizations = async (database: Database): Promise<OrganizationOverview[]> =>
  (await database.query<OverviewRow>(`${overviews} ORDER BY o.slug`)).map(overviewOf);

/** Throws NOT_FOUND. */
export async function showOrganization(database: Database, slug: string): Promise<OrganizationOverview> {
  const [row] = await database.query<OverviewRow>(`${overviews} WHERE o.slug = $1`, [slug.normalize('NFC')]);
  if (!row) throw noOrganization(slug);
  return overviewOf(row);
}

const overviewOf = ({ id, name, slug, owners, members, keys, created_at }: OverviewRow): OrganizationOverview => ({
  id: publicId('organization', id),
  name,
  slug,
  owners,
  members,
  keys,
  createdAt: created_at.toISOString(),
});
