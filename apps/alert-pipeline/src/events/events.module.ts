import { Module } from '@nestjs/common';
import { EventMetrics } from './event-metrics.js';
import { Partitions } from './partitions.js';

@Module({ providers: [EventMetrics, Partitions] })
export class EventsModule {}
