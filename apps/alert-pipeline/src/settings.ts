import { ingestStreamDefaults } from '@ams/contracts';
import { DatabaseSettings, Setting } from '@ams/service';
import { IsInt, Max, Min } from 'class-validator';

export class PipelineSettings extends DatabaseSettings {
  @Setting(
    'INGEST_PARTITIONS',
    'Partitions of the ingest stream when it is first created; afterwards the stream itself says how many there are.',
  )
  @IsInt()
  @Min(1)
  @Max(256)
  ingestPartitions: number = ingestStreamDefaults.partitions;

  @Setting(
    'INGEST_STREAM_MAX_BYTES',
    'How many bytes of events that are not yet applied NATS stores. Above this limit senders get 503.',
  )
  @IsInt()
  @Min(1024 * 1024)
  ingestStreamMaxBytes: number = ingestStreamDefaults.maxBytes;

  @Setting('PIPELINE_BATCH', 'The most events that one transaction applies.')
  @IsInt()
  @Min(1)
  @Max(5000)
  batch: number = 500;

  @Setting('PIPELINE_LEASE_SECONDS', 'How long a replica that has died keeps its partitions.')
  @IsInt()
  @Min(1)
  @Max(60)
  leaseSeconds: number = 4;

  @Setting('PIPELINE_TRIES', 'How often a message is tried before it is set aside.')
  @IsInt()
  @Min(1)
  @Max(20)
  tries: number = 3;
}
