import { DatabaseSettings, Setting } from '@ams/service';
import { IsInt, IsOptional, IsString, IsUrl, Max, Min, MinLength } from 'class-validator';

export class WorkflowEngineSettings extends DatabaseSettings {
  @Setting('PUBLIC_URL', 'The address under which people reach the service: links in messages begin with it.')
  @IsUrl({ protocols: ['http', 'https'], require_protocol: true, require_tld: false })
  publicUrl: string = 'http://localhost:3000';

  @Setting(
    'LINK_SECRET',
    'Signs the acknowledge and resolve links in messages; the API gateway has the same. Without it there are no such ' +
      'links.',
    { secret: true },
  )
  @IsOptional()
  @IsString()
  @MinLength(16)
  linkSecret?: string;

  @Setting('LINK_HOURS', 'How long these links work.')
  @IsInt()
  @Min(1)
  @Max(720)
  linkHours: number = 24;

  @Setting('WORKFLOW_CONCURRENCY', 'How many steps and notifications one replica works on at once.')
  @IsInt()
  @Min(1)
  @Max(500)
  workflowConcurrency: number = 100;

  @Setting('RUN_DAYS', 'How many days ended runs and sent notifications are kept.')
  @IsInt()
  @Min(1)
  @Max(3650)
  runDays: number = 90;
}
