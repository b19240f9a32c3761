/** Integrations as they are stored and as the API answers them. */
import {
  publicId,
  type Integration,
  type IntegrationWithToken,
  type MappingField,
  type PutIntegration,
} from '@ams/contracts';
import type { MappingSettings } from '@ams/domain';
import { settingsOf, type RecordKind } from '../records/entity-records.js';
import { IntegrationEntity } from './integration.entity.js';

export const integrations: RecordKind<IntegrationEntity> = {
  entity: IntegrationEntity,
  noun: 'integration',
  resource: 'integration',
};

/** The settings of an integration that a caller can set, besides its client, its team and its mapping. */
export type IntegrationSettings = Required<Omit<PutIntegration, MappingField | 'clientId' | 'teamId'>>;

/** A caller must send a name. */
export const integrationDefaults: IntegrationSettings = {
  name: '',
  enabled: true,
  dedupScope: 'integration',
  autoResolveAfterSeconds: null,
};

/** The numbers of the request log for an integration. */
export interface IntegrationActivity {
  lastEventAt: Date | null;
  /** A bigint: the driver gives it as text. */
  limitedCount: string | null;
  limitedAt: Date | null;
}

export const noActivity: IntegrationActivity = { lastEventAt: null, limitedCount: null, limitedAt: null };

/** `publicUrl`: the address of the ingest gateway. */
export const integrationRecord = (
  integration: IntegrationEntity,
  { lastEventAt, limitedCount, limitedAt }: IntegrationActivity,
  publicUrl: string,
): Integration => ({
  id: publicId('integration', integration.id),
  ...settingsOf(integrationDefaults, integration),
  type: integration.type,
  environment: integration.environment,
  clientId: publicId('client', integration.clientId),
  teamId: publicId('team', integration.teamId),
  ingestUrl: ingestUrl(publicUrl, `${'*'.repeat(28)}${integration.tokenHint}`),
  tokenHint: integration.tokenHint,
  ...shownSettings(integration),
  lastEventAt: lastEventAt?.toISOString() ?? null,
  rateLimited: { count: Number(limitedCount ?? 0), lastAt: limitedAt?.toISOString() ?? null },
  createdAt: integration.createdAt.toISOString(),
  updatedAt: integration.updatedAt.toISOString(),
  version: integration.version,
});

/** The preset of the type says how a handshake is recognized. A caller neither sees nor sets it. */
function shownSettings({ settings }: IntegrationEntity): Omit<IntegrationEntity['settings'], 'handshakeWhen'> {
  const { handshakeWhen: _handshakeWhen, ...shown } = settings;
  return shown;
}

/** The only answer that shows the token. */
export const withToken = (record: Integration, token: string, publicUrl: string): IntegrationWithToken => ({
  ...record,
  ingestUrl: ingestUrl(publicUrl, token),
  token,
});

const ingestUrl = (publicUrl: string, token: string): string =>
  `${publicUrl.replace(/\/+$/, '')}/api/inbound/webhook/${token}`;

export const mappingSettingsOf = ({ type, settings }: IntegrationEntity): MappingSettings => ({ type, ...settings });

/** The hashes of the tokens that are valid, or were valid until recently. */
export const tokensOf = ({ tokenHash, previousTokenHash }: IntegrationEntity): string[] =>
  previousTokenHash === null ? [tokenHash] : [tokenHash, previousTokenHash];
