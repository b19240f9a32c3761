/** Who is to have sent a payload that is tried: an integration of the tenant, or none. */
import { invalid, uuidOf, type DedupScope, type Principal } from '@ams/contracts';
import type { Tx } from '@ams/database';
import { settingsForNewIntegration, type MappingSettings } from '@ams/domain';

export interface Sender {
  /** A UUID. */
  id: string;
  name: string;
  clientId: string | null;
  dedupScope: DedupScope;
  autoResolveAfterSeconds: number | null;
  settings: MappingSettings;
}

/** Of payloads that are taken as standard ones. */
export const standardSettings: MappingSettings = settingsForNewIntegration('generic', {});

/** As an integration that has just been made: of its own it has no alert yet. */
export const nobody: Sender = {
  id: '00000000-0000-0000-0000-000000000000',
  name: 'simulation',
  clientId: null,
  dedupScope: 'integration',
  autoResolveAfterSeconds: null,
  settings: standardSettings,
};

/** The integration with this public id. Throws VALIDATION_ERROR when it is not there. */
export async function senderOf(
  tx: Tx,
  { organizationId, environment }: Principal,
  integrationId: string,
): Promise<Sender> {
  const [row] = await tx.query<{
    id: string;
    name: string;
    client_id: string | null;
    type: string;
    settings: Omit<MappingSettings, 'type'>;
    dedup_scope: DedupScope;
    auto_resolve_after_seconds: number | null;
  }>(
    `SELECT id, name, client_id, type, settings, dedup_scope, auto_resolve_after_seconds FROM resources_views.integrations
     WHERE organization_id = $1 AND environment = $2 AND id = $3 AND deleted_at IS NULL`,
    [organizationId, environment, uuidOf('integration', integrationId)],
  );
  if (!row) throw invalid('integrationId', 'exists', `there is no integration with the id ${integrationId}`);
  return {
    id: row.id,
    name: row.name,
    clientId: row.client_id,
    dedupScope: row.dedup_scope,
    autoResolveAfterSeconds: row.auto_resolve_after_seconds,
    settings: { type: row.type, ...row.settings },
  };
}
