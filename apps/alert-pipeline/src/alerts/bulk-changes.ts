/** Changes of many alerts that are collected, and acknowledge and resolve: for one alert, a bulk request, a part of a job. */
import { Fault, publicId, type BulkAction, type BulkItem, type Input } from '@ams/contracts';
import type { AlertRecord } from '@ams/alerting';
import { actorOf, auditMessage } from '@ams/database';
import { decideCommand, withoutEffect, type CommandDecision } from '@ams/domain';
import { timeUnderLock } from '../time-under-lock.js';
import type { AlertChanges } from './alert-changes.js';
import type { Commanded } from './locked-alerts.js';

export type Caller = Pick<Input<unknown, unknown>, 'principal' | 'requestId' | 'ip' | 'userAgent'>;

const auditType: Record<BulkAction, string> = { acknowledge: 'alert.acknowledged', resolve: 'alert.resolved' };

/** Collects the change of an alert, and says whether there is one; a fault when it is not allowed. */
export type ChangeOne = (record: AlertRecord) => { changed: boolean } | Fault;

/** Changes each of the alerts. One result for each id; those that are in neither list do not exist. */
export function changeInBulk(
  ids: readonly string[],
  { records, resolved }: Commanded,
  action: BulkAction | 'assign',
  change: ChangeOne,
): BulkItem[] {
  const byId = new Map(records.map((record) => [publicId('alert', record.id), record]));
  const isResolved = new Set(resolved.map((uuid) => publicId('alert', uuid)));
  return ids.map((id) => {
    const record = byId.get(id);
    if (record) return itemOf(id, change(record), record.state.status);
    if (action === 'assign' || !isResolved.has(id))
      return itemOf(id, new Fault('NOT_FOUND', { resource: 'alert', id }), null);
    const none = withoutEffect('resolved', action);
    return itemOf(id, none?.kind === 'refused' ? refusal(none) : { changed: false }, 'resolved');
  });
}

export const byCommand =
  (changes: AlertChanges, action: BulkAction, caller: Caller, note: string | null): ChangeOne =>
  (record) => {
    const decision = command(changes, record, action, caller, note);
    return decision.kind === 'refused' ? refusal(decision) : { changed: decision.kind === 'changed' };
  };

/** Decides the command, and collects the change that it makes. */
export function command(
  changes: AlertChanges,
  record: AlertRecord,
  action: BulkAction,
  caller: Caller,
  note: string | null,
): CommandDecision {
  const now = timeUnderLock([record]);
  const at = now.toISOString();
  const actor = actorOf(caller.principal);
  const before = record.state.status;
  const decision = decideCommand(
    record.state,
    action === 'resolve' ? { action, reason: 'api' } : { action },
    at,
    actor,
  );
  if (decision.kind === 'changed') {
    changes.change(record, decision.alert, {
      type: decision.type,
      changes: decision.changes,
      actor,
      cause: { type: 'request', id: caller.requestId },
      at,
      note,
    });
    changes.also(
      auditMessage(caller, {
        type: auditType[action],
        resource: { type: 'alert', id: publicId('alert', record.id) },
        changes: [{ field: 'status', before, after: decision.alert.status }],
        at: now,
      }),
    );
  }
  return decision;
}

export const refusal = ({ from, to, allowed }: Extract<CommandDecision, { kind: 'refused' }>): Fault =>
  new Fault('INVALID_STATE_TRANSITION', { from, to, allowed: [...allowed] });

function itemOf(id: string, outcome: { changed: boolean } | Fault, status: BulkItem['status']): BulkItem {
  if (!(outcome instanceof Fault)) return { id, ok: true, changed: outcome.changed, status, error: null };
  const error = { error: outcome.message, code: outcome.code, details: outcome.details };
  return { id, ok: false, changed: false, status, error };
}
