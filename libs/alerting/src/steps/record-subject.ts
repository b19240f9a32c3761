/**
 * What messages tell about an event of a schedule or a suppression window, as it was at the event. Templates name the
 * values by their paths: `{{schedule.to}}`.
 */
import type { EventMember, ExpiringWindow, HandOff } from '@ams/contracts';

export interface RecordSubject {
  title: string;
  /** The message of a step that has none. */
  text: string;
  schedule?: Record<string, string>;
  suppression?: Record<string, string>;
}

const names = (members: readonly EventMember[]): string => members.map(({ name }) => name).join(', ');
const addresses = (members: readonly EventMember[]): string => members.map(({ email }) => email).join(', ');

/** `2026-11-23 08:00 UTC` */
const minute = (at: string): string => `${at.slice(0, 16).replace('T', ' ')} UTC`;

export function handOffSubject({
  id,
  name,
  timezone,
  from,
  to,
  source,
  layer,
  startsAt,
  endsAt,
}: HandOff): RecordSubject {
  const [before, now] = [names(from), names(to)];
  const verb = to.length > 1 ? 'are' : 'is';
  const title = `${name}: ${now || 'nobody'} ${verb} on call`;
  const until = endsAt === null ? '' : `, until ${minute(endsAt)}`;
  return {
    title,
    text: `${now || 'Nobody'} ${verb} on call in ${name}${until}. Before: ${before || 'nobody'}.`,
    schedule: {
      id,
      name,
      timezone,
      from: before || 'nobody',
      to: now || 'nobody',
      fromEmails: addresses(from),
      toEmails: addresses(to),
      source: source ?? '',
      layer: layer?.name ?? '',
      startsAt: startsAt ?? '',
      endsAt: endsAt ?? '',
    },
  };
}

export function expiringSubject({ id, name, reason, endsAt }: ExpiringWindow): RecordSubject {
  return {
    title: `The suppression window "${name}" ends at ${minute(endsAt)}`,
    text: `The suppression window "${name}" ends at ${minute(endsAt)}. Alerts that still fire page then.`,
    suppression: { id, name, reason: reason ?? '', endsAt },
  };
}
