/** The settings of `npm run admin -- broker apply`, from the variables of the same names that the services have. */
import { brokerDefaults, type BrokerSettings } from '@ams/messaging';
import { IsIn, IsInt, Max, Min } from 'class-validator';
import { Setting } from './settings.js';

const MiB = 1024 * 1024;

export class BrokerEnvironment implements BrokerSettings {
  @Setting('NATS_REPLICAS', 'The number of replicas of each NATS stream: 1, or 3 or 5 in a cluster.')
  @IsInt()
  @IsIn([1, 3, 5])
  replicas: number = brokerDefaults.replicas;

  @Setting('INGEST_PARTITIONS', 'The number of partitions of the stream of events, when it is created.')
  @IsInt()
  @Min(1)
  @Max(256)
  partitions: number = brokerDefaults.partitions;

  @Setting('INGEST_STREAM_MAX_BYTES', 'The maximum size in bytes of the stream of events.')
  @IsInt()
  @Min(MiB)
  streamMaxBytes: number = brokerDefaults.streamMaxBytes;

  @Setting('INGEST_LIMIT_PER_MINUTE', 'The maximum number of requests of an ingest token in one window.')
  @IsInt()
  @Min(1)
  @Max(1_000_000)
  limit: number = brokerDefaults.limit;

  @Setting('INGEST_LIMIT_WINDOW_SECONDS', 'The length in seconds of this window.')
  @IsInt()
  @Min(1)
  @Max(86_400)
  limitWindowSeconds: number = brokerDefaults.limitWindowSeconds;
}
