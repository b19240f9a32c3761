import { heartbeatDatabase } from '@ams/persistence';
import { Module } from '@nestjs/common';
import { PipelineSettings } from '../settings.js';
import { EventBacklog } from './event-backlog.js';
import { EventMetrics } from './event-metrics.js';
import { Partitions } from './partitions.js';

/** A renewal that fails can be tried again within the lease. Less than a second would be too strict. */
const heartbeatTimeoutMs = ({ leaseSeconds }: PipelineSettings): number => Math.max(1000, (leaseSeconds * 1000) / 2);

@Module({
  providers: [
    heartbeatDatabase('alert-pipeline', PipelineSettings, heartbeatTimeoutMs),
    EventMetrics,
    Partitions,
    EventBacklog,
  ],
})
export class EventsModule {}
