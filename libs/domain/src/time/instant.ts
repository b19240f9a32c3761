/** Instants, dates and times of day as users write them (RFC 3339). */

const instantForm =
  /^\d{4}-\d\d-\d\d[Tt ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
const dateForm = /^\d{4}-\d\d-\d\d$/;
/** The years of four digits, in UTC. */
const firstInstant = Date.parse('0000-01-01T00:00:00Z');
const endOfInstants = Date.parse('+010000-01-01T00:00:00Z');
const timeOfDayForm = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

/** `YYYY-MM-DD` of an existing day: Date parses 30 February as 2 March. */
export const isDate = (value: unknown): value is string =>
  typeof value === 'string' && dateForm.test(value) && exists(value);

/** The text begins with a date in the form of `dateForm`. */
function exists(text: string): boolean {
  const year = Number(text.slice(0, 4));
  const month = Number(text.slice(5, 7));
  const day = Number(text.slice(8, 10));
  if (month === 2) return day >= 1 && day <= (year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28);
  return (
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= (month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31)
  );
}

/** `HH:MM`, from 00:00 to 23:59. */
export const isTimeOfDay = (value: unknown): value is string => typeof value === 'string' && timeOfDayForm.test(value);

/** The pattern of `isTimeOfDay` for OpenAPI schemas. */
export const timeOfDayPattern = '^([01]\\d|2[0-3]):[0-5]\\d$';

/** `HH:MM` from 00:00 to 24:00, the end of the day. */
export const isEndOfDay = (value: unknown): value is string => isTimeOfDay(value) || value === '24:00';

export const endOfDayPattern = '^(([01]\\d|2[0-3]):[0-5]\\d|24:00)$';

/**
 * Milliseconds since 1970 of an RFC 3339 time with its offset, with or without seconds; NaN when it is invalid or does
 * not exist (30 February). The year must have four digits in UTC too, after the offset is applied.
 */
export function parseInstant(value: unknown): number {
  if (typeof value !== 'string') return NaN;
  if (!instantForm.test(value) || !exists(value)) return NaN;
  const instant = Date.parse(value.replace(' ', 'T').toUpperCase());
  return instant >= firstInstant && instant < endOfInstants ? instant : NaN;
}

export const isInstant = (value: unknown): value is string => !Number.isNaN(parseInstant(value));

/** An instant, or a date, which means the end of that day in UTC; null for other values. */
export function parseDateOrInstant(value: unknown): Date | null {
  if (isDate(value)) return new Date(`${value}T23:59:59.999Z`);
  const instant = parseInstant(value);
  return Number.isNaN(instant) ? null : new Date(instant);
}

/** Digits of a number of seconds, milliseconds, microseconds or nanoseconds since 1970, from 2001 to 2286. */
const epochForm = /^(\d{10})(\d{3}|\d{6}|\d{9})?(?:\.\d+)?$/;

/**
 * Milliseconds since 1970 of an instant as senders write it: RFC 3339, the same with an offset without a colon
 * (`+0000`), or a number since 1970. NaN for other texts, and for a local time without an offset.
 */
export function senderInstant(text: string): number {
  const instant = parseInstant(text);
  if (!Number.isNaN(instant)) return instant;
  const epoch = epochForm.exec(text);
  if (epoch !== null) return Number(epoch[1]! + (epoch[2] ?? '000').slice(0, 3));
  return parseInstant(text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
}
