/**
 * For each rule of docker/observability/rules.yaml: a fault in which it fires, alone, and what is just no fault. A case
 * is added to a healthy installation, or replaces its series. Values are in promtool's notation, one for each minute;
 * the rules are judged after 30 minutes.
 */
export type Series = Record<string, string>;

export interface RuleCase {
  fires: Series;
  /** Another fault in which it fires. */
  firesToo?: Series;
  quiet: Series;
}

const services = [
  'api-gateway',
  'ingest-gateway',
  'auth',
  'resource-api',
  'alert-pipeline',
  'workflow-engine',
  'notifier',
];
const started = (service: string): string => `process_start_time_seconds{service="${service}",instance="1"}`;

/** A histogram that grows by these numbers each minute: up to 1 s, up to 10 s, longer. */
const histogram = (name: string, upTo1: number, upTo10: number, longer: number): Series => ({
  [`${name}_bucket{le="1"}`]: `0+${upTo1}x40`,
  [`${name}_bucket{le="10"}`]: `0+${upTo1 + upTo10}x40`,
  [`${name}_bucket{le="+Inf"}`]: `0+${upTo1 + upTo10 + longer}x40`,
});

/** One of ten durations is between 1 and 2.5 s. */
const upTo2500Ms = (name: string): Series => ({
  ...histogram(name, 900, 100, 0),
  [`${name}_bucket{le="2.5"}`]: '0+1000x40',
});

export const healthy: Series = {
  ...Object.fromEntries(services.map((service) => [started(service), '1000x40'])),
  'ams_measurement_age_seconds{service="alert-pipeline",measurement="events",instance="1"}': '3x40',
  'nodejs_eventloop_lag_p99_seconds{service="auth"}': '0.03x40',
  'ams_database_connect_timeouts_total{service="auth"}': '0x40',
  'ams_rpc_requests_total{service="auth",subject="rpc.auth.admit",outcome="ok"}': '0+1000x40',
  'ams_http_requests_total{operation="alerts.list",status="200"}': '0+1000x40',
  ams_gateway_refused_parts: '0x40',
  ...histogram('ams_http_duration_seconds', 1000, 0, 0),
  'ams_ingest_requests_total{api="webhook",outcome="accepted"}': '0+1000x40',
  ...histogram('ams_ingest_duration_seconds', 1000, 0, 0),
  'ams_pipeline_stream_fill_ratio{stream="INGEST"}': '0.1x40',
  'ams_pipeline_oldest_unapplied_event_seconds{partition="0",instance="1"}': '0x40',
  'ams_pipeline_partitions_not_held{instance="1"}': '0x40',
  'ams_pipeline_set_aside_messages{service="alert-pipeline"}': '0x40',
  'ams_workflow_set_aside_messages{service="workflow-engine"}': '0x40',
  'ams_pipeline_position_gaps_total{service="alert-pipeline"}': '0x40',
  'ams_workflow_event_stream_losses_total{service="workflow-engine"}': '0x40',
  'ams_outbox_oldest_row_seconds{service="alert-pipeline",queue="events"}': '0x40',
  'ams_outbox_held_back{service="alert-pipeline",queue="events"}': '0x40',
  'ams_outbox_set_aside_rows{service="alert-pipeline"}': '0x40',
  ams_audit_oldest_waiting_seconds: '0x40',
  ams_audit_set_aside_entries: '0x40',
  'ams_calls_refused_total{service="auth",reason="unsigned"}': '0x40',
  ams_workflow_oldest_unprocessed_event_seconds: '0x40',
  ams_workflow_oldest_waiting_event_seconds: '0x40',
  'ams_pages_missing_total{missing="run"}': '0x40',
  'ams_pages_last_look_seconds{missing="run"}': '20x40',
  ams_pages_oldest_unsent_seconds: '0x40',
  ...histogram('ams_workflow_page_seconds', 100, 0, 0),
  'ams_workflow_oldest_waiting_job_of_level_seconds{level="0"}': '0x40',
  'ams_notifications_total{channel="email",status="sent"}': '0+10x40',
};

