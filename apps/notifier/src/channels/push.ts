/**
 * Push messages to the browsers of members, by the push services of their vendors. The endpoint is a secret: whoever
 * knows it can try to send. Its host is checked as that of a webhook is, because a browser can be made to send any.
 *
 * https://www.rfc-editor.org/rfc/rfc8030 (Web Push), 8291 (encryption), 8292 (VAPID)
 */
import { createHash } from 'node:crypto';
import { permanentFailure, temporaryFailure, type AttemptResult } from '../attempts/attempt-result.js';
import { attemptResultOf, secretsOfUrl } from '../http/http-attempt-result.js';
import { parseTarget, type HttpResult } from '../http/http-client.js';
import { isQuiet, pushPayload, topicOf } from '../push/push-payload.js';
import type { ChannelSender } from './channel-sender.js';
import { commonHeaders } from './http-delivery.js';

/** A page that is older is of no use to a device that was offline; the mail is still there. */
const ttlSeconds = 4 * 3600;

export const push: ChannelSender<'push'> = (request, target, { http, settings, encryption, clock }) => {
  const opened = encryption.subscriptionOf(target);
  if (opened.kind === 'unusable') {
    const { why, retry } = opened;
    const failure = retry ? temporaryFailure : permanentFailure;
    return {
      target: 'device',
      hops: [],
      attempt: () => Promise.resolve(failure('unusable', why, 'unknown')),
    };
  }
  const { value: subscription } = opened;
  const { endpoint } = subscription;
  const parsed = parseTarget(endpoint);
  const host = 'kind' in parsed ? 'invalid URL' : parsed.host;
  const key = `push ${createHash('sha256').update(endpoint).digest('base64url')}`;
  return {
    target: host,
    hops: [{ key, limit: settings.concurrencyPerTarget, name: host, role: 'target' }],
    attempt: async () => {
      const { headers, authorization, body } = encryption.requestOf(subscription, pushPayload(request), {
        ttl: ttlSeconds,
        urgency: isQuiet(request.notice) ? 'normal' : 'high',
        topic: topicOf(request),
      });
      const result = await http.post({
        url: endpoint,
        headers: { ...commonHeaders, ...headers },
        authorHeaders: { authorization },
        body,
        timeoutMs: settings.chatTimeoutSeconds * 1000,
      });
      const secrets = [...secretsOfUrl(endpoint), ...Object.values(subscription.keys), authorization];
      return resultOf(result, secrets, clock.now());
    },
  };
};

/** The push service has forgotten the subscription (RFC 8030, 7.3), or never knew it. */
const isGone = (result: HttpResult): boolean =>
  result.kind === 'response' && (result.status === 404 || result.status === 410);

/** It refuses the signature: keys that do not belong together, or another key than the one of the subscription. */
const isRefused = (result: HttpResult): boolean =>
  result.kind === 'response' && (result.status === 401 || result.status === 403);

export function resultOf(result: HttpResult, secrets: readonly string[], now: number): AttemptResult {
  if (result.kind === 'response' && isGone(result)) {
    const { host, status } = result;
    const reason = `${host} does not know the device any more (${status}): nothing is pushed to it again.`;
    const failure = permanentFailure(String(status), reason, 'none');
    return { ...failure, reply: { kind: 'failed', reason, retry: false, retryAfterSeconds: null, gone: true } };
  }
  if (result.kind === 'response' && isRefused(result)) {
    const { host, status } = result;
    const reason = `${host} refuses the VAPID keys (${status}): add the device again, or check the settings.`;
    return permanentFailure(String(status), reason, 'none');
  }
  return attemptResultOf(result, secrets, now);
}
