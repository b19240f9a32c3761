/** Slugs that are made from the names of clients. */
import { randomBytes } from 'node:crypto';

const maxLength = 100;

/** `Ship & Sail GmbH` -> `ship-sail-gmbh`; random when the name has no ASCII letter or digit. */
export const slugOf = (name: string): string =>
  cut(
    name
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-/, ''),
    maxLength,
  ) || `client-${randomBytes(3).toString('hex')}`;

/** `acme`, `acme-2`, `acme-3`, … */
export const numbered = (slug: string, number: number): string =>
  number === 1 ? slug : `${cut(slug, maxLength - `-${number}`.length)}-${number}`;

const cut = (slug: string, length: number): string => slug.slice(0, length).replace(/-+$/, '');
