/** The span of an event of a sender that is applied. */
import { ingestStream, publicId, type IngestEvent } from '@ams/contracts';
import { SpanKind, type SpanFacts } from '@ams/tracing';

/** `events`: how many one transaction applies. */
export const spanOfApplied = (
  { id, organizationId, environment, integrationId, receivedAt }: IngestEvent,
  events: number,
): SpanFacts => ({
  name: `process ${ingestStream}`,
  kind: SpanKind.CONSUMER,
  attributes: {
    'messaging.system': 'nats',
    'messaging.operation.type': 'process',
    'messaging.operation.name': 'process',
    'messaging.destination.name': ingestStream,
    'messaging.batch.message_count': events,
    'ams.organization.id': organizationId,
    'ams.environment': environment,
    'ams.integration.id': integrationId,
    'ams.event.id': publicId('event', id),
    'ams.event.age_ms': Math.max(0, Date.now() - Date.parse(receivedAt)),
  },
});
