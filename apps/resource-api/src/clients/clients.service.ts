/**
 * Clients, and the names by which labels find them. The names are rows of their own, in lower case as JavaScript makes it
 * (whoever looks one up has to fold it the same way), and unique in the tenant.
 */
import { cutSlug, maxSlugLength, slugOf } from '@ams/domain';
import { randomBytes } from 'node:crypto';
import {
  Fault,
  invalid,
  newUuid,
  publicId,
  uuidOf,
  type Client,
  type ClientContact,
  type Input,
  type ListClientsQuery,
  type Noun,
  type Page,
  type PostClient,
  type Principal,
  type PutClient,
} from '@ams/contracts';
import { Database, containing, withIdempotency, page, type SortType, type Tx } from '@ams/database';
import { Housekeeping } from '@ams/persistence';
import { Injectable } from '@nestjs/common';
import {
  count,
  find,
  lock,
  newsBetween,
  owned,
  patched,
  referencesIn,
  refuseInUse,
  sortBy,
  recordAudit,
  type Reference,
  type Table,
} from '../records/tenant-records.js';

const hourMs = 3_600_000;

type None = Record<string, never>;

interface Row {
  id: string;
  name: string;
  slug: string;
  external_id: string | null;
  description: string | null;
  aliases: string[];
  contacts: ClientContact[];
  timezone: string;
  created_at: Date;
  updated_at: Date;
  version: number;
  open_alert_count: number;
}

const openAlertCount = `(
  SELECT count(*)::int FROM alerts_views.alerts a
  WHERE a.organization_id = clients.organization_id AND a.environment = clients.environment AND a.client_id = clients.id AND a.status <> 'resolved'
)`;

const table: Table = {
  name: 'resources.clients',
  noun: 'client',
  resource: 'client',
  columns: `id, name, slug, external_id, description, aliases, contacts, timezone, created_at, updated_at, version, ${openAlertCount} AS open_alert_count`,
  only: 'deleted_at IS NULL',
};

const sorts: Record<string, { column: string; type: SortType }> = {
  name: { column: 'name', type: 'text' },
  createdAt: { column: 'created_at', type: 'time' },
};

/** It changes without anybody changing the client. */
const unaudited = ['openAlertCount'];

type Settings = Pick<Client, 'name' | 'slug' | 'externalId' | 'description' | 'aliases' | 'contacts' | 'timezone'>;

/** A client has to have a name, and gets a slug. */
const defaults: Settings = {
  name: '',
  slug: '',
  externalId: null,
  description: null,
  aliases: [],
  contacts: [],
  timezone: 'UTC',
};

@Injectable()
export class ClientsService {
  constructor(
    private readonly database: Database,
    housekeeping: Housekeeping,
  ) {
    const run = (): Promise<unknown> => database.asService(purgeDeletedClients);
    housekeeping.add({ name: 'deleted clients', everyMs: hourMs, run });
  }

  list(input: Input<ListClientsQuery, undefined>): Promise<Page<Client>> {
    const { principal } = input;
    const { limit, cursor, ...filters } = input.query;
    return this.database.readAs(principal, async (tx) => {
      const where = owned(table, principal);
      if (filters.slug) where.and('slug = ANY(?::text[])', filters.slug.map(folded));
      if (filters.externalId)
        where.and('id = ANY(?::uuid[])', await withExternalIds(tx, principal, filters.externalId));
      if (filters.q) where.and('name ILIKE ?', containing(filters.q));
      return page<Row, Client>(tx, {
        select: table.columns,
        from: table.name,
        where,
        sort: sortBy(filters.sort ?? 'name', sorts),
        id: 'id',
        limit,
        cursor,
        boundTo: ['clients', filters],
        total: () => count(tx, table.name, where),
        item: recordOf,
      });
    });
  }

  get(input: Input<None, undefined>): Promise<Client> {
    return this.database.readAs(input.principal, async (tx) => recordOf(await find<Row>(tx, table, input)));
  }

  create(input: Input<None, PostClient>): Promise<Client> {
    const { body, principal } = input;
    return this.database.writeAs(principal, (tx) =>
      withIdempotency(tx, 'resource-api', principal, input.idempotency, async () => {
        await lockNames(tx, principal);
        const now = new Date();
        const at = now.toISOString();
        const uuid = newUuid(now.getTime());
        const slug = body.slug ?? (await freeSlug(tx, principal, body.name));
        const settings = changed(defaults, { ...body, slug });
        const client: Client = {
          ...settings,
          id: publicId('client', uuid),
          openAlertCount: 0,
          createdAt: at,
          updatedAt: at,
          version: 1,
        };
        await tx.query(
          `INSERT INTO resources.clients (id, name, slug, external_id, description, aliases, contacts, timezone, updated_at, version, organization_id, environment, created_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $9)`,
          [...valuesOf(uuid, client), principal.organizationId, principal.environment],
        );
        await takeNames(tx, principal, uuid, namesOf(client));
        await recordAudit(tx, input, 'client.created', {
          resource: 'client',
          id: client.id,
          before: null,
          after: client,
          ignore: unaudited,
          at: now,
        });
        return client;
      }),
    );
  }

