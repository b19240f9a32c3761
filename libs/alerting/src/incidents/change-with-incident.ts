import { publicId, type Actor } from '@ams/contracts';
import { decideCommand } from '@ams/domain';
import type { AlertRecords } from '../alerting-records.js';
import type { AlertRecord } from '../alerts/alert-record.js';

/** Acknowledges or resolves the alerts of an incident. Only firing alerts are acknowledged, not suppressed ones. */
export function changeWithIncident(
  records: Pick<AlertRecords, 'changeAlert'>,
  incidentId: string,
  alerts: readonly AlertRecord[],
  action: 'acknowledge' | 'resolve',
  { actor, at, depth }: { actor: Actor; at: string; depth?: number },
): void {
  const cause = { type: 'incident' as const, id: publicId('incident', incidentId) };
  for (const alert of alerts) {
    if (action === 'acknowledge' && alert.state.status !== 'firing') continue;
    const command = action === 'resolve' ? { action, reason: 'incident' as const } : { action };
    const decision = decideCommand(alert.state, command, at, actor);
    if (decision.kind !== 'changed') continue;
    const { type, changes } = decision;
    records.changeAlert(alert, decision.alert, { type, changes, actor, cause, at, depth });
  }
}
