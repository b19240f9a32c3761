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
  readonly gaps;
  readonly missing;
  readonly streamFill;
  readonly oldestWaiting;
  readonly waiting;

  constructor(metrics: Metrics) {
    this.events = metrics.counter('ams_pipeline_events_total', 'Events applied to alerts.');
    this.setAside = metrics.counter(
      'ams_pipeline_set_aside_total',
      'Events that could not be applied and were set aside.',
    );
    this.autoResolved = metrics.counter(
      'ams_pipeline_auto_resolved_total',
      'Alerts that resolved because no event arrived for them.',
    );
    this.batchEvents = metrics.sizes('ams_pipeline_batch_events', 'Events in one transaction.');
    this.applyDuration = metrics.durations('ams_pipeline_apply_seconds', 'Duration of the transaction of a batch.');
    this.partitions = metrics.gauge('ams_pipeline_partitions', 'Partitions that this replica holds.');
    this.oldestWaiting = metrics.gauge(
      'ams_pipeline_oldest_waiting_event_seconds',
      'Age of the oldest event that this replica has read and not applied; 0 without one.',
    );
    this.waiting = metrics.gauge(
      'ams_pipeline_waiting_messages',
      'Messages with events, of the partitions of this replica, that NATS has stored and that are not applied.',
    );
    this.gaps = metrics.counter(
      'ams_pipeline_position_gaps_total',
      'Positions that did not fit the ingest stream: events may be lost, see the log.',
    );
    this.missing = metrics.counter(
      'ams_pipeline_missing_messages_total',
      'The maximum number of messages of the ingest stream that were deleted or lost before they were applied.',
    );
    this.streamFill = metrics.gauge('ams_pipeline_stream_fill_ratio', 'Used part of the size of a stream, 0 to 1.', [
      'stream',
    ]);
  }
}
