/**
 * An event for a webhook, signed as Standard Webhooks has it: `webhook-id` is the same for every attempt of a notification, so
 * that the other side can tell a repetition.
 *
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
import type { SendTarget, WebhookEvent } from '@ams/contracts';
import { Webhook } from 'standardwebhooks';

export type WebhookTarget = Extract<SendTarget, { channel: 'webhook' }>;

export type WebhookMessage =
  /** `ownHeaders` are those that the workflow's author gave, less those that are ours. */
  | { kind: 'message'; body: string; headers: Record<string, string>; ownHeaders: Record<string, string> }
  /** It can never be sent like this. */
  | { kind: 'unusable'; why: string };

/** Set here, by the signature or by the connection (RFC 9110, 7.6.1): never by an author. */
const reserved =
  /^(?:host|content-(?:type|length|encoding)|accept(?:-encoding)?|user-agent|webhook-.*|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|proxy-.*)$/;
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const headerValue = /^[\t\x20-\x7e]*$/;

/** `whsec_` and base64, as the specification writes secrets, or any text, whose UTF-8 bytes are the key. Throws when it is no base64. */
const signer = (secret: string): Webhook =>
  secret.startsWith('whsec_') ? new Webhook(secret) : new Webhook(Buffer.from(secret), { format: 'raw' });

/** Two secrets with a space between them are both valid while one takes the place of the other: there is a signature by each. */
export const secretsOf = (secret: string | null): string[] => (secret ?? '').split(/\s+/).filter((one) => one !== '');

/** Pure. `at` is the time of this attempt, in milliseconds since 1970; `id` the notification's. */
export function webhookMessage(
  { id: eventId, type, occurredAt, data }: WebhookEvent,
  target: WebhookTarget,
  id: string,
  at: number,
): WebhookMessage {
  const body = JSON.stringify({ id: eventId, type, occurredAt, data });
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
  const own = Object.entries(target.headers).filter(([name]) => !reserved.test(name.toLowerCase()));
  const bad = own.find(([name, value]) => !headerName.test(name) || !headerValue.test(value));
  if (bad) return { kind: 'unusable', why: 'A header of the webhook has a name or a value that HTTP does not allow.' };
  return { kind: 'message', body, headers, ownHeaders: Object.fromEntries(own) };
}
