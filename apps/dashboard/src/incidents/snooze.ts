/** When a snooze may end, in the zone of the reader. */
import { Temporal } from 'temporal-polyfill';

export const longestSnoozeMs = 30 * 86_400_000;

export interface SnoozeChoice {
  kind: 'minutes' | 'hours' | 'tomorrow';
  count: number;
  until: string;
}

const morning = 9;

/** Whole minutes, so that the end is easy to read. */
export function snoozeChoices(now: number, zone: string): SnoozeChoice[] {
  const after = (kind: 'minutes' | 'hours', count: number): SnoozeChoice => ({
    kind,
    count,
    until: wholeMinute(now + count * (kind === 'minutes' ? 60_000 : 3_600_000)),
  });
  const tomorrow = Temporal.Instant.fromEpochMilliseconds(now)
    .toZonedDateTimeISO(zone)
    .add({ days: 1 })
    .withPlainTime({ hour: morning });
  return [
    after('minutes', 15),
    after('minutes', 30),
    after('hours', 1),
    after('hours', 4),
    after('hours', 12),
    { kind: 'tomorrow', count: morning, until: new Date(tomorrow.epochMilliseconds).toISOString() },
  ];
}

const wholeMinute = (ms: number): string => new Date(Math.ceil(ms / 60_000) * 60_000).toISOString();

/** The end that was typed as `2026-11-23T09:00` in the zone; null when it is no time of the next 30 days. */
export function typedEnd(text: string, zone: string, now: number): string | null {
  try {
    const at = Temporal.PlainDateTime.from(text).toZonedDateTime(zone).epochMilliseconds;
    return at > now && at <= now + longestSnoozeMs ? new Date(at).toISOString() : null;
  } catch {
    return null;
  }
}

/** `2026-11-23T09:00` in the zone, as an input of a time needs it. */
export const inputTime = (ms: number, zone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(ms)
    .toZonedDateTimeISO(zone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' });
