/** What a member does with one alert that changes no status: assigning it, and a note. */
import {
  invalid,
  publicId,
  uuidOf,
  type AssignAlert,
  type Input,
  type NoQuery,
  type PostAlertNote,
} from '@ams/contracts';
import type { AlertRecord } from '@ams/alerting';
import { actorOf, auditMessage, type Tx } from '@ams/database';
import { noted, type AlertChangeType, type FieldChange } from '@ams/domain';
import { assignableMembers } from '../members/assignable-members.js';
import type { AlertChanges } from './alert-changes.js';

/** Collects a change of the alert, which is locked. */
export type AlertAct<Body> = (
  tx: Tx,
  changes: AlertChanges,
  record: AlertRecord,
  input: Input<NoQuery, Body>,
) => Promise<void>;

/** Throws VALIDATION_ERROR for a member who does not exist or is disabled. */
export const assign: AlertAct<AssignAlert> = async (tx, changes, record, input) => {
  const { assigneeId, note = null } = input.body;
  const before = publicId('member', record.assigneeId);
  if (assigneeId !== null && !(await assignableMembers(tx, input.principal, [assigneeId])).has(assigneeId))
    throw invalid('assigneeId', 'exists', `there is no member with the id ${assigneeId}`);
  if (before === assigneeId) return;
  record.assigneeId = assigneeId && uuidOf('member', assigneeId);
  keep(changes, record, input, 'alert.assigned', [{ field: 'assigneeId', before, after: assigneeId }], note);
};

export const addNote: AlertAct<PostAlertNote> = (_tx, changes, record, input) => {
  keep(changes, record, input, 'alert.noted', [], input.body.note);
  return Promise.resolve();
};

function keep(
  alertChanges: AlertChanges,
  record: AlertRecord,
  input: Input<NoQuery, unknown>,
  type: AlertChangeType,
  changes: FieldChange[],
  note: string | null,
): void {
  const now = new Date();
  alertChanges.change(record, noted(record.state, type, changes).alert, {
    type,
    changes,
    actor: actorOf(input.principal),
    cause: { type: 'request', id: input.requestId },
    at: now.toISOString(),
    note,
  });
  const resource = { type: 'alert', id: publicId('alert', record.id) };
  alertChanges.also(auditMessage(input, { type, resource, changes, at: now }));
}
