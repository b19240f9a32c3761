/** A change of an alert, and the event that tells others of it. */
import { newUuid, publicId, type AlertEvent, type Cause } from '@ams/contracts';
import { isTold, type ActorRef, type AlertChangeType, type FieldChange } from '@ams/domain';
import { alertOfRecord, type AlertRecord } from './alert-record.js';

/** What changed, who changed it, and why. */
export interface AlertChange {
  type: AlertChangeType;
  changes: FieldChange[];
  actor: ActorRef;
  cause: Cause;
  at: string;
  note?: string | null;
  /** How many workflows caused each other up to this change. */
  depth?: number;
}

/** The event of a change that `record` has already; null when the change is not published. */
export function alertEventOf(
  record: AlertRecord,
  { type, at, actor, cause, changes, depth = 0 }: AlertChange,
  id = newUuid(),
): AlertEvent | null {
  if (!isTold(type)) return null;
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
  };
}
