/** The settings of the admin command, from the environment or from files, like those of a service. */
import { IsNotEmpty, IsOptional, IsString } from 'class-validator';
import { Setting, TlsCaFile, TlsCertFile, TlsKeyFile } from './settings.js';

/** All are optional: a command says what it misses. */
export class AdminEnvironment {
  @Setting('DATABASE_URL', 'The PostgreSQL URL, with the owner of the tables.', { secret: true })
  @IsOptional()
  @IsString()
  databaseUrl?: string;

  @TlsCaFile('database')
  databaseTlsCaFile?: string;

  @TlsCertFile('database')
  databaseTlsCertFile?: string;

  @TlsKeyFile('database')
  databaseTlsKeyFile?: string;

  @Setting('NATS_URL', 'The URL of NATS.')
  @IsOptional()
  @IsString()
  natsUrl?: string;

  @Setting('NATS_USER', 'The NATS user: admin, or broker-admin for "broker apply".')
  @IsOptional()
  @IsString()
  natsUser?: string;

  @Setting('NATS_PASSWORD', 'The password of this user.', { secret: true })
  @IsOptional()
  @IsString()
  natsPassword?: string;

  @TlsCaFile('nats')
  natsTlsCaFile?: string;

  @TlsCertFile('nats')
  natsTlsCertFile?: string;

  @TlsKeyFile('nats')
  natsTlsKeyFile?: string;

  @Setting('MASTER_KEY_FILE', 'The file with the master keys, for "secrets seal" and "secrets rotate".')
  @IsOptional()
  @IsString()
  masterKeyFile?: string;

  @Setting('MASTER_KEY_VAULT_URL', 'The master key in a transit engine, for the same commands.')
  @IsOptional()
  @IsString()
  masterKeyVaultUrl?: string;

  @Setting('MASTER_KEY_VAULT_TOKEN_FILE', 'The file with the token for this engine.')
  @IsOptional()
  @IsString()
  masterKeyVaultTokenFile?: string;
}

/** The passwords that "database migrate" gives to the roles of the services. */
export class RolePasswords {
  @Setting('AUTH_DATABASE_PASSWORD', 'The password of the role of auth.', { secret: true })
  @IsString()
  @IsNotEmpty()
  auth!: string;

  @Setting('RESOURCE_API_DATABASE_PASSWORD', 'The password of the role of resource-api.', { secret: true })
  @IsString()
  @IsNotEmpty()
  'resource-api'!: string;

  @Setting('ALERT_PIPELINE_DATABASE_PASSWORD', 'The password of the role of alert-pipeline.', { secret: true })
  @IsString()
  @IsNotEmpty()
  'alert-pipeline'!: string;

  @Setting('WORKFLOW_ENGINE_DATABASE_PASSWORD', 'The password of the role of workflow-engine.', { secret: true })
  @IsString()
  @IsNotEmpty()
  'workflow-engine'!: string;
}
