/** A change of an incident, and its domain event. */
import { newUuid, publicId, type Actor, type IncidentEvent } from '@ams/contracts';
import type { IncidentChangeType } from '@ams/domain';
import type { AlertChange } from '../alerts/alert-change.js';
import { incidentOfRecord, type IncidentRecord } from './incident-record.js';

/** What changed, who changed it, and why. */
export interface IncidentChange extends Omit<AlertChange, 'type' | 'actor'> {
  type: IncidentChangeType;
  actor: Actor;
  /** The page (UUID) of a change `incident.paged`. */
  pageId?: string;
}

/** The domain event of a change that `record` already contains. */
export function incidentEventOf(
  record: IncidentRecord,
  { type, at, actor, cause, changes, depth = 0, rootEventId, pageId }: IncidentChange,
  id = newUuid(),
): IncidentEvent {
  const { organizationId, environment } = record;
  return {
    id: publicId('timelineEntry', id),
    organizationId,
    environment,
    type,
    occurredAt: at,
    actor,
    cause,
    changes,
    incident: incidentOfRecord(record),
    depth,
    rootEventId,
    pageId,
  };
}
