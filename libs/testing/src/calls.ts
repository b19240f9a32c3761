// Calls operations as the API gateway does.
import { createHash } from 'node:crypto';
import {
  newUuid,
  subjectOf,
  type Answer,
  type Call,
  type IdempotencyRequest,
  type Operation,
  type Page,
  type Principal,
  type PublicCall,
} from '@ams/contracts';
import type { NatsConnection } from '@nats-io/transport-node';
import { eventually } from './eventually.js';

/**
 * A principal of an API key, by default in its own organization and without scopes. It creates no row: see
 * `insertApiKey`.
 */
export const testPrincipal = (values: Partial<Principal> = {}): Principal => ({
  type: 'api_key',
  id: newUuid(),
  name: 'test key',
  organizationId: newUuid(),
  environment: 'live',
  scopes: [],
  ...values,
});

/** Calls an operation. The result may be a fault; `dataOf` and `pageOf` read a successful one. */
export async function callOperation(
  nats: Pick<NatsConnection, 'request'>,
  principal: Principal,
  operation: Pick<Operation, 'id'>,
  values: Partial<Omit<Call, 'principal'>> = {},
  { timeoutMs = 60_000 } = {},
): Promise<Answer> {
  const call = callOf(principal, values);
  return (await nats.request(subjectOf(operation), JSON.stringify(call), { timeout: timeoutMs })).json<Answer>();
}

/**
 * Asks again while the answer is 503, as callers do: on a busy machine many requests for the same lock wait too long, and
 * nothing has changed then.
 */
export const whenAnswered = (ask: () => Promise<Answer>): Promise<Answer> =>
  eventually(async () => {
    const answer = await ask();
    if (!answer.ok && answer.code === 'UNAVAILABLE') throw new Error(answer.message);
    return answer;
  });

/** A call as the API gateway sends it. */
export const callOf = (principal: Principal, values: Partial<Omit<Call, 'principal'>> = {}): Call => ({
  requestId: `test-${newUuid()}`,
  principal,
  params: {},
  query: {},
  body: undefined,
  ifMatch: null,
  idempotency: null,
  ip: '192.0.2.7',
  userAgent: 'test/1',
  ...values,
});

/** Calls a public operation, as the API gateway does for a caller with or without a session cookie. */
export async function callPublicOperation(
  nats: Pick<NatsConnection, 'request'>,
  operation: Pick<Operation, 'id'>,
  values: Partial<Omit<PublicCall, 'principal'>> = {},
  { timeoutMs = 60_000 } = {},
): Promise<Answer> {
  const { principal: _principal, idempotency: _idempotency, ...call } = callOf(testPrincipal());
  const publicCall: PublicCall = { ...call, principal: null, sessionHash: null, ...values };
  return (await nats.request(subjectOf(operation), JSON.stringify(publicCall), { timeout: timeoutMs })).json<Answer>();
}

/** The object of a successful result; throws when it is a fault. */
export const dataOf = <R>(answer: Answer): R => (bodyOf(answer) as { data: R }).data;

/** The page of a successful result; throws when it is a fault. */
export const pageOf = <R>(answer: Answer): Page<R> => bodyOf(answer) as Page<R>;

function bodyOf(answer: Answer): unknown {
  if (!answer.ok) throw new Error(`the operation failed: ${JSON.stringify(answer)}`);
  return answer.body;
}

/** The idempotency data that the gateway derives from an `Idempotency-Key` header and a body. */
export const idempotencyOf = (key: string, body: unknown = null): IdempotencyRequest => ({
  key,
  fingerprint: createHash('sha256').update(JSON.stringify(body)).digest('base64url'),
  sealKey: createHash('sha256').update('seal').digest('base64url'),
});
