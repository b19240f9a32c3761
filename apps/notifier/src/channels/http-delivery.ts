import { createHash } from 'node:crypto';
import type { AttemptResult } from '../attempts/attempt-result.js';
import { parseTarget } from '../http/http-client.js';
import type { Delivery } from './channel-sender.js';

export const commonHeaders = { 'user-agent': 'alert-management-service', accept: '*/*' };

/**
 * A message that is sent by POST. Limits and circuit breakers apply to host and path: customers of a chat service share
 * its host, and a failing webhook of one customer must not stop the others.
 */
export function httpDelivery(url: string, concurrency: number, attempt: () => Promise<AttemptResult>): Delivery {
  const parsed = parseTarget(url);
  if ('kind' in parsed) return { target: 'invalid URL', hops: [], attempt };
  const path = createHash('sha256').update(parsed.pathname).digest('base64url');
  const { host } = parsed;
  return {
    target: host,
    hops: [{ key: `${host} ${path}`, limit: concurrency, name: host, role: 'target' }],
    attempt,
  };
}
