/** The span of a domain event that is processed. */
import { alertEventsStream } from '@ams/contracts';
import { SpanKind, type SpanFacts } from '@ams/tracing';
import { alertOf, incidentOf, type DomainEvent } from './condition-facts.js';

/** `events`: how many one transaction processes. */
export function spanOfProcessed(event: DomainEvent, events: number): SpanFacts {
  const { id, type, organizationId, environment, occurredAt } = event;
  const alert = alertOf(event);
  const incidentId = incidentOf(event)?.id ?? alert?.incidentId;
  return {
    name: `process ${alertEventsStream}`,
    kind: SpanKind.CONSUMER,
    attributes: {
      'messaging.system': 'nats',
      'messaging.operation.type': 'process',
      'messaging.operation.name': 'process',
      'messaging.destination.name': alertEventsStream,
      'messaging.batch.message_count': events,
      'ams.organization.id': organizationId,
      'ams.environment': environment,
      'ams.event.id': id,
      'ams.event.type': type,
      'ams.event.age_ms': Math.max(0, Date.now() - Date.parse(occurredAt)),
      ...(alert && { 'ams.alert.id': alert.id }),
      ...(incidentId && { 'ams.incident.id': incidentId }),
    },
  };
}
