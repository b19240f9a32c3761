/**
 * What an operator does with the setup or the admin command, not by way of the API: in whose name it is done, and how the
 * audit log hears of it. The admin command comes as the owner of the database, whom row-level security lets see
 * everything: every statement names its organization.
 */
import { Fault, newUuid, type Actor, type AuditRecord } from '@ams/contracts';
import type { Database, Tx } from '@ams/database';
import { addEntries } from './audit-log.js';

export interface Operator {
  actor: Actor;
  at: Date;
}

const command = (name: string): Actor => ({ type: 'service', id: null, name });

export const setup = command('setup');
export const admin = command('admin');

/** By the clock of the database. */
export async function operatorNow(tx: Tx, actor: Actor): Promise<Operator> {
  const [clock] = await tx.query<{ at: Date }>("SELECT date_trunc('milliseconds', clock_timestamp()) AS at");
  return { actor, at: (clock as { at: Date }).at };
}

/** Adds an entry to the audit log. What belongs to both environments is entered in `live`. */
export const enter = (
  tx: Tx,
  { actor, at }: Operator,
  entry: Pick<AuditRecord, 'organizationId' | 'type' | 'resource' | 'changes'> &
    Partial<Pick<AuditRecord, 'environment'>>,
): Promise<void> =>
  addEntries(tx, [
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

export interface Holding {
  tx: Tx;
  /** Its id is the UUID. */
  organization: { id: string; slug: string };
  operator: Operator;
}

/**
 * Changes something in an organization for the admin command, in one transaction that holds the row of the organization:
 * of two who do it at once, the second sees what the first has done. Throws NOT_FOUND.
 */
export const inOrganization = <T>(
  database: Database,
  slug: string,
  work: (holding: Holding) => Promise<T>,
): Promise<T> =>
  database.asService(async (tx) => {
    const organization = await findOrganization(tx, slug, 'FOR NO KEY UPDATE');
    return work({ tx, organization, operator: await operatorNow(tx, admin) });
  });

/** Throws NOT_FOUND. */
export async function findOrganization(
  from: Pick<Tx, 'query'>,
  slug: string,
  locking: '' | 'FOR NO KEY UPDATE' = '',
): Promise<Holding['organization']> {
  const [organization] = await from.query<Holding['organization']>(
    `SELECT id, slug FROM auth.organizations WHERE slug = $1 ${locking}`,
    [slug.normalize('NFC')],
  );
  if (!organization) throw noOrganization(slug);
  return organization;
}

export const noOrganization = (slug: string): Fault =>
  new Fault('NOT_FOUND', { resource: 'organization', id: slug }, `There is no organization with the slug «${slug}».`);
