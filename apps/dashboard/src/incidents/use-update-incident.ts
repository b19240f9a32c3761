/** Changes of an incident: shown at once, taken back when the API refuses, with undo where there is an inverse. */
import { useQueryClient, type InfiniteData } from '@tanstack/react-query';
import { call } from '../api/call.js';
import type { Body, Item, OperationId } from '../api/operation-types.js';
import { invalidate, type Page } from '../api/queries.js';
import { texts } from '../texts/texts.js';
import { notifyDone, notifyFailed } from '../ui/notify.js';

export type Incident = Item<'listIncidents'>;
export type IncidentChange = Body<'updateIncident'>;

/** The operations that show what a change of an incident changes, besides incidents. */
export const changedByIncidents: readonly OperationId[] = [
  'getIncidentTimeline',
  'listIncidentAlerts',
  'getIncidentFacets',
  'listAlerts',
  'getAlert',
  'getAlertFacets',
  'listNotifications',
  'listPages',
];

export interface UpdateIncident {
  /** Resolves to whether it was changed. */
  change: (incident: Incident, body: IncidentChange, done: string, undo?: IncidentChange) => Promise<boolean>;
  acknowledge: (incident: Incident) => void;
  resolve: (incident: Incident, more?: Pick<IncidentChange, 'note' | 'resolveAlerts'>) => Promise<boolean>;
}

export function useUpdateIncident(): UpdateIncident {
  const queries = useQueryClient();
  const patch = (id: string, next: (incident: Incident) => Incident): void => {
    queries.setQueriesData<Incident>({ queryKey: ['getIncident'] }, (shown) =>
      shown?.id === id ? next(shown) : shown,
    );
    queries.setQueriesData<InfiniteData<Page<Incident>>>({ queryKey: ['listIncidents'] }, (data) =>
      data?.pages === undefined
        ? data
        : {
            ...data,
            pages: data.pages.map((page) => ({
              ...page,
              data: page.data.map((row) => (row.id === id ? next(row) : row)),
            })),
          },
    );
  };
  const change: UpdateIncident['change'] = async (incident, body, done, undo) => {
    const { id, number } = incident;
    await queries.cancelQueries({ queryKey: ['getIncident'] });
    const { status, assigneeIds, severity, title, summary, snoozedUntil } = body;
    const shownAtOnce = Object.fromEntries(
      Object.entries({
        status: snoozedUntil ? 'acknowledged' : status,
        assigneeIds,
        severity,
        title,
        summary,
        snoozedUntil,
      }).filter(([, value]) => value !== undefined),
    ) as Partial<Incident>;
    patch(id, (shown) => ({ ...shown, ...shownAtOnce }));
    try {
      const { data } = await call('updateIncident', { path: { id }, body });
      patch(id, (shown) => (shown.version > data.version ? shown : data));
      notifyDone(done, undo && (() => void change(data, undo, texts.ui.undone)));
      void invalidate(queries, changedByIncidents);
      return true;
    } catch (error) {
      patch(id, (shown) => (shown.version === incident.version ? incident : shown));
      notifyFailed(texts.incidents.failed(number), error);
      void invalidate(queries, ['getIncident', 'listIncidents']);
      return false;
    }
  };
  return {
    change,
    acknowledge: (incident) =>
      void change(incident, { status: 'acknowledged' }, texts.incidents.acknowledged(incident.number), {
        status: 'triggered',
      }),
    resolve: (incident, more = {}) =>
      change(incident, { status: 'resolved', ...more }, texts.incidents.resolved(incident.number)),
  };
}
