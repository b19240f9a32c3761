/** The export of an audit log for the admin command: the same lines as `GET /audit-log/export`. */
import { type AuditChainLine } from '@ams/contracts';
import { type Database } from '@ams/database';
import { type Environment } from '@ams/scopes';
import { noOrganization } from '../operator/operator.js';
import { chainPage } from './chain-lines.js';

/** In pages. Throws NOT_FOUND when there is no such organization. */
export async function* exportedLines(
  database: Database,
  slug: string,
  environment: Environment,
): AsyncGenerator<AuditChainLine[]> {
  const [organization] = await database.query<{ id: string }>('SELECT id FROM auth.organizations WHERE slug = $1', [
    slug.normalize('NFC'),
  ]);
  if (!organization) throw noOrganization(slug);
  const tenant = { organizationId: organization.id, environment };
  for (let cursor: string | null | undefined; cursor !== null;) {
    const after = cursor;
    const { data, meta } = await database.asService((tx) => chainPage(tx, tenant, after));
    yield data;
    cursor = meta.nextCursor;
  }
}
