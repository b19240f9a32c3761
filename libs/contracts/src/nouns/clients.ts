/** Clients: the customers or business units that alerts are about. */
import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayUnique, IsArray } from 'class-validator';
import { clientContacts, componentsOf, validateContacts, type ClientContact } from '@ams/domain';
import type { FieldFault } from '../fault.js';
import { operation } from '../operation.js';
import { Named, nullableText, ListQuery, SearchText, Sent, time, worded } from './common.js';
import { NameField, SettingField, SlugField, TextField, TimeZoneField } from './fields.js';
import { ChoiceFilter, SortField } from './filters.js';

/**
 * Any of these names in the label `client` of an alert identifies the client, regardless of case. Two clients cannot
 * share a name.
 */
const clientName = { minLength: 1, maxLength: 200 } as const;

export type { ClientContact };

const contactSchemas = componentsOf(clientContacts);

export class Client {
  @ApiProperty() id!: string;
  @ApiProperty({ maxLength: 200 }) name!: string;
  @ApiProperty({
    description:
      'A short name for labels and conditions: an alert with this value in the label `client` is about this client.',
  })
  slug!: string;
  @ApiProperty({
    ...nullableText,
    description: 'The id of the client in another system. It also identifies the client in labels.',
  })
  externalId!: string | null;
  @ApiProperty({ ...nullableText }) description!: string | null;
  @ApiProperty({
    type: 'array',
    items: { type: 'string' },
    description: 'Further names that identify the client in labels.',
  })
  aliases!: string[];
  @ApiProperty({ type: 'array', items: { $ref: '#/components/schemas/ClientContact' } }) contacts!: ClientContact[];
  @ApiProperty({ description: 'IANA time zone.' }) timezone!: string;
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'The number of alerts about the client that are not resolved.',
  })
  openAlertCount!: number;
  @ApiProperty({ ...time }) createdAt!: string;
  @ApiProperty({ ...time }) updatedAt!: string;
  @ApiProperty({ type: 'integer', minimum: 1 }) version!: number;
}

export class PutClient {
  @NameField({ presence: 'kept' })
  name?: string;

  @SlugField({
    presence: 'kept',
    description: 'Lower-case letters, digits and hyphens. By default it is made from the name.',
  })
  slug?: string;

  @NameField({ presence: 'clearable' })
  externalId?: string | null;

  @TextField(4096, { presence: 'clearable' })
  description?: string | null;

  @ApiPropertyOptional({ type: 'array', items: { type: 'string', ...clientName }, maxItems: 50, uniqueItems: true })
  @Sent()
  @IsArray()
  @ArrayMaxSize(50)
  @ArrayUnique()
  @Named(200, { each: true })
  aliases?: string[];

  @SettingField(clientContacts)
  contacts?: ClientContact[];

  @TimeZoneField({ presence: 'kept', description: 'IANA time zone, such as Europe/Berlin.' })
  timezone?: string;
}

export class PostClient extends OmitType(PutClient, ['name'] as const) {
  @NameField()
  name!: string;
}

export const clientSorts = ['name', '-name', 'createdAt', '-createdAt'] as const;

export class ListClientsQuery extends ListQuery {
  @ChoiceFilter({ description: 'Only clients with one of these slugs.', example: ['acme'] })
  slug?: string[];

  @ChoiceFilter({ mayBeNone: true, description: 'Only clients with one of these external ids.', example: ['CRM-4711'] })
  externalId?: string[];

  @SearchText('name', 'acme')
  q?: string;

  @SortField(clientSorts, 'name')
  sort?: (typeof clientSorts)[number];
}

const contactFaults = ({ contacts }: Record<string, unknown>): FieldFault[] =>
  contacts === undefined ? [] : worded(validateContacts(contacts));

