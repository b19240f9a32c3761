/** API keys. */
import { environments, scopes, type Environment, type Scope } from '@ams/scopes';
import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsIn,
  IsObject,
  IsString,
  ValidateNested,
  type ValidationArguments,
} from 'class-validator';
import { operation } from '../operation.js';
import { Actor, nullableTime, ListQuery, SearchText, Sent, time } from './common.js';
import { ChoiceFilter, SortField } from './filters.js';
import { DateOrInstantField, NameField } from './fields.js';

/** The most clients, and the most teams, to which a key is restricted. */
export const maxRestrictedTo = 100;

const restrictedIds = (noun: string) =>
  applyDecorators(
    ApiPropertyOptional({
      type: 'array',
      items: { type: 'string' },
      maxItems: maxRestrictedTo,
      uniqueItems: true,
      description: `The ids of ${noun}.`,
    }),
    Sent(),
    IsArray(),
    ArrayMaxSize(maxRestrictedTo),
    ArrayUnique(),
    IsString({ each: true }),
  );

export class RestrictedTo {
  @restrictedIds('clients')
  clientIds?: string[];

  @restrictedIds('teams')
  teamIds?: string[];
}

/** As a response shows it. */
export class Restricted {
  @ApiProperty({ type: [String] }) clientIds!: string[];
  @ApiProperty({ type: [String] }) teamIds!: string[];
}

export class ApiKey {
  @ApiProperty() id!: string;
  @ApiProperty() name!: string;
  @ApiProperty({ enum: scopes, enumName: 'Scope', isArray: true }) scopes!: Scope[];
  @ApiProperty({ enum: environments }) environment!: Environment;
  @ApiProperty({
    type: Restricted,
    nullable: true,
    description: 'The key sees and changes only what belongs to these clients and teams; null: the whole environment.',
  })
  restrictedTo!: Restricted | null;
  @ApiProperty({ description: 'The first characters of the key, to identify it.' }) keyPrefix!: string;
  @ApiProperty({ ...nullableTime, description: 'From this time on, requests with this key get 401.' }) expiry!:
    string | null;
  @ApiProperty({ ...nullableTime }) lastUsedAt!: string | null;
  @ApiProperty({ type: Actor }) createdBy!: Actor;
  @ApiProperty({ ...time }) createdAt!: string;
}

/** The only response that contains the key. */
export class ApiKeyWithSecret extends ApiKey {
  @ApiProperty({ description: 'The key. It is shown only in this response.' }) key!: string;
}

const unknownScopes = ({ value }: ValidationArguments): string => {
  const sent: unknown[] = Array.isArray(value) ? value : [value];
  const unknown = sent.filter((scope) => !scopes.some((known) => known === scope));
  const named = unknown.slice(0, 10).map((scope) => String(JSON.stringify(scope)).slice(0, 100));
  return `scopes must not have ${named.join(', ')}: the scopes are ${scopes.join(', ')}`;
};

export class PostApiKey {
  @NameField()
  name!: string;

  @ApiProperty({ enum: scopes, enumName: 'Scope', isArray: true, minItems: 1, uniqueItems: true })
  @IsArray()
  @ArrayMinSize(1, { message: 'scopes must contain at least one scope' })
  @ArrayUnique()
  @IsIn(scopes, { each: true, message: unknownScopes })
  scopes!: Scope[];

  @ApiPropertyOptional({
    enum: environments,
    description: 'Default: the environment of the calling key. A test key cannot create a live key.',
  })
  @Sent()
  @IsIn(environments)
  environment?: Environment;

  @DateOrInstantField({
    presence: 'clearable',
    description: 'A time, or a date (the end of that day, UTC). It must be in the future.',
  })
  expiry?: string | null;

