/** The integration whose settings are used for a payload: one of the tenant, or an imagined one. */
import { Fault, invalid, mayRead, uuidOf, type DedupScope, type Principal } from '@ams/contracts';
import type { Tx } from '@ams/database';
import { settingsForNewIntegration, type MappingSettings } from '@ams/domain';

export interface PayloadIntegration {
  /** A UUID. */
  id: string;
  name: string;
  clientId: string | null;
  dedupScope: DedupScope;
  autoResolveAfterSeconds: number | null;
  settings: MappingSettings;
}

/** The settings for payloads in our standard form. */
export const standardSettings: MappingSettings = settingsForNewIntegration('generic', {});

/** An imagined integration. Like a new one, it has no alerts. */
export const imaginedIntegration: PayloadIntegration = {
  id: '00000000-0000-0000-0000-000000000000',
  name: 'simulation',
  clientId: null,
  dedupScope: 'integration',
  autoResolveAfterSeconds: null,
  settings: standardSettings,
};

/** The integration with this public id. Throws VALIDATION_ERROR when it does not exist, and INSUFFICIENT_SCOPE. */
export async function integrationOf(tx: Tx, principal: Principal, integrationId: string): Promise<PayloadIntegration> {
  const { organizationId, environment } = principal;
  if (!mayRead(principal, 'integrations:read'))
    throw new Fault('INSUFFICIENT_SCOPE', { required: 'integrations:read' });
  const [row] = await tx.query<{
    id: string;
    name: string;
    client_id: string | null;
    type: string;
    settings: Omit<MappingSettings, 'type'>;
    dedup_scope: DedupScope;
    auto_resolve_after_seconds: number | null;
  }>(
    `SELECT id, name, client_id, type, settings, dedup_scope, auto_resolve_after_seconds
     FROM resources_views.integrations
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
