/** Clients as they are stored and as the API answers them. */
import { publicId, type Client, type PutClient } from '@ams/contracts';
import { settingsOf, type RecordKind } from '../records/entity-records.js';
import { ClientEntity } from './client.entity.js';

export const clients: RecordKind<ClientEntity> = { entity: ClientEntity, noun: 'client', resource: 'client' };

/** The settings of a client that a caller can set. */
export type ClientSettings = Required<PutClient>;

/** A caller must send a name. A client without a slug gets one that is made from its name. */
export const clientDefaults: ClientSettings = {
  name: '',
  slug: '',
  externalId: null,
  description: null,
  aliases: [],
  contacts: [],
  timezone: 'UTC',
};

export const clientRecord = (client: ClientEntity, openAlertCount: number): Client => ({
  id: publicId('client', client.id),
  ...settingsOf(clientDefaults, client),
  openAlertCount,
  createdAt: client.createdAt.toISOString(),
  updatedAt: client.updatedAt.toISOString(),
  version: client.version,
});
