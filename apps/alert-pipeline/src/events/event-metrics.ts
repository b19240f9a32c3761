import { Metrics } from '@ams/service';
import { Injectable } from '@nestjs/common';

@Injectable()
export class EventMetrics {
  readonly events;
  readonly setAside;
  readonly autoResolved;
  readonly batchEvents;
  readonly applyDuration;
  readonly partitions;

  constructor(metrics: Metrics) {
    this.events = metrics.counter('ams_pipeline_events_total', 'Events applied to alerts.');
    this.setAside = metrics.counter(
      'ams_pipeline_set_aside_total',
      'Events that could not be applied and were set aside.',
    );
    this.autoResolved = metrics.counter(
      'ams_pipeline_auto_resolved_total',
      'Alerts that resolved because no event came for them.',
    );
    this.batchEvents = metrics.sizes('ams_pipeline_batch_events', 'Events in one transaction.');
    this.applyDuration = metrics.durations('ams_pipeline_apply_seconds', 'Duration of the transaction of a batch.');
    this.partitions = metrics.gauge('ams_pipeline_partitions', 'Partitions that this replica holds.');
  }
}
