import { DatabaseSettings, IsSecretKeys, Setting } from '@ams/service';
import { IsInt, IsOptional, IsUrl, Max, Min } from 'class-validator';

export class WorkflowEngineSettings extends DatabaseSettings {
  /** Shorter than the time after which a replica without a heartbeat counts as dead. */
  override databaseTimeoutMs: number = 4000;

  /** Half of them do jobs; a page needs about ten statements. */
  override databasePool: number = 20;

  @Setting('PUBLIC_URL', 'The address under which people reach the service. Links in notifications begin with it.')
  @IsUrl({ protocols: ['http', 'https'], require_protocol: true, require_tld: false })
  publicUrl: string = 'http://localhost:3000';

  @Setting(
    'LINK_SECRET',
    'The secret that signs the acknowledge and resolve links in notifications, the same as that of the API gateway. ' +
      'Several are separated by commas; the first one signs. Without it notifications have no such links.',
    { secret: true },
  )
  @IsOptional()
  @IsSecretKeys()
  linkSecret?: string;

  @Setting('LINK_HOURS', 'How many hours these links work.')
  @IsInt()
  @Min(1)
  @Max(720)
  linkHours: number = 24;

  @Setting(
    'WORKFLOW_CONCURRENCY',
    'The maximum number of steps and notifications that one replica processes at the same time.',
  )
  @IsInt()
  @Min(1)
  @Max(500)
  workflowConcurrency: number = 100;

  @Setting('RUN_DAYS', 'How many days ended runs and their notifications are kept.')
  @IsInt()
  @Min(1)
  @Max(3650)
  runDays: number = 90;
}