  update(input: Input<None, PutClient>): Promise<Client> {
    const { principal } = input;
    return this.database.writeAs(principal, async (tx) => {
      const row = await lock<Row>(tx, table, input);
      const before = recordOf(row);
      const now = new Date();
      const after: Client = {
        ...before,
        ...changed(before, input.body),
        updatedAt: now.toISOString(),
        version: before.version + 1,
      };
      if (newsBetween(before, after, unaudited).length === 0) return before;
      await tx.query(
        `UPDATE resources.clients SET name = $2, slug = $3, external_id = $4, description = $5, aliases = $6, contacts = $7, timezone = $8, updated_at = $9, version = $10
         WHERE id = $1`,
        valuesOf(row.id, after),
      );
      await changeNames(tx, principal, row.id, namesOf(before), namesOf(after));
      await recordAudit(tx, input, 'client.updated', {
        resource: 'client',
        id: after.id,
        before,
        after,
        ignore: unaudited,
        at: now,
      });
      return after;
    });
  }

  /** It stays as a row that nobody sees until nothing names it any more: see purgeDeletedClients. */
  async delete(input: Input<None, undefined>): Promise<void> {
    const { principal } = input;
    await this.database.writeAs(principal, async (tx) => {
      const row = await lock<Row>(tx, table, input);
      refuseInUse(await usersOf(tx, principal, row.id));
      const at = new Date();
      await tx.query('DELETE FROM resources.client_names WHERE client_id = $1', [row.id]);
      await tx.query(
        'UPDATE resources.clients SET deleted_at = $2, updated_at = $2, version = version + 1 WHERE id = $1',
        [row.id, at],
      );
      const before = recordOf(row);
      await recordAudit(tx, input, 'client.deleted', {
        resource: 'client',
        id: before.id,
        before,
        after: null,
        ignore: unaudited,
        at,
      });
    });
  }
}

/**
 * The UUID of the client that `clientId` of a body names. It cannot be deleted before the transaction has ended: whoever
 * deletes it waits, and sees what names it. Throws VALIDATION_ERROR when the tenant has no such client.
 */
export async function holdClient(tx: Tx, principal: Principal, clientId: string | null): Promise<string | null> {
  if (clientId === null) return null;
  const uuid = uuidOf('client', clientId);
  const where = owned(table, principal).and('id = ?', uuid);
  const [held] =
    uuid === null
      ? []
      : await tx.query(`SELECT 1 FROM ${table.name} WHERE ${where.toString()} FOR SHARE`, where.params);
  if (!held) throw invalid('clientId', 'exists', `there is no client with the id ${clientId}`);
  return uuid;
}

/** Takes out what was deleted more than a day ago and is named no more; run now and then, over all tenants. */
export const purgeDeletedClients = (tx: Tx): Promise<unknown> =>
  tx.query(
    `DELETE FROM resources.clients c WHERE c.deleted_at < now() - interval '1 day'
       AND NOT EXISTS (SELECT 1 FROM alerts_views.alerts WHERE client_id = c.id)
       AND NOT EXISTS (SELECT 1 FROM alerts_views.incidents WHERE client_id = c.id)
       AND NOT EXISTS (SELECT 1 FROM resources.integrations WHERE client_id = c.id)`,
  );

// --- Records -------------------------------------------------------------------------------------------------------

const recordOf = (row: Row): Client => ({
  id: publicId('client', row.id),
  name: row.name,
  slug: row.slug,
  externalId: row.external_id,
  description: row.description,
  aliases: row.aliases,
  contacts: row.contacts,
  timezone: row.timezone,
  openAlertCount: row.open_alert_count,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  version: row.version,
});

const changed = (settings: Settings, body: PutClient): Settings => ({
  name: patched(settings.name, body.name),
  slug: patched(settings.slug, body.slug),
  externalId: patched(settings.externalId, body.externalId),
  description: patched(settings.description, body.description),
  aliases: patched(settings.aliases, body.aliases),
  contacts: patched(settings.contacts, body.contacts),
  timezone: patched(settings.timezone, body.timezone),
});

/** $1 to $10 of both statements that write a client. */
const valuesOf = (uuid: string, client: Client): unknown[] => [
  uuid,
  client.name,
  client.slug,
  client.externalId,
  client.description,
  client.aliases,
  JSON.stringify(client.contacts),
  client.timezone,
  client.updatedAt,
  client.version,
];

