/** The header of a request with the time for which its caller waits. A request that is received later is dropped. */
import { headers, type Msg, type MsgHdrs } from '@nats-io/transport-node';

const timeoutHeader = 'Ams-Timeout-Ms';
const made = new Map<number, MsgHdrs>();

/** The headers of a request whose caller waits for `timeoutMs` after sending it. */
export function requestHeaders(timeoutMs: number): MsgHdrs {
  let found = made.get(timeoutMs);
  if (!found) {
    found = headers();
    found.set(timeoutHeader, String(timeoutMs));
    if (made.size < 100) made.set(timeoutMs, found); // there are only a few values
  }
  return found;
}

/** `Infinity` for a request without the header: it is done whenever it arrives. */
export function timeoutMsOf(message: Pick<Msg, 'headers'>): number {
  const text = message.headers?.get(timeoutHeader);
  const timeoutMs = text ? Number(text) : Number.NaN;
  return timeoutMs > 0 ? timeoutMs : Number.POSITIVE_INFINITY;
}
