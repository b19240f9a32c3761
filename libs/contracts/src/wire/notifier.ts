/**
 * What the workflow engine asks of the notifier, the only service that speaks to the outside. One request is one attempt:
 * the notifier says how it went and whether another attempt makes sense, and the engine keeps the time of it.
 */
import type { ChatChannel } from '@ams/domain';
import type { Environment } from '@ams/scopes';
import type { Alert } from '../nouns/alerts.js';
import type { Incident } from '../nouns/incidents.js';
import { serviceRequest } from './service-request.js';

export { channels, type Channel } from '@ams/domain';

export type SendTarget =
  | { channel: 'email'; address: string; name: string | null }
  | { channel: ChatChannel; url: string }
  | { channel: 'webhook'; url: string; secret: string | null; headers: Record<string, string>; timeoutSeconds: number };

/** What a message is about, for people. */
export interface Notice {
  /** The subject line, or the head of a chat message. */
  subject: string;
  /** Words of the workflow's author, if there are any. */
  message: string | null;
  alert: Alert | null;
  incident: Incident | null;
  /** Further alerts of the incident that are open, by their titles: ten at most. */
  otherAlerts: string[];
  clientName: string | null;
  organizationName: string;
  environment: Environment;
  /** Why this person or channel gets it, in a sentence. */
  reason: string;
  links: { open: string | null; acknowledge: string | null; resolve: string | null };
}

/** What a signed webhook carries: the event as it happened. */
export interface WebhookEvent {
  id: string;
  type: string;
  occurredAt: string;
  data: unknown;
}

export interface SendRequest {
  /** The same for every attempt of one notification: `webhook-id`, and part of the Message-ID of a mail. */
  notificationId: string;
  target: SendTarget;
  notice: Notice;
  event: WebhookEvent;
}

/** `reason` is for people, and holds no secret and no more than a line of what the other side said. */
export type SendReply =
  | { kind: 'sent'; detail: string | null }
  /** `retryAfterSeconds`: what the other side asked for, when it did. */
  | { kind: 'failed'; reason: string; retry: boolean; retryAfterSeconds: number | null }
  /** Nothing was tried: the target has failed too often lately, or there is no room for it now. It costs no attempt. */
  | { kind: 'heldBack'; reason: string; retryAfterSeconds: number };

export const sendRequest = serviceRequest<SendRequest, SendReply>('cmd.notifier.send');
export const sendSubject = sendRequest.subject;