/** Up to ten of each kind of what still needs the client. */
async function usersOf(tx: Tx, principal: Principal, uuid: string): Promise<Reference[]> {
  const using = (resource: string, noun: Noun, name: string, from: string, condition: string): Promise<Reference[]> =>
    referencesIn(
      tx,
      resource,
      noun,
      `SELECT id, ${name} AS name FROM ${from} WHERE organization_id = $1 AND environment = $2 AND ${condition}`,
      [principal.organizationId, principal.environment, uuid],
    );
  return [
    ...(await using('alert', 'alert', 'title', 'alerts_views.alerts', `client_id = $3 AND status <> 'resolved'`)),
    ...(await using(
      'incident',
      'incident',
      'title',
      'alerts_views.incidents',
      `client_id = $3 AND status <> 'resolved'`,
    )),
    ...(await using(
      'integration',
      'integration',
      'name',
      'resources.integrations',
      'client_id = $3 AND deleted_at IS NULL',
    )),
    ...(await using(
      'suppression_window',
      'suppressionWindow',
      'name',
      'resources.suppression_windows',
      '$3 = ANY(client_ids)',
    )),
  ];
}

// --- Names ---------------------------------------------------------------------------------------------------------

const folded = (name: string): string => name.toLowerCase();

/** Each once: a client may be called the same twice. */
const namesOf = ({ slug, externalId, aliases }: Client): string[] => [
  ...new Set([slug, ...(externalId === null ? [] : [externalId]), ...aliases].map(folded)),
];

/**
 * One transaction of the tenant at a time gives out names: what it finds free stays free until it has taken it, and two
 * that take each other's names cannot block each other. Taken after the lock on a client, if there is one.
 */
const lockNames = (tx: Tx, principal: Principal): Promise<unknown> =>
  tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `client names ${principal.organizationId} ${principal.environment}`,
  ]);

async function takenOf(tx: Tx, { organizationId, environment }: Principal, names: string[]): Promise<Set<string>> {
  const rows = await tx.query<{ name: string }>(
    'SELECT name FROM resources.client_names WHERE organization_id = $1 AND environment = $2 AND name = ANY($3::text[])',
    [organizationId, environment, names],
  );
  return new Set(rows.map(({ name }) => name));
}

/** Throws CONFLICT when another client has one of them. */
async function takeNames(tx: Tx, principal: Principal, uuid: string, names: string[]): Promise<void> {
  const taken = [...(await takenOf(tx, principal, names))].sort();
  if (taken.length > 0) {
    const quoted = taken.map((name) => JSON.stringify(name)).join(', ');
    throw new Fault('CONFLICT', null, `Another client is called ${quoted} already: by slug, external id or alias.`);
  }
  await tx.query(
    'INSERT INTO resources.client_names (organization_id, environment, client_id, name) SELECT $1, $2, $3, unnest($4::text[])',
    [principal.organizationId, principal.environment, uuid, names],
  );
}

async function changeNames(
  tx: Tx,
  principal: Principal,
  uuid: string,
  before: string[],
  after: string[],
): Promise<void> {
  const gone = before.filter((name) => !after.includes(name));
  const added = after.filter((name) => !before.includes(name));
  if (gone.length + added.length === 0) return;
  await lockNames(tx, principal);
  await takeNames(tx, principal, uuid, added);
  await tx.query('DELETE FROM resources.client_names WHERE client_id = $1 AND name = ANY($2::text[])', [uuid, gone]);
}

/** Found by their names: what is one external id in any case is said by `folded` alone, not by the database's own rules. */
async function withExternalIds(
  tx: Tx,
  { organizationId, environment }: Principal,
  externalIds: string[],
): Promise<string[]> {
  const wanted = externalIds.map(folded);
  const rows = await tx.query<{ id: string; external_id: string }>(
    `SELECT c.id, c.external_id FROM resources.client_names n JOIN resources.clients c ON c.id = n.client_id
     WHERE n.organization_id = $1 AND n.environment = $2 AND n.name = ANY($3::text[]) AND c.external_id IS NOT NULL`,
    [organizationId, environment, wanted],
  );
  return rows.filter((row) => wanted.includes(folded(row.external_id))).map(({ id }) => id);
}

// --- Slugs made of names -------------------------------------------------------------------------------------------

const candidatesAtOnce = 100;

/** `acme`, `acme-2`, `acme-3` … */
const numbered = (slug: string, number: number): string =>
  number === 1 ? slug : `${cutSlug(slug, maxSlugLength - `-${number}`.length)}-${number}`;

/** The first of them that nobody is called by. */
async function freeSlug(tx: Tx, principal: Principal, name: string): Promise<string> {
  const base = slugOf(name) || `client-${randomBytes(3).toString('hex')}`;
  for (let first = 1; ; first += candidatesAtOnce) {
    const candidates = Array.from({ length: candidatesAtOnce }, (_, index) => numbered(base, first + index));
    const taken = await takenOf(tx, principal, candidates);
    const free = candidates.find((slug) => !taken.has(slug));
    if (free !== undefined) return free;
  }
}
