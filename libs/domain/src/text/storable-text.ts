/** Text as PostgreSQL can store it. */

/** PostgreSQL stores neither U+0000 nor half of a surrogate pair; with the u flag the class matches lone halves only. */
const unstorable = /[\0\uD800-\uDFFF]/u;
const everyUnstorable = /[\0\uD800-\uDFFF]/gu;

/** The text with U+FFFD for every character that cannot be stored. */
export const storable = (text: string): string =>
  unstorable.test(text) ? text.replace(everyUnstorable, '\uFFFD') : text;
