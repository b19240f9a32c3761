/** A client while it is edited: texts that are empty mean that there is none. */
import type { components } from '@ams/client';

type Client = components['schemas']['Client'];
type PutClient = components['schemas']['PutClient'];

export interface ClientValues {
  name: string;
  slug: string;
  externalId: string;
  description: string;
  aliases: string[];
  contacts: { name: string; email: string }[];
  timezone: string;
}

export const emptyClient = (timezone: string): ClientValues => ({
  name: '',
  slug: '',
  externalId: '',
  description: '',
  aliases: [],
  contacts: [],
  timezone,
});

export const valuesOf = (client: Client): ClientValues => ({
  name: client.name,
  slug: client.slug,
  externalId: client.externalId ?? '',
  description: client.description ?? '',
  aliases: client.aliases,
  contacts: client.contacts,
  timezone: client.timezone,
});

/** Without a slug, the API makes or keeps it. */
export const bodyOf = ({ slug, externalId, description, ...rest }: ClientValues): PutClient & { name: string } => ({
  ...rest,
  ...(slug === '' ? {} : { slug }),
  externalId: externalId === '' ? null : externalId,
  description: description === '' ? null : description,
});
