import { publicId, type Actor } from '@ams/contracts';
import { decideCommand, unacknowledged, type AlertState, type CommandDecision, type EventDecision } from '@ams/domain';
import type { AlertRecords } from '../alerting-records.js';
import type { AlertRecord } from '../alerts/alert-record.js';
import type { Windows } from '../suppression/suppression-windows.js';

/** `fire`: an acknowledgement is taken back, and its alerts fire again. */
export type IncidentAlertAction = 'acknowledge' | 'resolve' | 'fire';

interface Why {
  actor: Actor;
  at: string;
  depth?: number;
  rootEventId?: string | undefined;
  /** The active suppression windows, for `fire`. */
  windows?: Windows;
}

/**
 * Acknowledges, resolves or fires the alerts of an incident. Only firing alerts are acknowledged, not suppressed ones.
 */
export function changeWithIncident(
  records: Pick<AlertRecords, 'changeAlert'>,
  incidentId: string,
  alerts: readonly AlertRecord[],
  action: IncidentAlertAction,
  { actor, at, depth, rootEventId, windows }: Why,
): void {
  const cause = { type: 'incident' as const, id: publicId('incident', incidentId) };
  for (const alert of alerts) {
    const decision = decide(alert, action, { actor, at, windows });
    if (decision.kind !== 'changed') continue;
    const { type, changes } = decision;
    records.changeAlert(alert, decision.alert, { type, changes, actor, cause, at, depth, rootEventId });
  }
}

function decide(
  alert: AlertRecord,
  action: IncidentAlertAction,
  { actor, at, windows }: Pick<Why, 'actor' | 'at' | 'windows'>,
): CommandDecision | EventDecision {
  switch (action) {
    case 'acknowledge':
      return alert.state.status === 'firing'
        ? decideCommand(alert.state, { action }, at, actor)
        : { kind: 'unchanged' };
    case 'resolve':
      return decideCommand(alert.state, { action, reason: 'incident' }, at, actor);
    case 'fire':
      return unacknowledged(alert.state, (state: AlertState) => windows?.suppressingWindowOf(alert, state) ?? null);
  }
}
