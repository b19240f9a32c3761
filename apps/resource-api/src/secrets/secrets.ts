/**
 * Seals the secrets of tenants. A tenant gets its data key with its first secret. Nothing here opens a secret: the
 * record of a workflow has marks in their place, and only the notifier needs the values.
 */
import { Fault, type Destination, type SealAddressRequest, type Tenant } from '@ams/contracts';
import { Database, type Tx } from '@ams/database';
import { replacedInDestination, secretsFound, type ReplaceSecret } from '@ams/domain';
import { Logger, masterKeysOf, MasterKeysUnavailable, newDataKey, recordOfDataKey, TenantSecrets } from '@ams/service';
import { Injectable } from '@nestjs/common';
import { ResourceApiSettings } from '../settings.js';

/** Data keys that are kept opened. */
const maxKept = 1000;

/** Goes through the places of a record that can hold a secret, and does with each what it is given. */
type Places = (replace: ReplaceSecret) => unknown;

export interface RecordSecrets {
  /**
   * Seals the secrets of this record (a public id) that are not sealed. Throws UNAVAILABLE when the master key of the
   * tenant is not known.
   */
  sealing(record: string, places: Places): Promise<ReplaceSecret>;
}

const unchanged: ReplaceSecret = ({ value }) => value;

@Injectable()
export class Secrets {
  private readonly masterKeys;
  private readonly kept = new Map<string, TenantSecrets>();

  constructor(
    settings: ResourceApiSettings,
    private readonly database: Database,
    private readonly log: Logger,
  ) {
    this.masterKeys = masterKeysOf(settings);
  }

  /** Seals secrets of the tenant's records. */
  of(tx: Tx, tenant: Tenant): RecordSecrets {
    return {
      sealing: async (record, places) =>
        secretsFound(places).plain === 0 ? unchanged : (await this.secretsOf(tx, tenant)).sealing(record),
    };
  }

  /** For a message of another service. */
  async sealAddress({
    organizationId,
    environment,
    record,
    destination,
  }: SealAddressRequest): Promise<{ destination: Destination }> {
    const tenant = { organizationId, environment };
    const secrets = await this.database.asService((tx) => this.secretsOf(tx, tenant));
    const sealed = replacedInDestination(destination, secrets.sealing(record));
    return { destination: { ...sealed, sealedFor: record } as Destination };
  }

  private async secretsOf(tx: Tx, { organizationId, environment }: Tenant): Promise<TenantSecrets> {
    const tenant = { organizationId, environment };
    const record = recordOfDataKey(tenant);
    const sealed = (await storedKey(tx, tenant)) ?? (await this.makeKey(tx, tenant));
    const name = `${record} ${sealed.toString('base64')}`;
    const known = this.kept.get(name);
    if (known) return known;
    const dataKey = await this.masterKeys.open(sealed, record).catch((error: unknown) => this.fails(tenant, error));
    if (!dataKey) {
      this.log.error(tenant, 'the master key of an organization is not known here: its secrets cannot be sealed');
      throw new Fault('UNAVAILABLE', { requestId: '' });
    }
    const secrets = new TenantSecrets(dataKey, tenant);
    const [oldest] = this.kept.keys();
    if (oldest !== undefined && this.kept.size >= maxKept) this.kept.delete(oldest);
    this.kept.set(name, secrets);
    return secrets;
  }

  private fails(tenant: Tenant, error: unknown): never {
    if (!(error instanceof MasterKeysUnavailable)) throw error;
    this.log.error({ ...tenant, err: error }, 'the secrets of an organization cannot be sealed at present');
    throw new Fault('UNAVAILABLE', { requestId: '' });
  }

  /** Of two transactions, the second waits for the first, and takes its key. */
  private async makeKey(tx: Tx, tenant: Tenant): Promise<Buffer> {
    const sealed = await this.masterKeys
      .seal(newDataKey(), recordOfDataKey(tenant))
      .catch((error: unknown) => this.fails(tenant, error));
    await tx.query(
      `INSERT INTO resources.data_keys (organization_id, environment, sealed) VALUES ($1, $2, $3)
       ON CONFLICT DO NOTHING`,
      [tenant.organizationId, tenant.environment, sealed],
    );
    return (await storedKey(tx, tenant)) as Buffer;
  }
}

async function storedKey(tx: Tx, { organizationId, environment }: Tenant): Promise<Buffer | null> {
  const [found] = await tx.query<{ sealed: Buffer }>(
    'SELECT sealed FROM resources.data_keys WHERE organization_id = $1 AND environment = $2',
    [organizationId, environment],
  );
  return found?.sealed ?? null;
}
