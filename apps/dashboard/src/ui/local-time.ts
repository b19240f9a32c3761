/** The value of `<input type="datetime-local">` for a time in a zone, and back. */
import { Temporal } from 'temporal-polyfill';

export const toLocal = (at: string, zone: string): string =>
  Temporal.Instant.from(at).toZonedDateTimeISO(zone).toPlainDateTime().toString({ smallestUnit: 'minute' });

/** Null when it cannot be read. Of a time that exists twice, the first. */
export function fromLocal(text: string, zone: string): string | null {
  try {
    const { epochMilliseconds } = Temporal.PlainDateTime.from(text).toZonedDateTime(zone);
    return new Date(epochMilliseconds).toISOString();
  } catch {
    return null;
  }
}

/** Whether the browser knows a time zone of this name. */
export function isZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}
