/** The same change of several alerts, in one transaction. A bulk change has as many as it has parts: see bulk-turns.ts. */
import { Fault, publicId, uuidOf, type BulkAction, type BulkItem, type BulkRequestAction } from '@ams/contracts';
import type { AlertRecord } from '@ams/alerting';
import type { Tx } from '@ams/database';
import { withoutEffect } from '@ams/domain';
import { timeUnderLock } from '../time-under-lock.js';
import { assignTo } from './alert-acts.js';
import { AlertChanges } from './alert-changes.js';
import { command, refusal, type Caller } from './command.js';
import { lockAlerts, lockUnresolved, type Commanded } from './locked-alerts.js';

/** What happens to each alert of a bulk change. */
export interface BulkChange {
  action: BulkRequestAction;
  /** For `assign`: of a member who can be assigned, or null. */
  assigneeId: string | null;
  note: string | null;
}

/** Collects the change of an alert, and says whether there is one; a fault when it is not allowed. */
type ChangeOne = (record: AlertRecord) => { changed: boolean } | Fault;

/** Locks some alerts, and changes each of them. One result for each id, in their order. */
export async function changeInBulk(
  tx: Tx,
  caller: Caller,
  ids: readonly string[],
  { action, assigneeId, note }: BulkChange,
): Promise<BulkItem[]> {
  const uuids = ids.map((id) => uuidOf('alert', id)).filter((uuid) => uuid !== null);
  const found: Commanded =
    action === 'assign'
      ? { records: await lockAlerts(tx, caller.principal, uuids), resolved: [] }
      : await lockUnresolved(tx, caller.principal, uuids);
  const changes = new AlertChanges(timeUnderLock(found.records).toISOString());
  const change =
    action === 'assign' ? assignTo(assigneeId, changes, caller, note) : byCommand(changes, action, caller, note);
  const results = resultsOf(ids, found, action, change);
  await changes.write(tx);
  return results;
}

/** Those that were not found in either list do not exist. */
function resultsOf(
  ids: readonly string[],
  { records, resolved }: Commanded,
  action: BulkRequestAction,
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

const byCommand =
  (changes: AlertChanges, action: BulkAction, caller: Caller, note: string | null): ChangeOne =>
  (record) => {
    const decision = command(changes, record, action, caller, note);
    return decision.kind === 'refused' ? refusal(decision) : { changed: decision.kind === 'changed' };
  };

function itemOf(id: string, outcome: { changed: boolean } | Fault, status: BulkItem['status']): BulkItem {
  if (!(outcome instanceof Fault)) return { id, ok: true, changed: outcome.changed, status, error: null };
  const error = { error: outcome.message, code: outcome.code, details: outcome.details };
  return { id, ok: false, changed: false, status, error };
}
