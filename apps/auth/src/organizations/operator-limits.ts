/** The limits that an operator has set for an organization. */
import { invalid, publicId } from '@ams/contracts';
import { changesBetween, type Database } from '@ams/database';
import { highestLimit, isLimit, isLimitKind, limitKinds, limitOf, type LimitKind } from '@ams/domain';
import { findOrganization, inLockedOrganization, recordAudit } from '../operator/operator.js';
import { OrganizationEntity } from './organization.entity.js';

export interface LimitOfOrganization {
  kind: LimitKind;
  limit: number;
  /** False: the default. */
  isSet: boolean;
}

/** In the order of `limitKinds`. Throws NOT_FOUND. */
export const listLimits = (database: Database, slug: string): Promise<LimitOfOrganization[]> =>
  database.asService(async (tx) => {
    const { id } = await findOrganization(tx, slug);
    return shown((await tx.repository(OrganizationEntity).findOneByOrFail({ id })).limits);
  });

/**
 * Sets a limit; `default` takes the set one back. Records above a limit stay, and no further ones can be created. Throws
 * VALIDATION_ERROR and NOT_FOUND.
 */
export async function setLimit(
  database: Database,
  { organization: slug, kind, limit }: { organization: string; kind: string; limit: string },
): Promise<LimitOfOrganization[]> {
  if (!isLimitKind(kind)) throw invalid('kind', 'enum', `"${kind}" is no limit; there are ${limitKinds.join(', ')}.`);
  const value = limit === 'default' ? undefined : /^\d{1,7}$/.test(limit) ? Number(limit) : NaN;
  if (value !== undefined && !isLimit(value))
    throw invalid('limit', 'range', `"${limit}" must be a number from 0 to ${highestLimit}, or "default".`);
  return inLockedOrganization(database, slug, async ({ tx, organization: { id }, operator }) => {
    const repository = tx.repository(OrganizationEntity);
    const { limits: before, version } = await repository.findOneByOrFail({ id });
    const { [kind]: _, ...others } = before;
    const after = value === undefined ? others : { ...others, [kind]: value };
    const changes = changesBetween({ limits: before }, { limits: after });
    if (changes.length > 0) {
      await repository.update({ id }, { limits: after, updatedAt: operator.at, version: version + 1 });
      await recordAudit(tx, operator, {
        organizationId: id,
        type: 'organization.updated',
        resource: { type: 'organization', id: publicId('organization', id) },
        changes,
      });
    }
    return shown(after);
  });
}

const shown = (limits: Record<string, number>): LimitOfOrganization[] =>
  limitKinds.map((kind) => ({
    kind,
    limit: limitOf(kind, limits),
    isSet: Object.hasOwn(limits, kind) && isLimit(limits[kind]),
  }));
