/**
 * Webhooks: the event as JSON, signed as Standard Webhooks says. `webhook-id` is the same for every attempt of a
 * notification, so that the receiver can recognize a repetition.
 *
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
import type { WebhookEvent } from '@ams/contracts';
import { Webhook } from 'standardwebhooks';
import { permanentFailure } from '../attempts/attempt-result.js';
import { attemptResultOf, secretsOfUrl } from '../http/http-attempt-result.js';
import type { ChannelSender, TargetOf } from './channel-sender.js';
import { commonHeaders, httpDelivery } from './http-delivery.js';

export type WebhookTarget = TargetOf<'webhook'>;

export const webhook: ChannelSender<'webhook'> = ({ notificationId, event }, target, { http, settings, clock }) =>
  httpDelivery(target.url, settings.concurrencyPerTarget, async () => {
    const message = webhookMessage(event, target, notificationId, clock.now());
    if (message.kind === 'unusable') return permanentFailure('unusable', message.why, 'unknown');
    const { body, headers, authorHeaders } = message;
    const result = await http.post({
      url: target.url,
      headers: { ...commonHeaders, ...headers },
      authorHeaders,
      body,
      timeoutMs: target.timeoutSeconds * 1000,
    });
    const secrets = [...secretsOfUrl(target.url), ...secretsOf(target.secret), ...Object.values(authorHeaders)];
    return attemptResultOf(result, secrets, clock.now());
  });

export type WebhookMessage =
  /** `authorHeaders`: those of the workflow's author, without the reserved ones. */
  | { kind: 'message'; body: string; headers: Record<string, string>; authorHeaders: Record<string, string> }
  /** The notification can never be sent with these settings. */
  | { kind: 'unusable'; why: string };

/** Headers that the author cannot set: ours and those of the signature. */
const ours = /^(?:host|content-(?:type|length|encoding)|accept(?:-encoding)?|user-agent|webhook-.*)$/;
/** Headers of the connection (RFC 9110, 7.6.1), which the author cannot set either. */
const ofConnection = /^(?:connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|proxy-.*)$/;
const isReserved = (name: string): boolean => ours.test(name) || ofConnection.test(name);
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const headerValue = /^[\t\x20-\x7e]*$/;

/**
 * A secret is `whsec_` and base64, as in the specification, or any text, whose UTF-8 bytes are the key. Throws when
 * `whsec_` is not followed by base64.
 */
const signer = (secret: string): Webhook =>
  secret.startsWith('whsec_') ? new Webhook(secret) : new Webhook(Buffer.from(secret), { format: 'raw' });

/** Two secrets, separated by a space, are both valid while one replaces the other: each gives a signature. */
export const secretsOf = (secret: string | null): string[] => (secret ?? '').split(/\s+/).filter((one) => one !== '');

/** `id` is that of the notification, `at` the time of this attempt in milliseconds since 1970. */
export function webhookMessage(
  { id: eventId, type, occurredAt, version = null, data }: WebhookEvent,
  target: WebhookTarget,
  id: string,
  at: number,
): WebhookMessage {
  const body = JSON.stringify({ id: eventId, type, occurredAt, version, data });
  const time = new Date(at);
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at / 1000)),
  };
  const secrets = secretsOf(target.secret);
  try {
    if (secrets.length > 0)
      headers['webhook-signature'] = secrets.map((secret) => signer(secret).sign(id, time, body)).join(' ');
  } catch {
    return { kind: 'unusable', why: 'The secret begins with whsec_ but is not base64 after that.' };
  }
  const fromAuthor = Object.entries(target.headers).filter(([name]) => !isReserved(name.toLowerCase()));
  const bad = fromAuthor.find(([name, value]) => !headerName.test(name) || !headerValue.test(value));
  if (bad) return { kind: 'unusable', why: 'A header of the webhook has a name or a value that HTTP does not allow.' };
  return { kind: 'message', body, headers, authorHeaders: Object.fromEntries(fromAuthor) };
}
