import { ingestStreamDefaults } from '@ams/contracts';
import { DatabaseSettings, Setting } from '@ams/service';
import { IsInt, Max, Min } from 'class-validator';

export class PipelineSettings extends DatabaseSettings {
  /** Shorter than the lease of a partition. */
  override databaseTimeoutMs: number = 3000;

  @Setting(
    'INGEST_PARTITIONS',
    'The number of partitions of the stream of events. It is used only when the stream is created.',
  )
  @IsInt()
  @Min(1)
  @Max(256)
  ingestPartitions: number = ingestStreamDefaults.partitions;

  @Setting(
    'INGEST_STREAM_MAX_BYTES',
    'The maximum size in bytes of the stream of events. Senders get 503 while it is full of events that are not ' +
      'applied.',
  )
  @IsInt()
  @Min(1024 * 1024)
  ingestStreamMaxBytes: number = ingestStreamDefaults.maxBytes;

  @Setting('PIPELINE_BATCH', 'The maximum number of events that one transaction applies.')
  @IsInt()
  @Min(1)
  @Max(5000)
  batch: number = 500;

  @Setting('PIPELINE_LEASE_SECONDS', 'How long in seconds a replica that died keeps its partitions.')
  @IsInt()
  @Min(1)
  @Max(60)
  leaseSeconds: number = 4;

  @Setting(
    'STANDBY_LAG_SECONDS',
    'How long in seconds NATS keeps messages that are applied and committed, for a failover to a standby server of ' +
      'PostgreSQL that lags. A stream that is three quarters full is purged earlier.',
  )
  @IsInt()
  @Min(0)
  @Max(86_400)
  standbyLagSeconds: number = 300;

  @Setting(
    'EVENTS_KEPT_SECONDS',
    'How long in seconds NATS keeps domain events that were processed, for callers of the stream that come back. It is ' +
      'at least STANDBY_LAG_SECONDS. A stream that is three quarters full is purged earlier.',
  )
  @IsInt()
  @Min(0)
  @Max(86_400)
  eventsKeptSeconds: number = 720;

  @Setting(
    'HEARTBEAT_CHECK_SECONDS',
    'How often in seconds overdue heartbeats are searched for, and the ingest gateways are asked whether they receive.',
  )
  @IsInt()
  @Min(1)
  @Max(60)
  heartbeatCheckSeconds: number = 5;

  @Setting(
    'ALERT_DAYS',
    'How many days resolved alerts are kept at least. An alert of an incident is kept as long as the incident must be.',
  )
  @IsInt()
  @Min(7)
  @Max(36_500)
  alertDays: number = 365;

  @Setting(
    'INCIDENT_DAYS',
    'How many days resolved incidents are kept at least. They are kept as long as one of their alerts.',
  )
  @IsInt()
  @Min(7)
  @Max(36_500)
  incidentDays: number = 365;

  @Setting('EVENT_DAYS', 'How many days the events of alerts are kept at least. They are deleted a month at a time.')
  @IsInt()
  @Min(7)
  @Max(36_500)
  eventDays: number = 90;
}
