/** What the service worker of the dashboard gets. Paths are those of its own origin. */
import type { Notice, SendRequest } from '@ams/contracts';
import { uuidOf } from '@ams/contracts';
import { cut } from '../messages/clean-text.js';
import { summaryOf } from '../messages/summary.js';

export interface PushPayload {
  title: string;
  body: string;
  /** Notifications with the same tag replace each other: one for each incident. */
  tag: string;
  severity: string | null;
  status: string | null;
  /** Of the incident. */
  number: number | null;
  /** The page of the incident or alert. */
  open: string | null;
  /** Where a POST acknowledges, without a session. Null: there is nothing to acknowledge. */
  acknowledge: string | null;
  /** Without sound. */
  silent: boolean;
}

/** A message has at most 4,096 bytes, of which encryption takes 103 (RFC 8291, 4). */
export const maxPayloadBytes = 3_900;

/** In UTF-16 code units: devices show less. */
const maxTitle = 200;
const maxBody = 300;

/** Of very long texts, first the body is left out, then most of the title, then the action. */
export function pushPayload({
  notice,
  notificationId,
  event,
}: Pick<SendRequest, 'notice' | 'notificationId' | 'event'>): string {
  const { headline, message, reason } = summaryOf(notice, event);
  const about = notice.incident ?? notice.alert;
  const whole: PushPayload = {
    title: cut(headline, maxTitle),
    body: cut([message, saysWhy(notice) ? reason : null].filter((text) => text !== null).join('\n'), maxBody),
    tag: about?.id ?? notificationId,
    severity: about?.severity ?? null,
    status: about?.status ?? null,
    number: notice.incident?.number ?? null,
    open: pathOf(notice.links.open),
    acknowledge: isOpen(about) ? pathOf(notice.links.acknowledge) : null,
    silent: isQuiet(notice),
  };
  const shorter = { ...whole, body: '' };
  const shortest = { ...shorter, title: cut(headline, 60) };
  const texts = [whole, shorter, shortest, { ...shortest, acknowledge: null }].map((payload) =>
    JSON.stringify(payload),
  );
  return texts.find((text) => Buffer.byteLength(text) <= maxPayloadBytes) ?? (texts.at(-1) as string);
}

const isOpen = (about: Notice['alert'] | Notice['incident']): boolean =>
  about !== null && about.status !== 'acknowledged' && about.status !== 'resolved';

/** The device has said why when it showed what is replaced. */
const saysWhy = ({ reason, silent = false }: Notice): boolean => reason !== '' && !silent;

/** What is over, incidents of low urgency, and what only replaces another message wake nobody. */
export const isQuiet = ({ incident, alert, silent = false }: Pick<Notice, 'incident' | 'alert' | 'silent'>): boolean =>
  silent || (incident ?? alert)?.status === 'resolved' || incident?.urgency === 'low';

function pathOf(link: string | null): string | null {
  if (link === null || !URL.canParse(link)) return null;
  const { pathname, search } = new URL(link);
  return pathname + search;
}

/** At most 32 characters of base64url (RFC 8030, 5.4): the UUID of the incident, the alert or the message. */
export function topicOf({
  notice: { incident, alert },
  notificationId,
}: Pick<SendRequest, 'notice' | 'notificationId'>): string {
  const uuid =
    (incident && uuidOf('incident', incident.id)) ??
    (alert && uuidOf('alert', alert.id)) ??
    uuidOf('notification', notificationId);
  return (uuid ?? '').replaceAll('-', '');
}
