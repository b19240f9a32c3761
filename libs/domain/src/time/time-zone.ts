/** Time zones, by their names in the IANA database. */

const form = /^[A-Za-z][A-Za-z0-9_+/-]*$/;

/** A name of the IANA time zone database, a link to one, or UTC. Not an offset such as +02:00, which no clock change moves. */
export function isTimeZone(value: unknown): value is string {
  if (typeof value !== 'string' || !form.test(value)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    return true;
  } catch {
    return false;
  }
}
