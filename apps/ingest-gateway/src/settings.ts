import { ingestStreamDefaults } from '@ams/contracts';
import { EdgeSettings, Setting } from '@ams/service';
import { IsInt, Max, Min } from 'class-validator';

const MiB = 1024 * 1024;

export class IngestSettings extends EdgeSettings {
  @Setting(
    'INGEST_LIMIT_PER_MINUTE',
    'The maximum number of requests of an ingest token in one window (INGEST_LIMIT_WINDOW_SECONDS). Pings of ' +
      'heartbeats are counted separately, with the same maximum.',
  )
  @IsInt()
  @Min(1)
  @Max(1_000_000)
  limit: number = 60;

  @Setting(
    'INGEST_LIMIT_WINDOW_SECONDS',
    'The length in seconds of the window in which the requests of a token are counted.',
  )
  @IsInt()
  @Min(1)
  @Max(86_400)
  limitWindowSeconds: number = 60;

  @Setting(
    'INGEST_LIMIT_BYTES',
    'The maximum size in bytes of the events that an organization may store in one window ' +
      '(INGEST_LIMIT_WINDOW_SECONDS). It is counted in INGEST_LIMIT_PER_MINUTE parts, of at least 64 KiB each.',
  )
  @IsInt()
  @Min(MiB)
  limitBytes: number = 32 * MiB;

  @Setting(
    'INGEST_BYTES_PER_SECOND',
    'How fast each replica stores the events of an organization, in bytes a second. After a burst of a quarter of it, ' +
      'requests of this organization wait. Those that would wait longer than 5 seconds get 429.',
  )
  @IsInt()
  @Min(64 * 1024)
  bytesPerSecond: number = MiB;

  @Setting(
    'INGEST_PARTITIONS',
    'The number of partitions of the stream of events. It is used only when the stream is created.',
  )
  @IsInt()
  @Min(1)
  @Max(256)
  partitions: number = ingestStreamDefaults.partitions;

  @Setting('INGEST_MAX_BODY_BYTES', 'The maximum size of a body after decompression, in bytes.')
  @IsInt()
  @Min(1024)
  @Max(16 * MiB)
  maxBodyBytes: number = 512 * 1024;

  @Setting(
    'INGEST_MAX_LIST_BYTES',
    'The maximum size of a body after decompression, in bytes, for an integration with an itemsPath: its requests ' +
      'contain many alerts. INGEST_MAX_BODY_BYTES applies when it is larger.',
  )
  @IsInt()
  @Min(1024)
  @Max(16 * MiB)
  maxListBytes: number = 2 * MiB;

  @Setting('INGEST_BODY_TIMEOUT_SECONDS', 'The time limit in seconds for a sender to send a request.')
  @IsInt()
  @Min(1)
  @Max(300)
  bodyTimeoutSeconds: number = 15;

  @Setting(
    'INGEST_STRANGERS_BODY_SECONDS',
    'The same for a body in which the token is (/v2/enqueue), if it is shorter.',
  )
  @IsInt()
  @Min(1)
  @Max(300)
  strangersBodySeconds: number = 5;

  @Setting(
    'INGEST_STRANGERS_BODIES',
    'How many unfinished bodies of this kind an address may have. One more ends the oldest one with 408.',
  )
  @IsInt()
  @Min(1)
  @Max(100_000)
  strangersBodies: number = 50;

  @Setting(
    'INGEST_STREAM_MAX_BYTES',
    'The maximum size in bytes of the stream of events. Senders get 503 while it is full of events that are not ' +
      'applied.',
  )
  @IsInt()
  @Min(MiB)
  streamMaxBytes: number = ingestStreamDefaults.maxBytes;

  @Setting(
    'INGEST_STORE_TIMEOUT_MS',
    'The time limit in milliseconds for storing the events of a request. After it the sender gets 503.',
  )
  @IsInt()
  @Min(100)
  @Max(60_000)
  storeTimeoutMs: number = 1500;

  @Setting(
    'INGEST_BACKLOG_BYTES',
    'The maximum size in bytes of the events in memory that wait for NATS. Above it senders get 503 immediately.',
  )
  @IsInt()
  @Min(MiB)
  backlogBytes: number = 64 * MiB;
}

/** The name in logs, metrics and NATS, and in the prefix of the inboxes that the permissions of NATS allow. */
export const serviceName = 'ingest-gateway';
