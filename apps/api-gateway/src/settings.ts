import { EdgeSettings, IfOneIsSet, IsSecretKeys, Setting } from '@ams/service';
import { IsInt, IsOptional, IsString, IsUrl, Max, Min, MinLength } from 'class-validator';

const MiB = 1024 * 1024;

export class ApiGatewaySettings extends EdgeSettings {
  @Setting(
    'PUBLIC_URL',
    'The address under which callers reach the service, such as https://alerts.example.com, for the OpenAPI ' +
      'document. Without it the document contains only the path.',
  )
  @IsOptional()
  @IsUrl({ protocols: ['http', 'https'], require_protocol: true, require_tld: false })
  publicUrl?: string;

  @Setting(
    'INGEST_URL',
    'The address of an ingest gateway, such as http://ingest-gateway:3000. Requests of senders (paths under ' +
      '/api/inbound and /v2) are forwarded to it. Do not set it if a load balancer forwards them.',
  )
  @IsOptional()
  @IsUrl({ protocols: ['http'], require_protocol: true, require_tld: false })
  ingestUrl?: string;

  @Setting(
    'LINK_SECRET',
    'The secret that signs the acknowledge and resolve links in notifications, the same as that of the workflow ' +
      'engine. Several are separated by commas: links of all of them work. Without it these links do not work.',
    { secret: true },
  )
  @IsOptional()
  @IsSecretKeys()
  linkSecret?: string;

  @Setting(
    'CALL_SIGNING_KEYS_FILE',
    'A PEM file with the Ed25519 key with which calls to the services are signed: the first private key. The services ' +
      'have its public key in CALL_SIGNERS_FILE. Without it calls are not signed.',
  )
  @IfOneIsSet('callSigningKeysFile', 'callOwnersFile')
  @IsString()
  callSigningKeysFile?: string;

  @Setting(
    'CALL_OWNERS_FILE',
    'A JSON file with the public keys of the services that answer calls, from `npm run admin -- calls owners`. The first ' +
      'key of each is used. It is needed with CALL_SIGNING_KEYS_FILE.',
  )
  @IfOneIsSet('callSigningKeysFile', 'callOwnersFile')
  @IsString()
  callOwnersFile?: string;

  @Setting(
    'DASHBOARD_DIR',
    'The folder of the built dashboard (apps/dashboard/dist), which is served at /. Without it only the API is served.',
  )
  @IsOptional()
  @IsString()
  @MinLength(1)
  dashboardDir?: string;

  @Setting('MAX_BODY_BYTES', 'The maximum size of a request body, in bytes.')
  @IsInt()
  @Min(1024)
  @Max(4 * MiB)
  maxBodyBytes: number = MiB;

  @Setting(
    'INBOUND_MAX_BODY_BYTES',
    'The maximum size of a body that is forwarded to INGEST_URL, in bytes: at least the largest of the ingest gateway ' +
      '(INGEST_MAX_BODY_BYTES, INGEST_MAX_LIST_BYTES).',
  )
  @IsInt()
  @Min(1024)
  @Max(16 * MiB)
  inboundMaxBodyBytes: number = 2 * MiB;

  @Setting('REQUEST_TIMEOUT_SECONDS', 'The time limit in seconds for a caller to send a request.')
  @IsInt()
  @Min(1)
  @Max(300)
  requestTimeoutSeconds: number = 15;

  @Setting(
    'ADMIT_TIMEOUT_MS',
    'The time limit in milliseconds of an admission request. After it the request is sent once more, so that a ' +
      'replica that died causes only a delay.',
  )
  @IsInt()
  @Min(50)
  @Max(10_000)
  admitTimeoutMs: number = 900;

  @Setting(
    'CALL_TIMEOUT_MS',
    'The time limit in milliseconds for the owner of an operation. After it the caller gets 503.',
  )
  @IsInt()
  @Min(50)
  @Max(120_000)
  callTimeoutMs: number = 10_000;

  @Setting(
    'EXPORTS_PER_ORGANIZATION',
    'How many exports an organization may have at a time, for each replica. One more is refused with 429.',
  )
  @IsInt()
  @Min(1)
  @Max(100)
  exportsPerOrganization: number = 3;

  @Setting(
    'EXPORT_STALL_SECONDS',
    'After how many seconds an export is ended whose caller does not read. It resets the connection.',
  )
  @IsInt()
  @Min(1)
  @Max(3600)
  exportStallSeconds: number = 60;

  @Setting('STREAMS', 'How many callers may be connected to the stream of events of a replica. One more gets 503.')
  @IsInt()
  @Min(0)
  @Max(100_000)
  streams: number = 5000;

  @Setting(
    'STREAMS_PER_ORGANIZATION',
    'How many connections to the stream of events an organization may have, for each replica. One more is refused ' +
      'with 429.',
  )
  @IsInt()
  @Min(1)
  @Max(100_000)
  streamsPerOrganization: number = 500;

  @Setting(
    'STREAMS_PER_PRINCIPAL',
    'How many connections to the stream of events a key or a member may have, for each replica. One more is refused ' +
      'with 429.',
  )
  @IsInt()
  @Min(1)
  @Max(100_000)
  streamsPerPrincipal: number = 20;

  @Setting(
    'STREAM_HEARTBEAT_SECONDS',
    'How often in seconds a comment is sent to a caller of the stream of events, so that proxies keep the connection.',
  )
  @IsInt()
  @Min(1)
  @Max(300)
  streamHeartbeatSeconds: number = 15;

  @Setting(
    'STREAM_STALL_SECONDS',
    'After how many seconds a caller of the stream of events is disconnected that does not read.',
  )
  @IsInt()
  @Min(1)
  @Max(3600)
  streamStallSeconds: number = 30;

  @Setting(
    'STREAM_MEMORY_MIB',
    'The memory in MiB for recent events of the stream. Callers that come back are served from it; what it has no room ' +
      'for is read from NATS.',
  )
  @IsInt()
  @Min(1)
  @Max(4096)
  streamMemoryMiB: number = 32;

  @Setting(
    'KEEP_ALIVE_SECONDS',
    'How long in seconds an idle connection stays open. It must be longer than that of the proxy.',
  )
  @IsInt()
  @Min(1)
  @Max(3600)
  keepAliveSeconds: number = 75;
}

/** The name in logs, metrics and NATS, and in the prefix of the inboxes that the permissions of NATS allow. */
export const serviceName = 'api-gateway';
