/**
 * How an error is answered to a sender: status and body in the form of the API that it uses. Both gateways answer
 * senders.
 *
 * PagerDuty's Events API v2: `status` is for programs, `message` and `errors` are for people; clients print all three.
 * Opsgenie's API: https://docs.opsgenie.com/docs/response (401 for an invalid key, 422 for invalid fields).
 */
import type { ReceivingApi } from '@ams/domain';
import { errorBody, type Fault } from '../fault.js';

export interface Refusal {
  status: number;
  body: string;
}

export interface RefusedRequest {
  requestId: string;
  /** The milliseconds since it arrived. */
  tookMs: number;
}

export function senderRefusal(api: ReceivingApi | null, fault: Fault, request: RefusedRequest): Refusal {
  if (api === 'pagerduty') return pagerDutyRefusal(fault);
  if (api === 'opsgenie') return opsgenieRefusal(fault, request);
  return { status: fault.status, body: JSON.stringify(errorBody(fault)) };
}

type Invalid = Fault<'VALIDATION_ERROR'>;

function pagerDutyRefusal(fault: Fault): Refusal {
  const { code, details, status } = fault;
  const refusal = (status: number, word: string, message: string, errors: string[] = [message]): Refusal => ({
    status,
    body: JSON.stringify({ status: word, message, errors }),
  });
  const invalidEvent = (errors: string[]): Refusal => refusal(400, 'invalid event', 'Event object is invalid', errors);
  if (code === 'RATE_LIMITED') return refusal(429, 'throttle exceeded', fault.message);
  // This API has no 401.
  if (code === 'INVALID_INGEST_TOKEN')
    return invalidEvent(["Invalid 'routing_key': it is not the token of an enabled integration"]);
  if (code === 'VALIDATION_ERROR')
    return invalidEvent(
      (details as Invalid['details']).fields.map(({ path, message }) =>
        message.includes(path) ? message : `${path}: ${message}`,
      ),
    );
  if (code === 'INVALID_JSON') return invalidEvent([fault.message]);
  return refusal(status, status >= 500 ? 'error' : 'invalid event', fault.message);
}

/** Opsgenie's names of our fields. */
const opsgenieNames: Record<string, string> = {
  title: 'message',
  severity: 'priority',
  status: 'action',
  fingerprint: 'alias',
};

function opsgenieRefusal({ code, details, status, message }: Fault, { requestId, tookMs }: RefusedRequest): Refusal {
  const refusal = (status: number, message: string, more: object = {}): Refusal => ({
    status,
    body: JSON.stringify({ message, ...more, took: Math.round(tookMs) / 1000, requestId }),
  });
  if (code === 'INVALID_INGEST_TOKEN') {
    return refusal(
      401,
      'Could not authenticate: the API key is not the token of an enabled integration. ' +
        'Send "Authorization: GenieKey <token>".',
    );
  }
  if (code !== 'VALIDATION_ERROR') return refusal(status, message);
  const errors = (details as Invalid['details']).fields.map(({ path, message }) => [
    opsgenieNames[path] ?? path,
    message,
  ]);
  return refusal(422, 'Request is not processable. Please check the errors.', {
    errors: Object.fromEntries(errors) as Record<string, string>,
  });
}
