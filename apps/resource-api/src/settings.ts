import { DatabaseSettings, Setting } from '@ams/service';
import { IsInt, IsUrl, Max, Min } from 'class-validator';

export class ResourceApiSettings extends DatabaseSettings {
  @Setting('PUBLIC_URL', 'The address under which senders reach the service: ingest URLs begin with it.')
  @IsUrl({ protocols: ['http', 'https'], require_protocol: true, require_tld: false })
  publicUrl: string = 'http://localhost:3000';

  @Setting(
    'RECONCILE_SECONDS',
    'How often the bucket of integrations is compared with the database, besides the start and each reconnect to NATS.',
  )
  @IsInt()
  @Min(1)
  @Max(86_400)
  reconcileSeconds: number = 300;

  @Setting('REQUEST_LOG_DAYS', 'How many days the last requests of an integration are kept, a hundred at most.', {
    formerly: 'DELIVERY_DAYS',
  })
  @IsInt()
  @Min(1)
  @Max(365)
  requestLogDays: number = 7;
}
