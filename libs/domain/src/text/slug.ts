/**
 * Slugs: short names in lower case for addresses, labels and commands. That of a client is ASCII, since the API publishes
 * its pattern and labels and conditions name clients by it. That of an organization is only typed by operators, so a name
 * in any script makes one.
 */

/** The slug of a client. */
export const slugPattern = /^[a-z0-9](?:[a-z0-9-]{0,98}[a-z0-9])?$/;

export const maxSlugLength = 100;

export const isSlug = (value: unknown): value is string => typeof value === 'string' && slugPattern.test(value);

/** Letters without accents, in lower case; what `others` matches becomes a hyphen, but not at the ends. */
const hyphenated = (text: string, others: RegExp): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(others, '-').replace(/^-|-$/g, '');

/** `Ship & Sail GmbH` -> `ship-sail-gmbh`; empty when the text has no ASCII letter or digit. */
export const slugOf = (text: string): string => cutSlug(hyphenated(text, /[^a-z0-9]+/g), maxSlugLength);

export const cutSlug = (slug: string, length: number): string => slug.slice(0, length).replace(/-+$/, '');

/** `東京 24` -> `東京-24`; empty when the text has no letter or digit. */
export const organizationSlugOf = (text: string): string => hyphenated(text, /[^\p{L}\p{N}]+/gu).normalize('NFC');

export const maxOrganizationSlugLength = 200;

/** Whether the text, in NFC, has the form of the slug of an organization; its length is another rule. */
export const isOrganizationSlug = (text: string): boolean => text !== '' && organizationSlugOf(text) === text;