const clientExample: Client = {
  id: 'cli_01938f3a7c2e7d4ab1c2d3e4f5060020',
  name: 'Acme Shipping',
  slug: 'acme',
  externalId: 'CRM-4711',
  description: null,
  aliases: ['acme-eu'],
  contacts: [{ name: 'Ada Lund', email: 'ada@acme.example' }],
  timezone: 'Europe/Berlin',
  openAlertCount: 2,
  createdAt: '2026-11-20T13:00:00.000Z',
  updatedAt: '2026-11-20T13:00:00.000Z',
  version: 1,
};
const id = clientExample.id;

export const listClients = operation({
  id: 'clients.list',
  operationId: 'listClients',
  owner: 'resource-api',
  method: 'GET',
  path: '/clients',
  scope: 'clients:read',
  tag: 'Clients',
  summary: 'List clients',
  description: 'The clients in the environment of the key. By default, they are sorted by name.',
  query: ListClientsQuery,
  reply: 'list',
  item: Client,
  schemas: contactSchemas,
  faults: ['INVALID_CURSOR'],
  example: {
    query: { q: 'acme' },
    reply: { data: [clientExample], meta: { limit: 50, hasMore: false, nextCursor: null, total: 1 } },
  },
});

export const createClient = operation({
  id: 'clients.create',
  operationId: 'createClient',
  owner: 'resource-api',
  method: 'POST',
  path: '/clients',
  scope: 'clients:write',
  tag: 'Clients',
  summary: 'Create a client',
  description:
    'The slug, the external id and the aliases identify the client in the label `client` of an alert, ' +
    'regardless of case. If another client already has one of these names, the response is 409 `CONFLICT`.',
  body: PostClient,
  check: contactFaults,
  reply: 'created',
  item: Client,
  schemas: contactSchemas,
  versioned: true,
  faults: ['QUOTA_EXCEEDED', 'CONFLICT', 'IDEMPOTENCY_KEY_REUSED'],
  example: {
    body: {
      name: 'Acme Shipping',
      slug: 'acme',
      externalId: 'CRM-4711',
      aliases: ['acme-eu'],
      contacts: clientExample.contacts,
      timezone: 'Europe/Berlin',
    },
    reply: { data: { ...clientExample, openAlertCount: 0 } },
  },
});

export const getClient = operation({
  id: 'clients.get',
  operationId: 'getClient',
  owner: 'resource-api',
  method: 'GET',
  path: '/clients/{id}',
  scope: 'clients:read',
  tag: 'Clients',
  summary: 'Get a client',
  description: 'One client, with the number of its open alerts.',
  reply: 'one',
  item: Client,
  schemas: contactSchemas,
  versioned: true,
  example: { params: { id }, reply: { data: clientExample } },
});

export const updateClient = operation({
  id: 'clients.update',
  operationId: 'updateClient',
  owner: 'resource-api',
  method: 'PUT',
  path: '/clients/{id}',
  scope: 'clients:write',
  tag: 'Clients',
  summary: 'Update a client',
  description:
    'Changes the fields that are sent and keeps the others; `null` clears a field. Existing alerts keep ' +
    'their client when its names change.',
  body: PutClient,
  check: contactFaults,
  reply: 'one',
  item: Client,
  schemas: contactSchemas,
  versioned: true,
  faults: ['CONFLICT', 'VERSION_MISMATCH'],
  example: { params: { id }, body: { timezone: 'Europe/Berlin' }, reply: { data: clientExample } },
});

export const deleteClient = operation({
  id: 'clients.delete',
  operationId: 'deleteClient',
  owner: 'resource-api',
  method: 'DELETE',
  path: '/clients/{id}',
  scope: 'clients:write',
  tag: 'Clients',
  summary: 'Delete a client',
  description:
    'If the client has open alerts or incidents, or an integration or a suppression window refers to it, the ' +
    'response is 409 with a list of these records. Resolved alerts and incidents remain, without a client.',
  reply: 'none',
  versioned: true,
  faults: ['VERSION_MISMATCH', 'RESOURCE_IN_USE'],
  example: { params: { id }, reply: null },
});

export const clientOperations = [listClients, createClient, getClient, updateClient, deleteClient];
