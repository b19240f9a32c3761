/** The live events of `GET /api/v1/stream`, which the API gateway makes from the domain events. */
import type { Scope } from '@ams/scopes';
import type { AlertEvent, IncidentEvent, ScheduleEvent, SuppressionEvent } from '../wire/events.js';

export type StreamedEvent = AlertEvent | IncidentEvent | ScheduleEvent | SuppressionEvent;
export type StreamEventType = StreamedEvent['type'];

/** The scope that a caller needs for the events of a type. */
export const scopeOfStreamEvent = {
  'alert.created': 'alerts:read',
  'alert.acknowledged': 'alerts:read',
  'alert.resolved': 'alerts:read',
  'alert.suppressed': 'alerts:read',
  'alert.resumed': 'alerts:read',
  'alert.severityChanged': 'alerts:read',
  'alert.addedToIncident': 'alerts:read',
  'alert.assigned': 'alerts:read',
  'alert.labelsChanged': 'alerts:read',
  'alert.noted': 'alerts:read',
  'incident.created': 'incidents:read',
  'incident.acknowledged': 'incidents:read',
  'incident.resolved': 'incidents:read',
  'incident.reopened': 'incidents:read',
  'incident.updated': 'incidents:read',
  'incident.alertAdded': 'incidents:read',
  'incident.noted': 'incidents:read',
  'incident.merged': 'incidents:read',
  'incident.escalated': 'incidents:read',
  'incident.paged': 'incidents:read',
  'schedule.handoff': 'schedules:read',
  'suppression.expiring': 'suppression:read',
} as const satisfies Record<StreamEventType, Scope>;

export const streamEventTypes = Object.keys(scopeOfStreamEvent) as StreamEventType[];

export const isStreamEventType = (value: unknown): value is StreamEventType =>
  typeof value === 'string' && Object.hasOwn(scopeOfStreamEvent, value);

/** The data of an event. */
export interface StreamEventData {
  type: StreamEventType;
  occurredAt: string;
  resource: { type: 'alert' | 'incident' | 'schedule' | 'suppression_window'; id: string };
  /** The names of the fields that changed. Those that `fields` does not have must be fetched. */
  changed: string[];
  /** Fields of the record after the change, in the form of the API. */
  fields: Record<string, unknown>;
}
