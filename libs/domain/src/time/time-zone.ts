/** Time zones, by their names in the IANA database. */

const form = /^[A-Za-z][A-Za-z0-9_+/-]*$/;
/** Usual names, without links and other spellings. A formatter takes a millisecond to make, and schedules ask often. */
const usual = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC']);

/** A name or link of the IANA time zone database, or UTC; not an offset such as +02:00, which has no clock changes. */
export function isTimeZone(value: unknown): value is string {
  if (typeof value !== 'string' || !form.test(value)) return false;
  if (usual.has(value)) return true;
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    return true;
  } catch {
    return false;
  }
}
