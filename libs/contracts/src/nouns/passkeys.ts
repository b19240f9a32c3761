/** Passkeys (WebAuthn) of the member who is signed in. */
import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsObject, ValidateBy } from 'class-validator';
import { operation } from '../operation.js';
import { ListQuery, nullableTime, time } from './common.js';
import { NameField } from './fields.js';
import { SortField } from './filters.js';
import { PostProof } from './second-factors.js';

export const maxPasskeys = 20;

/** Far more than authenticators send, also with an attestation. */
const maxResponseLength = 12_000;

const IsShort = (): PropertyDecorator =>
  ValidateBy({
    name: 'isShort',
    validator: {
      validate: (value: unknown) => (JSON.stringify(value) ?? '').length <= maxResponseLength,
      defaultMessage: () => `$property must be at most ${maxResponseLength} characters of JSON`,
    },
  });

/** What the browser got from the authenticator. */
export const PasskeyResponseField = () =>
  applyDecorators(
    ApiProperty({
      type: 'object',
      additionalProperties: true,
      description: 'The credential of the browser, as `PublicKeyCredential.toJSON()` makes it.',
    }),
    IsObject(),
    IsShort(),
  );

export class Passkey {
  @ApiProperty() id!: string;
  @ApiProperty({ description: 'A name that the member chose.' }) name!: string;
  @ApiProperty({ description: 'Whether its provider stores it, so that it can be on several devices.' })
  backedUp!: boolean;
  @ApiProperty({ ...time }) createdAt!: string;
  @ApiProperty({ ...nullableTime }) lastUsedAt!: string | null;
}

export class NewPasskey extends Passkey {
  @ApiProperty({
    type: [String],
    nullable: true,
    description:
      'Recovery codes, which are shown in this answer only: each can be used once in place of the passkey. Null: the ' +
      'person had another factor before, and keeps its recovery codes.',
  })
  recoveryCodes!: string[] | null;
}

export class PasskeyOptions {
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description:
      'For `PublicKeyCredential.parseCreationOptionsFromJSON()` or `parseRequestOptionsFromJSON()`. Valid for 5 ' +
      'minutes, and once.',
  })
  options!: Record<string, unknown>;
}

export class PostPasskey {
  @NameField({ description: 'Such as the name of the device.' })
  name!: string;

  @PasskeyResponseField()
  response!: Record<string, unknown>;
}

export class PutPasskey {
  @NameField({ presence: 'kept' })
  name?: string;
}

const passkeySorts = ['createdAt', '-createdAt'] as const;

export class ListPasskeysQuery extends ListQuery {
  @SortField(passkeySorts, 'createdAt')
  sort?: (typeof passkeySorts)[number];
}

const passkeyExample: Passkey = {
  id: 'psk_01938f3a7c2e7d4ab1c2d3e4f5060140',
  name: 'Laptop',
  backedUp: false,
  createdAt: '2026-11-20T13:00:00.000Z',
  lastUsedAt: '2026-11-20T14:05:00.000Z',
};

const registrationExample = {
  id: 'b1tQxY0mT9GzC4hQ2nq0Rg',
  rawId: 'b1tQxY0mT9GzC4hQ2nq0Rg',
  type: 'public-key',
  clientExtensionResults: {},
  response: { clientDataJSON: 'eyJ0eXBlIjoi…', attestationObject: 'o2NmbXRkbm9uZ…', transports: ['internal'] },
};

const common = { owner: 'auth', scope: null, access: 'member', tag: 'Signing in' } as const;
const ofCaller = ' The passkeys of a person are valid in all organizations of the person.';

export const listPasskeys = operation({
  ...common,
  id: 'passkeys.list',
  operationId: 'listPasskeys',
  method: 'GET',
  path: '/session/passkeys',
  summary: 'List your passkeys',
  description: `The passkeys with which the person can sign in.${ofCaller}`,
  query: ListPasskeysQuery,
  reply: 'list',
  item: Passkey,
  faults: ['INVALID_CURSOR'],
  example: { reply: { data: [passkeyExample], meta: { limit: 50, hasMore: false, nextCursor: null, total: 1 } } },
});

export const beginPasskey = operation({
  ...common,
  id: 'passkeys.begin',
  operationId: 'beginPasskey',
  method: 'POST',
  path: '/session/passkeys/options',
  summary: 'Begin to register a passkey',
  description:
    'The options for `navigator.credentials.create()`. Needs a proof that you are still the one who signed in, unless ' +
    'you did so in the last 15 minutes; see `beginTotp`.',
  body: PostProof,
  bodyOptional: true,
  reply: 'one',
  item: PasskeyOptions,
  faults: ['CONFLICT', 'IDEMPOTENCY_KEY_REUSED'],
  example: {
    body: {},
    reply: {
      data: {
        options: {
          challenge: 'q0Qq1Vq2u0lq0m0h2mVQhYk3fXv6uTtB8x1o5kq7n4E',
          rp: { id: 'alerts.example.com', name: 'Alerts' },
          user: { id: 'AZOPOnwufUqxwtPk9QYAMA', name: 'mira@example.com', displayName: 'Mira Okafor' },
          pubKeyCredParams: [{ alg: -7, type: 'public-key' }],
        },
      },
    },
  },
});

export const createPasskey = operation({
  ...common,
  id: 'passkeys.create',
  operationId: 'createPasskey',
  method: 'POST',
  path: '/session/passkeys',
  summary: 'Register a passkey',
  description:
    `With it the person signs in without a password, or confirms a sign-in with the password. At most ${maxPasskeys} ` +
    'passkeys for each person.',
  body: PostPasskey,
  reply: 'created',
  item: NewPasskey,
  faults: ['CONFLICT', 'IDEMPOTENCY_KEY_REUSED'],
  example: {
    body: { name: passkeyExample.name, response: registrationExample },
    reply: { data: { ...passkeyExample, lastUsedAt: null, recoveryCodes: null } },
  },
});

export const updatePasskey = operation({
  ...common,
  id: 'passkeys.update',
  operationId: 'updatePasskey',
  method: 'PUT',
  path: '/session/passkeys/{id}',
  summary: 'Rename a passkey',
  description: 'Changes the name of a passkey of the person.',
  body: PutPasskey,
  reply: 'one',
  item: Passkey,
  example: { params: { id: passkeyExample.id }, body: { name: 'Work laptop' }, reply: { data: passkeyExample } },
});

export const deletePasskey = operation({
  ...common,
  id: 'passkeys.delete',
  operationId: 'deletePasskey',
  method: 'DELETE',
  path: '/session/passkeys/{id}',
  summary: 'Remove a passkey',
  description:
    'Nobody can sign in with it any more. Needs a sign-in in the last 15 minutes; otherwise sign in again. The last ' +
    'passkey of a person without a password and without another way to sign in is not removed.',
  reply: 'none',
  faults: ['CONFLICT'],
  example: { params: { id: passkeyExample.id }, reply: null },
});

export const passkeyOperations = [listPasskeys, beginPasskey, createPasskey, updatePasskey, deletePasskey];
