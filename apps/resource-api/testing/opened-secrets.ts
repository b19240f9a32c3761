/** Opens the secrets that the service has sealed for a record, as the notifier does. */
import type { Tenant } from '@ams/contracts';
import type { ReplaceSecret } from '@ams/domain';
import { masterKeysOfFile, recordOfDataKey, TenantSecrets } from '@ams/service';
import { masterKeyFile } from '@ams/testing';
import type pg from 'pg';

/** `record`: a public id. */
export async function openingOf(
  admin: pg.Pool,
  { organizationId, environment }: Tenant,
  record: string,
): Promise<ReplaceSecret> {
  const tenant = { organizationId, environment };
  const { rows } = await admin.query<{ sealed: Buffer }>(
    'SELECT sealed FROM resources.data_keys WHERE organization_id = $1 AND environment = $2',
    [organizationId, environment],
  );
  const dataKey = rows[0] && (await masterKeysOfFile(masterKeyFile()).open(rows[0].sealed, recordOfDataKey(tenant)));
  if (!dataKey) throw new Error('the tenant has no data key of this master key');
  return new TenantSecrets(dataKey, tenant).opening(record);
}
