/** The content of a message for every channel: clean texts in their order, not escaped yet. */
import type { Alert, Incident, Notice, WebhookEvent } from '@ams/contracts';
import type { Severity } from '@ams/domain';
import { cut, manyLines, oneLine, webAddress } from './clean-text.js';

export interface Fact {
  name: string;
  value: string;
}

/** `href`: the value, when it is a URL. */
export interface Annotation extends Fact {
  href: string | null;
}

export interface Action {
  label: string;
  href: string;
}

export interface Summary {
  /** `[CRITICAL] High CPU — Acme`; 250 characters at most. */
  headline: string;
  title: string;
  /** The state in one word: the severity, `ACKNOWLEDGED` or `RESOLVED`. */
  badge: string | null;
  /** At most ten: severity, status, client, time and so on. */
  facts: Fact[];
  /** The text of the workflow's author. */
  message: string | null;
  description: string | null;
  otherAlerts: string[];
  labels: Fact[];
  annotations: Annotation[];
  /** The actions acknowledge, resolve and open, if they have a link. */
  actions: Action[];
  reason: string;
  /** `#rrggbb`. */
  colour: string;
  isTest: boolean;
}

const severityColours: Record<Severity, string> = {
  critical: '#c92a2a',
  high: '#e8590c',
  medium: '#e0a800',
  low: '#1c7ed6',
  info: '#868e96',
};
const resolvedColour = '#2b8a3e';

/** In UTF-16 code units. The headline is also the subject of e-mails. */
const maxHeadline = 250;
const maxLine = 1024;

const line = (text: string): string => cut(oneLine(text), maxLine);
const filled = (text: string): string | null => (text === '' ? null : text);

/** `2026-11-20 14:00 UTC` of an RFC 3339 time in UTC. */
const clock = (time: string): string => oneLine(`${time.slice(0, 10)} ${time.slice(11, 16)} UTC`);

const facts = (pairs: [name: string, value: string | null | undefined][]): Fact[] =>
  pairs.flatMap(([name, value]) => {
    const text = line(value ?? '');
    return text === '' ? [] : [{ name, value: text }];
  });

const badgeOf = (about: Alert | Incident | null): string | null =>
  about === null
    ? null
    : about.status === 'resolved' || about.status === 'acknowledged'
      ? about.status.toUpperCase()
      : about.severity.toUpperCase();

/** The text of the workflow's author, if it differs from the title; otherwise state, title and client. */
function headlineOf(
  { subject, incident, clientName, environment }: Notice,
  title: string,
  badge: string | null,
): string {
  const written = oneLine(subject);
  const mark = environment === 'test' ? '[TEST] ' : '';
  const tags = [incident ? `#${incident.number}` : null, badge].filter((tag) => tag !== null).join(' ');
  const client = cut(oneLine(clientName ?? ''), 60);
  const before = tags === '' ? mark : `${mark}[${tags}] `;
  const after = client === '' ? '' : ` — ${client}`;
  if (written !== '' && written !== title) return cut(`${mark}${written}`, maxHeadline);
  return `${before}${cut(title, maxHeadline - before.length - after.length)}${after}`;
}

function factsOf({ incident, alert, clientName, organizationName }: Notice): Fact[] {
  const about = incident ?? alert;
  return facts([
    ['Severity', about?.severity],
    ['Status', about?.status],
    ['Client', clientName],
    ['Since', incident ? clock(incident.triggeredAt) : alert && clock(alert.firstOccurredAt)],
    ['Acknowledged by', about?.acknowledgedBy?.name],
    ['Resolved by', about?.resolvedBy?.name],
    ['Alert', incident && alert && oneLine(alert.title) !== oneLine(incident.title) ? alert.title : null],
    [
      'Occurrences',
      alert && alert.occurrenceCount > 1
        ? `${alert.occurrenceCount}, the last at ${clock(alert.lastOccurredAt)}`
        : null,
    ],
    ['Source', alert?.source],
    ['Organization', organizationName],
  ]);
}

const entries = (record: Record<string, string>): Annotation[] =>
  Object.entries(record)
    .map(([name, value]) => ({ name: cut(oneLine(name), 256), value: line(value), href: webAddress(oneLine(value)) }))
    .filter(({ name, value }) => name !== '' && value !== '');

/** `Incident created, 2026-11-20 14:00 UTC`: the message shows the present state, which may be another one. */
function eventText({ type, occurredAt }: EventNamed): string {
  const words = type.replace('.', ' ').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}, ${clock(occurredAt)}`;
}

/** The event that a message is about. */
type EventNamed = Pick<WebhookEvent, 'type' | 'occurredAt'>;

/** Why the recipient is told, and about which event; a test message is about none. */
const reasonOf = ({ reason }: Notice, event: EventNamed | null): string =>
  event === null || event.type === 'test' ? reason : `${reason} Event: ${eventText(event)}.`;

/** All texts are clean (clean-text.ts). Description and message may have several lines. */
export function summaryOf(notice: Notice, event: EventNamed | null = null): Summary {
  const { alert, incident, links, environment } = notice;
  const about = incident ?? alert;
  const title = line(about?.title ?? notice.subject) || 'Notification';
  const badge = badgeOf(about);
  const action = (label: string, link: string | null): Action[] => {
    const href = webAddress(link ?? '');
    return href === null ? [] : [{ label, href }];
  };
  return {
    headline: headlineOf(notice, title, badge),
    title,
    badge,
    facts: factsOf(notice),
    message: filled(manyLines(notice.message ?? '')),
    description: filled(manyLines(incident?.summary ?? alert?.description ?? '')),
    otherAlerts: notice.otherAlerts
      .slice(0, 10)
      .map(line)
      .filter((text) => text !== ''),
    labels: entries(alert?.labels ?? {}).map(({ name, value }) => ({ name, value })),
    annotations: entries(alert?.annotations ?? {}),
    actions: [
      ...action('Acknowledge', links.acknowledge),
      ...action('Resolve', links.resolve),
      ...action('Open', links.open),
    ],
    reason: line(reasonOf(notice, event)),
    colour:
      about === null
        ? severityColours.info
        : about.status === 'resolved'
          ? resolvedColour
          : severityColours[about.severity],
    isTest: environment === 'test',
  };
}
