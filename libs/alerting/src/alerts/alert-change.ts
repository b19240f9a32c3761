/** A change of an alert, and the domain event of the change. */
import { newUuid, publicId, type AlertEvent, type Cause } from '@ams/contracts';
import { isPublished, type ActorRef, type AlertChangeType, type FieldChange } from '@ams/domain';
import { alertOfRecord, type AlertRecord } from './alert-record.js';

/** What changed, who changed it, and why. */
export interface AlertChange {
  type: AlertChangeType;
  changes: FieldChange[];
  actor: ActorRef;
  cause: Cause;
  at: string;
  /** The UUID of the entry of the timeline; a new one when absent. */
  entryId?: string;
  note?: string | null;
  /** The number of workflows that triggered each other before this change. */
  depth?: number;
  /** The UUID of the event that began this chain of workflows. Absent: the change is its beginning. */
  rootEventId?: string | undefined;
}

/** The domain event of a change that `record` already contains. Null when the change is not published. */
export function alertEventOf(
  record: AlertRecord,
  { type, at, actor, cause, changes, depth = 0, rootEventId }: AlertChange,
  id = newUuid(),
): AlertEvent | null {
  if (!isPublished(type)) return null;
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
    alert: alertOfRecord(record),
    depth,
    rootEventId,
  };
}
