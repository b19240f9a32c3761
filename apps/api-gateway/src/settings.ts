import { EdgeSettings, Setting } from '@ams/service';
import { IsBoolean, IsInt, IsOptional, IsString, IsUrl, Max, Min, MinLength } from 'class-validator';

const MiB = 1024 * 1024;

export class ApiGatewaySettings extends EdgeSettings {
  @Setting(
    'PUBLIC_URL',
    'Where callers reach the service from outside, such as https://alerts.example.com. The OpenAPI document ' +
      'names it; without it the document names the path only.',
  )
  @IsOptional()
  @IsUrl({ protocols: ['http', 'https'], require_protocol: true, require_tld: false })
  publicUrl?: string;

  @Setting(
    'INGEST_URL',
    'Where an ingest gateway is, such as http://ingest-gateway:3000: requests under /api/inbound are passed ' +
      'on to it. Leave it out where a router in front does that.',
  )
  @IsOptional()
  @IsUrl({ protocols: ['http'], require_protocol: true, require_tld: false })
  ingestUrl?: string;

  @Setting(
    'LINK_SECRET',
    'Signs the acknowledge and resolve links in messages; the workflow engine has the same. Without it such ' +
      'links do not work.',
    { secret: true },
  )
  @IsOptional()
  @IsString()
  @MinLength(16)
  linkSecret?: string;

  @Setting('TRUST_PROXY', 'Believe X-Forwarded-For: set it only behind a proxy that writes that header itself.')
  @IsBoolean()
  trustProxy: boolean = false;

  @Setting('MAX_BODY_BYTES', 'The largest request body that is accepted.')
  @IsInt()
  @Min(1024)
  @Max(4 * MiB)
  maxBodyBytes: number = MiB;

  @Setting('REQUEST_TIMEOUT_SECONDS', 'How long a caller may take to send one complete request.')
  @IsInt()
  @Min(1)
  @Max(300)
  requestTimeoutSeconds: number = 15;

  @Setting(
    'ADMIT_TIMEOUT_MS',
    'Time limit of one admission request. It is sent a second time after that, so that a replica that died ' +
      'costs the caller only time.',
  )
  @IsInt()
  @Min(50)
  @Max(10_000)
  admitTimeoutMs: number = 900;

  @Setting('CALL_TIMEOUT_MS', 'How long the owner of an operation may take to answer; after that the caller gets 503.')
  @IsInt()
  @Min(50)
  @Max(120_000)
  callTimeoutMs: number = 10_000;

  @Setting('KEEP_ALIVE_SECONDS', 'How long an idle connection is kept; longer than the proxy in front keeps it.')
  @IsInt()
  @Min(1)
  @Max(3600)
  keepAliveSeconds: number = 75;

  @Setting(
    'SETTLE_MS',
    'How long a stopping replica still accepts connections. Each of its answers closes the connection meanwhile.',
  )
  @IsInt()
  @Min(0)
  @Max(60_000)
  settleMs: number = 1000;
}

/** The name in logs, metrics and NATS, and in the prefix of the inboxes that the permissions of NATS allow. */
export const serviceName = 'api-gateway';
