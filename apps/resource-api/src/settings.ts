import { DatabaseSettings, MasterKeyFile, MasterKeyVaultTokenFile, MasterKeyVaultUrl, Setting } from '@ams/service';
import { IsInt, IsUrl, Max, Min } from 'class-validator';

export class ResourceApiSettings extends DatabaseSettings {
  @Setting('PUBLIC_URL', 'The address under which senders reach the service. Ingest URLs begin with it.')
  @IsUrl({ protocols: ['http', 'https'], require_protocol: true, require_tld: false })
  publicUrl: string = 'http://localhost:3000';

  @MasterKeyFile()
  masterKeyFile?: string;

  @MasterKeyVaultUrl()
  masterKeyVaultUrl?: string;

  @MasterKeyVaultTokenFile()
  masterKeyVaultTokenFile?: string;

  @Setting(
    'RECONCILE_SECONDS',
    'The interval in seconds at which the bucket of integrations is compared with the database. It is also compared ' +
      'at start and after each reconnection to NATS.',
  )
  @IsInt()
  @Min(1)
  @Max(86_400)
  reconcileSeconds: number = 300;

  @Setting('REQUEST_LOG_DAYS', 'How many days the last requests of an integration are kept, at most 100 requests.', {
    formerly: 'DELIVERY_DAYS',
  })
  @IsInt()
  @Min(1)
  @Max(365)
  requestLogDays: number = 7;
}
