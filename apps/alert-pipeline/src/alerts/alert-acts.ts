/** What a member does with alerts besides acknowledging and resolving them. */
import {
  invalid,
  publicId,
  uuidOf,
  type AlertNote,
  type AssignAlert,
  type Input,
  type NoQuery,
  type PostAlertNote,
  type Principal,
} from '@ams/contracts';
import { Windows, type AlertRecord } from '@ams/alerting';
import { actorOf, auditMessage, type Tx } from '@ams/database';
import { decideUnacknowledge, noted, type Changed } from '@ams/domain';
import { assignableMembers } from '../members/assignable-members.js';
import { timeUnderLock } from '../time-under-lock.js';
import type { AlertChanges } from './alert-changes.js';
import { refusal, type Caller } from './command.js';

/** Collects a change of the alert, which is locked. */
export type AlertAct<Body> = (
  tx: Tx,
  changes: AlertChanges,
  record: AlertRecord,
  input: Input<NoQuery, Body>,
) => Promise<void>;

export const assign: AlertAct<AssignAlert> = async (tx, changes, record, input) => {
  const { assigneeId, note = null } = input.body;
  await requireAssignable(tx, input.principal, assigneeId);
  assignTo(assigneeId, changes, input, note)(record);
};

/** Throws VALIDATION_ERROR for a member who does not exist or is disabled. */
export async function requireAssignable(tx: Tx, principal: Principal, assigneeId: string | null): Promise<void> {
  if (assigneeId !== null && !(await assignableMembers(tx, principal, [assigneeId])).has(assigneeId))
    throw invalid('assigneeId', 'exists', `there is no member with the id ${assigneeId}`);
}

/** `assigneeId`: of a member who can be assigned, or null. */
export const assignTo =
  (assigneeId: string | null, changes: AlertChanges, caller: Caller, note: string | null) =>
  (record: AlertRecord): { changed: boolean } => {
    const before = publicId('member', record.assigneeId);
    if (before === assigneeId) return { changed: false };
    record.assigneeId = assigneeId && uuidOf('member', assigneeId);
    const fields = [{ field: 'assigneeId', before, after: assigneeId }];
    keep(changes, record, caller, noted(record.state, 'alert.assigned', fields), 'alert.assigned', note);
    return { changed: true };
  };

export const addNote: AlertAct<PostAlertNote> = (_tx, changes, record, input) => {
  keep(changes, record, input, noted(record.state, 'alert.noted', []), 'alert.noted', input.body.note);
  return Promise.resolve();
};

/** Throws INVALID_STATE_TRANSITION for a resolved alert. */
export const unacknowledge: AlertAct<AlertNote> = async (tx, changes, record, input) => {
  const windows = await tx.beyondNarrowing(() => Windows.of(tx, [input.principal])); // they hide it from every key
  const decision = decideUnacknowledge(record.state, (state) => windows.suppressingWindowOf(record, state));
  if (decision.kind === 'refused') throw refusal(decision);
  if (decision.kind === 'changed')
    keep(changes, record, input, decision, 'alert.unacknowledged', input.body.note ?? null);
};

function keep(
  alertChanges: AlertChanges,
  record: AlertRecord,
  caller: Caller,
  { type, alert, changes }: Changed,
  auditType: string,
  note: string | null,
): void {
  const now = timeUnderLock([record]);
  alertChanges.change(record, alert, {
    type,
    changes,
    actor: actorOf(caller.principal),
    cause: { type: 'request', id: caller.requestId },
    at: now.toISOString(),
    note,
  });
  const resource = { type: 'alert', id: publicId('alert', record.id) };
  alertChanges.also(auditMessage(caller, { type: auditType, resource, changes, at: now }));
}
