/**
 * Examples of each error for the OpenAPI document: the real error body, with the message that the operation would give.
 */
import { alertTransitions, incidentTransitions } from '@ams/domain';
import { errorBody, Fault, type ErrorBody, type FaultCode, type FaultDetails, type FieldFault } from './fault.js';
import { idPrefixes } from './id.js';
import type { Operation } from './operation.js';

/** The parts of an operation that its examples use. */
export type Shown = Pick<Operation, 'path' | 'access' | 'reply' | 'body' | 'query' | 'example' | 'deprecated'> & {
  scope: string | null;
};

const refusedOperation = {
  operation: 'rename',
  code: 'NOT_FOUND',
  error: 'There is no client with the id cli_0.',
  details: { resource: 'client', id: 'cli_0' },
};

const details = (op: Shown): FaultDetails => ({
  VALIDATION_ERROR: { fields: [fieldFault(op)] },
  INVALID_JSON: null,
  INVALID_CURSOR: null,
  BATCH_FAILED: { ...refusedOperation, failures: [refusedOperation] },
  UNAUTHORIZED: null,
  INVALID_INGEST_TOKEN: null,
  INSUFFICIENT_SCOPE: { required: requiredBy(op) },
  NOT_FOUND: op.access === 'public' ? null : addressed(op),
  METHOD_NOT_ALLOWED: { allowed: ['GET'] },
  REQUEST_TIMEOUT: null,
  CONFLICT: null,
  IDEMPOTENCY_KEY_REUSED: null,
  INVALID_STATE_TRANSITION: {
    from: 'resolved',
    to: 'acknowledged',
    allowed: [...(isAbout(op, 'incidents') ? incidentTransitions : alertTransitions).resolved],
  },
  RESOURCE_IN_USE: { references: [needing(op)] },
  QUOTA_EXCEEDED: { kind: 'workflows', limit: 500, used: 500 },
  VERSION_MISMATCH: { current: 4 },
  PAYLOAD_TOO_LARGE: { limitBytes: 1_048_576 },
  UNSUPPORTED_MEDIA_TYPE: null,
  RATE_LIMITED:
    op.access === 'public'
      ? { scope: 'for the account', limit: 10, windowSeconds: 900, retryAfterSeconds: 317 }
      : { scope: 'organization', limit: 300, windowSeconds: 60, retryAfterSeconds: 17 },
  INTERNAL_ERROR: { requestId: '4f1f0a5e' },
  UNAVAILABLE: { requestId: '4f1f0a5e' },
});

/** Messages that say more than the default message of the code. */
const messages: Partial<Record<FaultCode, string>> = {
  RATE_LIMITED: 'The limit of 300 requests per 60 s of the organization is used up. Try again in 17 s.',
};

/** The same for operations of people who sign in. */
const messagesOf: Record<NonNullable<Operation['access']>, Partial<Record<FaultCode, string>>> = {
  member: {
    ...messages,
    UNAUTHORIZED: 'The session has ended. Sign in again.',
    INSUFFICIENT_SCOPE: 'This operation is for people who are signed in. An API key cannot use it.',
  },
  public: {
    UNAUTHORIZED: 'The e-mail address or the password is wrong.',
    INSUFFICIENT_SCOPE: 'The request must come from a page of this installation.',
    NOT_FOUND: 'This link is not valid: it was used, has expired, or was replaced.',
  },
};

const requiredBy = ({ access, scope }: Shown): string =>
  access === 'member' ? 'session' : access === 'public' ? 'Origin' : (scope ?? 'clients:write');

const isAbout = ({ path }: Shown, noun: string): boolean => path.split('/')[1] === noun;

/** A validation error that a request to this operation can have. */
function fieldFault({ reply, body, query }: Shown): FieldFault {
  if (reply === 'list') return { path: 'limit', rule: 'min', message: 'limit must be at least 1' };
  return {
    path: 'nmae',
    rule: 'unknown',
    message: `nmae is not a ${body || query ? 'field' : 'parameter'} of this request`,
  };
}

/** The resource that the path names, found by the prefix of its id. */
function addressed({ example }: Shown): { resource: string; id: string } {
  const id = Object.values(example.params ?? {})[0] ?? '';
  const noun = Object.entries(idPrefixes).find(([, prefix]) => id.startsWith(`${prefix}_`))?.[0] ?? '';
  return { resource: noun.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), id };
}

/** A resource that still refers to the one to be deleted. */
const needing = (op: Shown): { resource: string; id: string; name: string } =>
  ['schedules', 'teams', 'escalation-policies', 'users'].some((noun) => isAbout(op, noun))
    ? { resource: 'workflow', id: 'wfl_01938f3a7c2e7d4ab1c2d3e4f5060070', name: 'Page for what is urgent' }
    : { resource: 'alert', id: 'alr_01938f3a7c2e7d4ab1c2d3e4f5061728', name: 'High CPU' };

export const exampleOfFault = (code: FaultCode, op: Shown): ErrorBody =>
  errorBody(
    new Fault(code, details(op)[code] as never, (op.access === undefined ? messages : messagesOf[op.access])[code]),
  );
