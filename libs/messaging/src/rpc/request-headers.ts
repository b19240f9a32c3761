/**
 * The headers of a request: the time for which its caller waits, the signature of a call of the API gateway, and the
 * trace that it belongs to. A request that is received later is dropped.
 */
import type { TraceContext } from '@ams/contracts';
import { headers, type Msg, type MsgHdrs } from '@nats-io/transport-node';

const timeoutHeader = 'Ams-Timeout-Ms';
/** What `CallSession.sign` returns. Services of earlier releases do not read it. */
export const signatureHeader = 'Ams-Call';
const made = new Map<number, MsgHdrs>();

/** The headers of a request whose caller waits for `timeoutMs` after sending it. `Infinity`: it has no time limit. */
export function requestHeaders(
  timeoutMs: number,
  { traceparent, tracestate }: TraceContext = {},
  signature: string | null = null,
): MsgHdrs {
  if (traceparent === undefined && signature === null) return sharedHeaders(timeoutMs);
  const own = headers();
  if (timeoutMs !== Number.POSITIVE_INFINITY) own.set(timeoutHeader, String(timeoutMs));
  if (signature !== null) own.set(signatureHeader, signature);
  if (traceparent !== undefined) own.set('traceparent', traceparent);
  if (tracestate !== undefined) own.set('tracestate', tracestate);
  return own;
}

function sharedHeaders(timeoutMs: number): MsgHdrs {
  let found = made.get(timeoutMs);
  if (!found) {
    found = headers();
    if (timeoutMs !== Number.POSITIVE_INFINITY) found.set(timeoutHeader, String(timeoutMs));
    if (made.size < 100) made.set(timeoutMs, found); // there are only a few values
  }
  return found;
}

/** What `continueTrace` of libs/tracing takes. */
export function traceContextOf({ headers: sent }: Pick<Msg, 'headers'>): TraceContext {
  const traceparent = sent?.get('traceparent');
  return traceparent ? { traceparent, tracestate: sent?.get('tracestate') } : {};
}

/** `Infinity` for a request without the header: it is done whenever it arrives. */
export function timeoutMsOf(message: Pick<Msg, 'headers'>): number {
  const text = message.headers?.get(timeoutHeader);
  const timeoutMs = text ? Number(text) : Number.NaN;
  return timeoutMs > 0 ? timeoutMs : Number.POSITIVE_INFINITY;
}