  @ApiPropertyOptional({
    type: RestrictedTo,
    description:
      'Restricts the key to clients, teams, or both: it sees and changes only records that belong to one of them, in ' +
      'every list, count and search. Records without a client (or team) are invisible to it. Operations that cannot ' +
      'be restricted, such as those on members and the audit log, are refused with 403.',
  })
  @Sent()
  @IsObject()
  @ValidateNested()
  @Type(() => RestrictedTo)
  restrictedTo?: RestrictedTo;
}

export const apiKeySorts = ['createdAt', '-createdAt', 'name', '-name'] as const;

export class ListApiKeysQuery extends ListQuery {
  @SearchText('name', 'bot')
  q?: string;

  @ChoiceFilter({
    description: 'Only keys that one of these keys or members has created.',
    example: ['key_01938f3a7c2e7d4ab1c2d3e4f5060002'],
    maxItems: 50,
  })
  createdBy?: string[];

  @SortField(apiKeySorts, '-createdAt')
  sort?: (typeof apiKeySorts)[number];
}

export class RevokeApiKeyQuery {
  @ApiPropertyOptional({
    enum: ['true', 'false'],
    default: 'false',
    description: 'Whether the keys that this key has created, and those that they have created, are revoked with it.',
  })
  @Sent()
  @IsIn(['true', 'false'])
  cascade?: 'true' | 'false';
}

const keyExample = {
  id: 'key_01938f3a7c2e7d4ab1c2d3e4f5060002',
  name: 'on-call bot',
  scopes: ['alerts:read', 'alerts:write'],
  environment: 'live',
  restrictedTo: null,
  keyPrefix: 'svc_live_9fK2',
  expiry: null,
  lastUsedAt: '2026-11-20T14:05:00.000Z',
  createdBy: { type: 'service', id: null, name: 'setup' },
  createdAt: '2026-11-20T13:00:00.000Z',
};

export const listApiKeys = operation({
  id: 'apiKeys.list',
  operationId: 'listApiKeys',
  owner: 'auth',
  method: 'GET',
  path: '/api-keys',
  scope: 'api_keys:read',
  tag: 'API keys',
  summary: 'List API keys',
  description: 'The keys of the environment that are not revoked. The response never contains the keys themselves.',
  query: ListApiKeysQuery,
  reply: 'list',
  item: ApiKey,
  faults: ['INVALID_CURSOR'],
  example: { reply: { data: [keyExample], meta: { limit: 50, hasMore: false, nextCursor: null, total: 1 } } },
});

export const createApiKey = operation({
  id: 'apiKeys.create',
  operationId: 'createApiKey',
  owner: 'auth',
  method: 'POST',
  path: '/api-keys',
  scope: 'api_keys:write',
  tag: 'API keys',
  summary: 'Create an API key',
  description:
    'The response contains the key; it is shown only once. A key cannot create a key with scopes that it ' +
    'does not have itself, nor one that is valid longer or sees more than itself. The limit is 10 keys a day for each organization.',
  body: PostApiKey,
  reply: 'created',
  item: ApiKeyWithSecret,
  faults: ['IDEMPOTENCY_KEY_REUSED'],
  example: {
    body: { name: 'on-call bot', scopes: ['alerts:read', 'alerts:write'] },
    reply: { data: { ...keyExample, lastUsedAt: null, key: 'svc_live_9fK2…' } },
  },
});

export const revokeApiKey = operation({
  id: 'apiKeys.revoke',
  operationId: 'revokeApiKey',
  owner: 'auth',
  method: 'DELETE',
  path: '/api-keys/{id}',
  scope: 'api_keys:write',
  tag: 'API keys',
  summary: 'Revoke an API key',
  description:
    'Takes effect immediately on every replica: requests with this key that are in progress get 401. With ' +
    '`cascade=true` all keys that descend from it are revoked too, in both environments, at once or not at all.',
  query: RevokeApiKeyQuery,
  reply: 'none',
  faults: [],
  example: { params: { id: keyExample.id }, reply: null },
});

export const apiKeyOperations = [listApiKeys, createApiKey, revokeApiKey];
