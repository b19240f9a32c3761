/**
 * What an operator does with the setup or the admin command instead of the API: who is the actor, and how the audit log
 * records it. The admin command connects as the owner of the database, whom row-level security does not limit, so every
 * query names its organization.
 */
import { Fault, newUuid, type Actor, type AuditRecord } from '@ams/contracts';
import { type Database, type Tx } from '@ams/database';
import { addAuditEntries } from '../audit-log/audit-entries.js';
import { databaseNow } from '../database-now.js';
import { OrganizationEntity } from '../organizations/organization.entity.js';

/** The actor of a command, and when the command began. */
export interface Operator {
  actor: Actor;
  at: Date;
}

const command = (name: string): Actor => ({ type: 'service', id: null, name });

export const setup = command('setup');
export const admin = command('admin');

export const operatorNow = async (tx: Tx, actor: Actor): Promise<Operator> => ({ actor, at: await databaseNow(tx) });

type OperatorEntry = Pick<AuditRecord, 'organizationId' | 'type' | 'resource' | 'changes'> &
  Partial<Pick<AuditRecord, 'environment'>>;

/** Adds an entry to the audit log. Entries that concern both environments are in `live`. */
export const recordAudit = (tx: Tx, { actor, at }: Operator, entry: OperatorEntry): Promise<void> =>
  addAuditEntries(tx, [
    {
      environment: 'live',
      ...entry,
      id: newUuid(at.getTime()),
      occurredAt: at.toISOString(),
      actor,
      ip: null,
      userAgent: null,
      requestId: null,
    },
  ]);

/** The id is the UUID. */
export type OrganizationReference = Pick<OrganizationEntity, 'id' | 'slug'>;

export interface LockedOrganization {
  tx: Tx;
  organization: OrganizationReference;
  operator: Operator;
}

/**
 * For the admin command: runs `work` in a transaction that locks the organization. When two run at the same time, the
 * second sees the changes of the first. Throws NOT_FOUND.
 */
export const inLockedOrganization = <T>(
  database: Database,
  slug: string,
  work: (locked: LockedOrganization) => Promise<T>,
): Promise<T> =>
  database.asService(async (tx) => {
    const organization = await findOrganization(tx, slug, { lock: true });
    return work({ tx, organization, operator: await operatorNow(tx, admin) });
  });

/** Throws NOT_FOUND. */
export async function findOrganization(tx: Tx, slug: string, { lock = false } = {}): Promise<OrganizationReference> {
  const organization = await tx.repository(OrganizationEntity).findOne({
    where: { slug: slug.normalize('NFC') },
    ...(lock && { lock: { mode: 'for_no_key_update' } }),
  });
  if (!organization) throw noOrganization(slug);
  return organization;
}

export const noOrganization = (slug: string): Fault =>
  new Fault('NOT_FOUND', { resource: 'organization', id: slug }, `There is no organization with the slug "${slug}".`);
