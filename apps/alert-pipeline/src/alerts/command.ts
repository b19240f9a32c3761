/** Acknowledge and resolve. */
import { Fault, publicId, type BulkAction, type Input } from '@ams/contracts';
import type { AlertRecord } from '@ams/alerting';
import { actorOf, auditMessage } from '@ams/database';
import { decideCommand, type CommandDecision } from '@ams/domain';
import { timeUnderLock } from '../time-under-lock.js';
import type { AlertChanges } from './alert-changes.js';

export type Caller = Pick<Input<unknown, unknown>, 'principal' | 'requestId' | 'ip' | 'userAgent'>;

const auditType: Record<BulkAction, string> = { acknowledge: 'alert.acknowledged', resolve: 'alert.resolved' };

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
