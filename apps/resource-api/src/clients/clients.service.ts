/** Clients: the customers or business units that alerts are about. */
import {
  newUuid,
  type Client,
  type Input,
  type ListClientsQuery,
  type NoQuery,
  type Page,
  type PostClient,
  type PutClient,
} from '@ams/contracts';
import { Database, page, withIdempotency } from '@ams/database';
import { Housekeeping } from '@ams/persistence';
import { Injectable } from '@nestjs/common';
import { findRecord, lockRecord, patch, settingsOf, changeRecord } from '../records/entity-records.js';
import { requireRoom } from '../records/record-room.js';
import { auditedChanges, recordAudit } from '../records/record-audit.js';
import { refuseInUse } from '../records/references.js';
import { count, sortBy } from '../records/tenant-queries.js';
import { changeNames, deleteNames, freeSlug, lockNames, namesOf, takeNames } from './client-names.js';
import {
  clientsMatching,
  listedColumns,
  openAlertCountOf,
  purgeDeletedClients,
  recordsUsing,
  type ListedClient,
} from './client-queries.js';
import { clientDefaults, clientRecord, clients } from './client-record.js';
import { ClientEntity } from './client.entity.js';

const hourMs = 3_600_000;

const sorts = { name: { column: 'name', type: 'text' }, createdAt: { column: 'created_at', type: 'time' } } as const;

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
    const { limit, cursor, ...filters } = input.query;
    return this.database.readAs(input.principal, async (tx) => {
      const where = await clientsMatching(tx, input.principal, filters);
      return page<ListedClient, Client>(tx, {
        select: listedColumns(tx),
        from: 'resources.clients',
        where,
        sort: sortBy(filters.sort ?? 'name', sorts),
        id: 'id',
        limit,
        cursor,
        boundTo: ['clients', filters],
        total: () => count(tx, 'resources.clients', where),
        item: (client) => clientRecord(client, client.openAlertCount),
      });
    });
  }

  get(input: Input<NoQuery, undefined>): Promise<Client> {
    return this.database.readAs(input.principal, async (tx) => {
      const client = await findRecord(tx, clients, input);
      return clientRecord(client, await openAlertCountOf(tx, client));
    });
  }

  create(input: Input<NoQuery, PostClient>): Promise<Client> {
    const { body, principal } = input;
    const { organizationId, environment } = principal;
    return this.database.writeAs(principal, (tx) =>
      withIdempotency(tx, 'resource-api', principal, input.idempotency, async () => {
        await requireRoom(tx, principal, 'clients');
        await lockNames(tx, principal);
        const slug = body.slug ?? (await freeSlug(tx, principal, body.name));
        const settings = patch(clientDefaults, { ...body, slug });
        const at = new Date();
        const stored = { createdAt: at, updatedAt: at, deletedAt: null, version: 1 };
        const client: ClientEntity = { id: newUuid(at.getTime()), organizationId, environment, ...settings, ...stored };
        await tx.repository(ClientEntity).insert(client);
        await takeNames(tx, client, namesOf(settings));
        const record = clientRecord(client, 0);
        const change = { resource: 'client', id: record.id, before: null, after: settings, at };
        await recordAudit(tx, input, 'client.created', change);
        return record;
      }),
    );
  }

  update(input: Input<NoQuery, PutClient>): Promise<Client> {
    return this.database.writeAs(input.principal, async (tx) => {
      const client = await lockRecord(tx, clients, input);
      const openAlertCount = await openAlertCountOf(tx, client);
      const before = settingsOf(clientDefaults, client);
      const after = patch(before, input.body);
      if (auditedChanges(before, after).length === 0) return clientRecord(client, openAlertCount);
      const at = new Date();
      const record = clientRecord(await changeRecord(tx, clients, client, after, at), openAlertCount);
      await changeNames(tx, client, namesOf(before), namesOf(after));
      await recordAudit(tx, input, 'client.updated', { resource: 'client', id: record.id, before, after, at });
      return record;
    });
  }

  /** No operation shows the row any more. It is deleted when no record names it: see `purgeDeletedClients`. */
  async delete(input: Input<NoQuery, undefined>): Promise<void> {
    await this.database.writeAs(input.principal, async (tx) => {
      const client = await lockRecord(tx, clients, input);
      refuseInUse(await recordsUsing(tx, client));
      const at = new Date();
      const before = settingsOf(clientDefaults, client);
      await deleteNames(tx, client, namesOf(before));
      await changeRecord(tx, clients, client, { deletedAt: at }, at);
      const { id } = clientRecord(client, 0);
      await recordAudit(tx, input, 'client.deleted', { resource: 'client', id, before, after: null, at });
    });
  }
}
