/** Slugs that are made from the names of clients. */
import { cutSlug, maxSlugLength, slugOf } from '@ams/domain';
import { randomBytes } from 'node:crypto';

/** Random when the name has no ASCII letter or digit. */
export const clientSlugOf = (name: string): string => slugOf(name) || `client-${randomBytes(3).toString('hex')}`;

/** `acme`, `acme-2`, `acme-3`, … */
export const numbered = (slug: string, number: number): string =>
  number === 1 ? slug : `${cutSlug(slug, maxSlugLength - `-${number}`.length)}-${number}`;
