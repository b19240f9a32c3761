/** What a domain event looks like in the stream, and who may see it. */
import {
  scopeOfStreamEvent,
  uuidOf,
  type AlertEvent,
  type IncidentEvent,
  type Principal,
  type ScheduleEvent,
  type StreamedEvent,
  type StreamEventData,
  type StreamEventType,
  type SuppressionEvent,
} from '@ams/contracts';
import { isWithin } from '@ams/domain';
import { grants } from '@ams/scopes';

/** To whom a record belongs; UUIDs. */
export interface Belonging {
  /** A restricted key needs all of them, and at least one. */
  clientIds: readonly string[];
  /** Null for a record that belongs to no team, and for one that teams do not make visible. */
  teamId: string | null;
}

export interface LiveEvent {
  organizationId: string;
  environment: string;
  belonging: Belonging;
  data: StreamEventData;
}

/** Null for an event that is not streamed: its type is unknown to this release. */
export function liveEventOf(event: StreamedEvent): LiveEvent | null {
  if (!Object.hasOwn(scopeOfStreamEvent, event.type)) return null;
  const { organizationId, environment, type, occurredAt } = event;
  const of = (belonging: Belonging, rest: Pick<StreamEventData, 'resource' | 'changed' | 'fields'>): LiveEvent => ({
    organizationId,
    environment,
    belonging,
    data: { type, occurredAt, ...rest },
  });
  if ('alert' in event) return of(ofClients([event.alert.clientId]), ofAlert(event));
  if ('incident' in event) return of(ofClients([event.incident.clientId]), ofIncident(event));
  if ('schedule' in event) return of(ofTeam(event.schedule.teamId), ofSchedule(event));
  return of(ofClients(event.suppression.clientIds), ofWindow(event));
}

/** An id that cannot be read makes the event invisible to restricted keys. */
function ofClients(ids: readonly (string | null)[]): Belonging {
  const uuids = ids.map((id) => (id === null ? null : uuidOf('client', id)));
  return { clientIds: uuids.includes(null) ? [] : (uuids as string[]), teamId: null };
}

const ofTeam = (id: string | null): Belonging => ({ clientIds: [], teamId: id === null ? null : uuidOf('team', id) });

const changedOf = ({ changes }: Pick<AlertEvent, 'changes'>): string[] => changes.map(({ field }) => field);

/** Everything but the texts and maps, which may be large. */
function ofAlert(event: AlertEvent) {
  const {
    id,
    description: _description,
    labels: _labels,
    annotations: _annotations,
    fingerprint: _fingerprint,
    fingerprintSource: _fingerprintSource,
    ...fields
  } = event.alert;
  return { resource: { type: 'alert' as const, id }, changed: changedOf(event), fields };
}

function ofIncident(event: IncidentEvent) {
  const { id, summary: _summary, escalation, ...fields } = event.incident;
  const { told: _told, ...shown } = escalation;
  return {
    resource: { type: 'incident' as const, id },
    changed: changedOf(event),
    fields: { ...fields, escalation: shown },
  };
}

function ofSchedule({ schedule }: ScheduleEvent) {
  const { id, name, teamId, to, startsAt, endsAt } = schedule;
  const users = to.map((member) => ({ id: member.id, name: member.name }));
  return {
    resource: { type: 'schedule' as const, id },
    changed: ['users'],
    fields: { name, teamId, users, startsAt, endsAt },
  };
}

function ofWindow({ suppression }: SuppressionEvent) {
  const { id, name, teamId, endsAt } = suppression;
  return { resource: { type: 'suppression_window' as const, id }, changed: [], fields: { name, teamId, endsAt } };
}

/** The types of a caller with these scopes, among those that it asks for (null: all). */
export const visibleTypes = (
  scopes: readonly string[],
  asked: readonly StreamEventType[] | null,
): ReadonlySet<StreamEventType> =>
  new Set(
    (Object.keys(scopeOfStreamEvent) as StreamEventType[]).filter(
      (type) => grants(scopes, scopeOfStreamEvent[type]) && (asked === null || asked.includes(type)),
    ),
  );

/** Whether the record is visible to the caller, as the database decides it for restricted keys. */
export const isVisible = (
  { clientIds, teamId }: Belonging,
  { restrictedTo }: Pick<Principal, 'restrictedTo'>,
): boolean =>
  isWithin(restrictedTo, { teamId }) ||
  (clientIds.length > 0 && clientIds.every((clientId) => isWithin(restrictedTo, { clientId })));
