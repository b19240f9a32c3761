/** Time zones, by their names in the IANA database. */

const form = /^[A-Za-z][A-Za-z0-9_+/-]*$/;

/** A name or link of the IANA time zone database, or UTC; not an offset such as +02:00, which has no clock changes. */
export function isTimeZone(value: unknown): value is string {
  if (typeof value !== 'string' || !form.test(value)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    return true;
  } catch {
    return false;
  }
}
