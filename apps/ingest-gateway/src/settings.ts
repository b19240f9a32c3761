import { ingestStreamDefaults } from '@ams/contracts';
import { EdgeSettings, Setting } from '@ams/service';
import { IsBoolean, IsInt, Max, Min } from 'class-validator';

const MiB = 1024 * 1024;

export class IngestSettings extends EdgeSettings {
  @Setting('TRUST_PROXY', 'Believe X-Forwarded-For: set it only behind a proxy that writes that header itself.')
  @IsBoolean()
  trustProxy: boolean = false;

  @Setting(
    'INGEST_LIMIT_PER_MINUTE',
    'How many requests an ingest token may make in one window (INGEST_LIMIT_WINDOW_SECONDS, a minute unless set).',
  )
  @IsInt()
  @Min(1)
  @Max(1_000_000)
  limit: number = 60;

  @Setting('INGEST_LIMIT_WINDOW_SECONDS', 'The length of the window in which the requests of a token are counted.')
  @IsInt()
  @Min(1)
  @Max(86_400)
  limitWindowSeconds: number = 60;

  @Setting(
    'INGEST_PARTITIONS',
    'Into how many partitions events are spread. Used when the stream is created; after that the stream itself ' +
      'says it.',
  )
  @IsInt()
  @Min(1)
  @Max(256)
  partitions: number = ingestStreamDefaults.partitions;

  @Setting('INGEST_MAX_BODY_BYTES', 'The largest body that is taken, after it is decompressed.')
  @IsInt()
  @Min(1024)
  @Max(16 * MiB)
  maxBodyBytes: number = 512 * 1024;

  @Setting('INGEST_BODY_TIMEOUT_SECONDS', 'How long a sender may take to send one whole request.')
  @IsInt()
  @Min(1)
  @Max(300)
  bodyTimeoutSeconds: number = 15;

  @Setting(
    'INGEST_STREAM_MAX_BYTES',
    'How much NATS keeps of events that are not applied yet; when that is full, senders get 503.',
  )
  @IsInt()
  @Min(MiB)
  streamMaxBytes: number = ingestStreamDefaults.maxBytes;

  @Setting('INGEST_STORE_TIMEOUT_MS', 'How long a request waits for NATS, retries included, before it is answered 503.')
  @IsInt()
  @Min(100)
  @Max(60_000)
  storeTimeoutMs: number = 1500;

  @Setting('INGEST_BACKLOG_BYTES', 'How much may wait in memory for NATS; above it requests are answered 503 at once.')
  @IsInt()
  @Min(MiB)
  backlogBytes: number = 64 * MiB;
}

/** The name in logs, metrics and NATS, and in the prefix of the inboxes that the permissions of NATS allow. */
export const serviceName = 'ingest-gateway';