export const ruleCases: Record<string, RuleCase> = {
  AmsServiceDown: {
    // The last value counts for five minutes.
    fires: { [started('auth')]: '1000x20 _x20' },
    quiet: { [started('auth')]: '1000x28 _x10' },
  },
  AmsServiceRestarts: {
    fires: { [started('notifier')]: '1000+10x40' },
    quiet: { [started('notifier')]: '1000x18 1010x5 1020x5 1030x20' },
  },
  AmsNotMeasured: {
    fires: { 'ams_measurement_age_seconds{service="alert-pipeline",measurement="events",instance="1"}': '0+60x40' },
    // Another replica measures.
    quiet: { 'ams_measurement_age_seconds{service="alert-pipeline",measurement="events",instance="2"}': '0+60x40' },
  },
  AmsEventLoopHeld: {
    fires: { 'nodejs_eventloop_lag_p99_seconds{service="auth"}': '0.3x40' },
    quiet: { 'nodejs_eventloop_lag_p99_seconds{service="auth"}': '0.03x22 0.3x20' },
  },
  AmsDatabaseConnectionsExhausted: {
    fires: { 'ams_database_connect_timeouts_total{service="auth"}': '0+1x40' },
    quiet: { 'ams_database_connect_timeouts_total{service="auth"}': '0x5 3x40' },
  },
  AmsRequestsBetweenServicesFail: {
    fires: {
      'ams_rpc_requests_total{service="auth",subject="rpc.auth.admit",outcome="INTERNAL_ERROR"}': '0+20x40',
    },
    quiet: {
      'ams_rpc_requests_total{service="auth",subject="rpc.auth.admit",outcome="INTERNAL_ERROR"}': '0+5x40',
      'ams_rpc_requests_total{service="auth",subject="rpc.auth.admit",outcome="NOT_FOUND"}': '0+500x40',
    },
  },
  AmsApiErrors: {
    fires: { 'ams_http_requests_total{operation="alerts.list",status="503"}': '0+20x40' },
    quiet: {
      'ams_http_requests_total{operation="alerts.list",status="503"}': '0+5x40',
      'ams_http_requests_total{operation="alerts.list",status="429"}': '0+500x40',
    },
  },
  AmsApiSlow: {
    fires: histogram('ams_http_duration_seconds', 950, 50, 0),
    quiet: upTo2500Ms('ams_http_duration_seconds'),
  },
  AmsOperationsRefused: {
    fires: { ams_gateway_refused_parts: '1x40' },
    quiet: { ams_gateway_refused_parts: '0x27 1x12' },
  },
  AmsEdgeRefuses: {
    fires: { 'ams_edge_refused_total{service="api-gateway",reason="memory"}': '0+90x40' },
    quiet: { 'ams_edge_refused_total{service="api-gateway",reason="memory"}': '0+30x40' },
  },
  AmsIngestRefusesEvents: {
    fires: { 'ams_ingest_requests_total{api="webhook",outcome="unavailable"}': '0+20x40' },
    quiet: { 'ams_ingest_requests_total{api="webhook",outcome="unavailable"}': '0+5x40' },
  },
  AmsIngestLimited: {
    fires: { 'ams_ingest_requests_total{api="webhook",outcome="limited"}': '0+60x40' },
    quiet: { 'ams_ingest_requests_total{api="webhook",outcome="limited"}': '0+1x40' },
  },
  AmsIngestSlow: {
    fires: histogram('ams_ingest_duration_seconds', 950, 50, 0),
    quiet: upTo2500Ms('ams_ingest_duration_seconds'),
  },
  AmsStreamAlmostFull: {
    fires: { 'ams_pipeline_stream_fill_ratio{stream="INGEST"}': '0.85x40' },
    quiet: { 'ams_pipeline_stream_fill_ratio{stream="INGEST"}': '0.78x40' },
  },
  AmsEventsWait: {
    fires: { 'ams_pipeline_oldest_unapplied_event_seconds{partition="0",instance="1"}': '0x20 0+60x20' },
    quiet: { 'ams_pipeline_oldest_unapplied_event_seconds{partition="0",instance="1"}': '50x40' },
  },
  AmsPartitionNotHeld: {
    fires: { 'ams_pipeline_partitions_not_held{instance="1"}': '1x40' },
    quiet: { 'ams_pipeline_partitions_not_held{instance="1"}': '1x28 0x10' },
  },
  AmsEventsSetAside: {
    fires: { 'ams_workflow_set_aside_messages{service="workflow-engine"}': '0x20 1x20' },
    quiet: { 'ams_workflow_set_aside_messages{service="workflow-engine"}': '1x20 0x20' },
  },
  AmsEventsLost: {
    fires: { 'ams_pipeline_position_gaps_total{service="alert-pipeline"}': '0x25 1x20' },
    // The first measurement of a new replica.
    firesToo: { 'ams_pipeline_position_gaps_total{service="alert-pipeline",instance="2"}': '_x25 1x20' },
    // The process was started again.
    quiet: { 'ams_pipeline_position_gaps_total{service="alert-pipeline"}': '1x10 0x30' },
  },
  AmsOutboxLate: {
    fires: { 'ams_outbox_oldest_row_seconds{service="alert-pipeline",queue="events"}': '0x20 0+60x20' },
    quiet: { 'ams_outbox_oldest_row_seconds{service="alert-pipeline",queue="events"}': '50x40' },
  },
  AmsOutboxHeldBack: {
    fires: { 'ams_outbox_held_back{service="alert-pipeline",queue="events"}': '1x40' },
    quiet: { 'ams_outbox_held_back{service="alert-pipeline",queue="events"}': '1x28 0x10' },
  },
  AmsOutboxSetAside: {
    fires: { 'ams_outbox_set_aside_rows{service="alert-pipeline"}': '2x40' },
    quiet: { 'ams_outbox_set_aside_rows{service="alert-pipeline"}': '2x28 0x10' },
  },
  AmsAuditLate: {
    fires: { ams_audit_oldest_waiting_seconds: '0+60x40' },
    quiet: { ams_audit_oldest_waiting_seconds: '250x40' },
  },
  AmsAuditSetAside: {
    fires: { ams_audit_set_aside_entries: '1x40' },
    quiet: { ams_audit_set_aside_entries: '1x28 0x10' },
  },
  AmsCallsRefused: {
    fires: { 'ams_calls_refused_total{service="auth",reason="unsigned"}': '0x20 1x20' },
    quiet: { 'ams_calls_refused_total{service="auth",reason="unsigned"}': '5x40' },
  },
  AmsDomainEventsWait: {
    fires: { ams_workflow_oldest_unprocessed_event_seconds: '0x20 0+60x20' },
    quiet: { ams_workflow_oldest_unprocessed_event_seconds: '50x40' },
  },
  AmsOrganizationWaits: {
    fires: { ams_workflow_oldest_waiting_event_seconds: '0x20 0+60x20' },
    quiet: { ams_workflow_oldest_waiting_event_seconds: '290x40' },
  },
  AmsPagesMissing: {
    fires: { 'ams_pages_missing_total{missing="run"}': '0x20 2x20' },
    firesToo: { 'ams_pages_missing_total{missing="run",instance="2"}': '_x25 2x20' },
    quiet: { 'ams_pages_missing_total{missing="run"}': '2x10 0x30' },
  },
  AmsPagesNotLookedFor: {
    fires: { 'ams_pages_last_look_seconds{missing="run"}': '0+60x40' },
    quiet: { 'ams_pages_last_look_seconds{missing="run"}': '80x40' },
  },
  AmsPagesNotSent: {
    fires: { ams_pages_oldest_unsent_seconds: '0+60x40' },
    quiet: { ams_pages_oldest_unsent_seconds: '250x40' },
  },
  AmsPagesSlow: {
    fires: histogram('ams_workflow_page_seconds', 90, 0, 10),
    quiet: histogram('ams_workflow_page_seconds', 995, 5, 0),
  },
  AmsJobsWait: {
    fires: { 'ams_workflow_oldest_waiting_job_of_level_seconds{level="0"}': '60x40' },
    // A storm waits for its own jobs.
    quiet: { 'ams_workflow_oldest_waiting_job_of_level_seconds{level="10"}': '0+60x40' },
  },
  AmsNotificationsFail: {
    fires: { 'ams_notifications_total{channel="email",status="failed"}': '0+5x40' },
    quiet: { 'ams_notifications_total{channel="email",status="failed"}': '0+0.5x40' },
  },
};
