/**
 * Slugs: short lower-case names for URLs, labels and commands. A client's slug is ASCII, because the API publishes its
 * pattern and labels and conditions refer to clients by it. An organization's slug is typed only by operators, so it
 * may use any script.
 */

/** The slug of a client. */
export const slugPattern = /^[a-z0-9](?:[a-z0-9-]{0,98}[a-z0-9])?$/;

export const maxSlugLength = 100;

export const isSlug = (value: unknown): value is string => typeof value === 'string' && slugPattern.test(value);

/** Letters without accents, in lower case; matches of `others` become hyphens, except at the ends. */
const hyphenated = (text: string, others: RegExp): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(others, '-').replace(/^-|-$/g, '');

/** `Ship & Sail GmbH` -> `ship-sail-gmbh`; empty when the text has no ASCII letter or digit. */
export const slugOf = (text: string): string => cutSlug(hyphenated(text, /[^a-z0-9]+/g), maxSlugLength);

export const cutSlug = (slug: string, length: number): string => slug.slice(0, length).replace(/-+$/, '');

/** `東京 24` -> `東京-24`; empty when the text has no letter or digit. */
export const organizationSlugOf = (text: string): string => hyphenated(text, /[^\p{L}\p{N}]+/gu).normalize('NFC');

export const maxOrganizationSlugLength = 200;

/** Whether the text, in NFC, has the form of an organization's slug; its length is a separate rule. */
export const isOrganizationSlug = (text: string): boolean => text !== '' && organizationSlugOf(text) === text;
