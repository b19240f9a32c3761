/** Acknowledging an alert, taking that back, and resolving: shown at once, and corrected when the API refuses. */
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../api/call.js';
import type { OperationId } from '../api/operation-types.js';
import { invalidate } from '../api/queries.js';
import { useCan } from '../app/session.js';
import { texts } from '../texts/texts.js';
import { notifyDone, notifyFailed } from '../ui/notify.js';
import { mayChange, type AlertAction } from './may-change.js';
import { patchAlerts, type Alert } from './patch-alerts.js';

export const changedByAlerts: readonly OperationId[] = [
  'listAlerts',
  'getAlert',
  'getAlertTimeline',
  'getAlertFacets',
  'explainAlert',
  'listIncidentAlerts',
  'getIncident',
  'getIncidentTimeline',
  'listIncidents',
];

const said = {
  acknowledge: { done: texts.alerts.acknowledged, failed: texts.alerts.acknowledgeFailed },
  unacknowledge: { done: texts.alerts.unacknowledged, failed: texts.alerts.unacknowledgeFailed },
  resolve: { done: texts.alerts.resolved, failed: texts.alerts.resolveFailed },
};
const statusAfter = { acknowledge: 'acknowledged', unacknowledge: 'firing', resolve: 'resolved' } as const;
const operations = {
  acknowledge: 'acknowledgeAlert',
  unacknowledge: 'unacknowledgeAlert',
  resolve: 'resolveAlert',
} as const;
/** A resolved alert stays resolved. */
const inverses = { acknowledge: 'unacknowledge', unacknowledge: 'acknowledge', resolve: null } as const;

/** Resolves to false when the API has refused it. */
export type ChangeAlert = (action: AlertAction, alert: Alert, note?: string) => Promise<boolean>;

export function useChangeAlert(): ChangeAlert {
  const queries = useQueryClient();
  const change: ChangeAlert = async (action, alert, note) => {
    const { id, title } = alert;
    if (!mayChange(action, alert) && !note) {
      notifyDone(texts.alerts.alreadyDone);
      return true;
    }
    const only = new Set([id]);
    await queries.cancelQueries({ queryKey: ['getAlert'] });
    patchAlerts(queries, only, (shown) => ({ ...shown, status: statusAfter[action] }));
    const input = { path: { id }, body: note ? { note } : {} };
    try {
      const { data } = await call(operations[action], input);
      patchAlerts(queries, only, (shown) => (shown.version > data.version ? shown : data));
      const inverse = inverses[action];
      notifyDone(said[action].done(title), inverse ? () => void change(inverse, data) : undefined);
      await invalidate(
        queries,
        changedByAlerts.filter((operation) => operation !== 'listAlerts' && operation !== 'getAlert'),
      );
      return true;
    } catch (error) {
      patchAlerts(queries, only, (shown) => (shown.version === alert.version ? alert : shown));
      notifyFailed(said[action].failed(title), error);
      await invalidate(queries, ['listAlerts', 'getAlert']);
      return false;
    }
  };
  return change;
}

/** Whether the member may change alerts, and what they may do with this one. */
export function useAlertRights(): { canChange: boolean; canSilence: boolean } {
  const can = useCan();
  return { canChange: can('acknowledgeAlert'), canSilence: can('createSuppressionWindow') };
}
