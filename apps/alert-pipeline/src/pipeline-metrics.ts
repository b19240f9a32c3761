import type { Metrics } from '@ams/service';

export function pipelineMetrics(metrics: Metrics) {
  return {
    events: metrics.counter('ams_pipeline_events_total', 'Events applied to alerts.'),
    setAside: metrics.counter('ams_pipeline_set_aside_total', 'Events that could not be applied and were set aside.'),
    autoResolved: metrics.counter(
      'ams_pipeline_auto_resolved_total',
      'Alerts that resolved because no event came for them.',
    ),
    batchEvents: metrics.sizes('ams_pipeline_batch_events', 'Events in one transaction.'),
    applyDuration: metrics.durations('ams_pipeline_apply_seconds', 'How long the transaction of a batch took.'),
    partitions: metrics.gauge('ams_pipeline_partitions', 'Partitions that this replica holds.'),
    commands: metrics.counter('ams_pipeline_commands_total', 'Commands by action.', ['action'] as const),
  };
}

export type PipelineMetrics = ReturnType<typeof pipelineMetrics>;
