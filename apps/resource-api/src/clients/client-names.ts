/**
 * The names by which labels of alerts find a client: its slug, its external id and its aliases. Each name is a row,
 * unique in the tenant, in the lower case of JavaScript. A search must convert its text in the same way.
 */
import { Fault, type Tenant } from '@ams/contracts';
import type { Tx } from '@ams/database';
import { In } from 'typeorm';
import { ClientNameEntity } from './client-name.entity.js';
import type { ClientEntity } from './client.entity.js';
import type { ClientSettings } from './client-record.js';
import { clientSlugOf, numbered } from './client-slug.js';

const candidatesAtOnce = 100;

export const lowered = (name: string): string => name.toLowerCase();

/** Each name once: a slug may also be an alias. */
export const namesOf = ({ slug, externalId, aliases }: ClientSettings): string[] => [
  ...new Set([slug, ...(externalId === null ? [] : [externalId]), ...aliases].map(lowered)),
];

/**
 * Only one transaction of the tenant at a time assigns names: a name that it finds free stays free until it is
 * assigned, and two clients that exchange names do not block each other. A client is locked before this lock.
 */
export const lockNames = (tx: Tx, { organizationId, environment }: Tenant): Promise<unknown> =>
  tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`client names ${organizationId} ${environment}`]);

async function takenOf(tx: Tx, { organizationId, environment }: Tenant, names: string[]): Promise<Set<string>> {
  const taken = await tx.repository(ClientNameEntity).findBy({ organizationId, environment, name: In(names) });
  return new Set(taken.map(({ name }) => name));
}

/** Throws CONFLICT when another client has one of them. */
export async function takeNames(
  tx: Tx,
  { organizationId, environment, id: clientId }: ClientEntity,
  names: string[],
): Promise<void> {
  if (names.length === 0) return;
  const taken = [...(await takenOf(tx, { organizationId, environment }, names))].sort();
  if (taken.length > 0) {
    const quoted = taken.map((name) => JSON.stringify(name)).join(', ');
    throw new Fault('CONFLICT', null, `Another client is called ${quoted} already: by slug, external id or alias.`);
  }
  const rows = names.map((name) => ({ organizationId, environment, name, clientId }));
  await tx.repository(ClientNameEntity).insert(rows);
}

/** Throws CONFLICT when another client has one of the new names. */
export async function changeNames(tx: Tx, client: ClientEntity, before: string[], after: string[]): Promise<void> {
  const removed = before.filter((name) => !after.includes(name));
  const added = after.filter((name) => !before.includes(name));
  if (removed.length + added.length === 0) return;
  await lockNames(tx, client);
  await takeNames(tx, client, added);
  await deleteNames(tx, client, removed);
}

export async function deleteNames(
  tx: Tx,
  { organizationId, environment, id: clientId }: ClientEntity,
  names: string[],
): Promise<void> {
  await tx.repository(ClientNameEntity).delete({ organizationId, environment, clientId, name: In(names) });
}

/** The first slug of `acme`, `acme-2`, … that is no name of a client. After `lockNames`. */
export async function freeSlug(tx: Tx, tenant: Tenant, name: string): Promise<string> {
  const base = clientSlugOf(name);
  for (let first = 1; ; first += candidatesAtOnce) {
    const candidates = Array.from({ length: candidatesAtOnce }, (_, index) => numbered(base, first + index));
    const taken = await takenOf(tx, tenant, candidates);
    const free = candidates.find((slug) => !taken.has(slug));
    if (free !== undefined) return free;
  }
}
