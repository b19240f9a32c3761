/** Shows a change of alerts before the API has answered. The events of the stream, or a new read, follow. */
import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { Item, OperationId } from '../api/operation-types.js';
import type { Page } from '../api/queries.js';

export type Alert = Item<'listAlerts'>;

const lists: readonly OperationId[] = ['listAlerts', 'listIncidentAlerts'];

export function patchAlerts(queries: QueryClient, ids: ReadonlySet<string>, change: (alert: Alert) => Alert): void {
  for (const list of lists) {
    queries.setQueriesData<InfiniteData<Page<Alert>>>({ queryKey: [list] }, (data) => {
      if (data?.pages === undefined) return data;
      const pages = data.pages.map((page) =>
        page.data.some(({ id }) => ids.has(id))
          ? { ...page, data: page.data.map((alert) => (ids.has(alert.id) ? change(alert) : alert)) }
          : page,
      );
      return { ...data, pages };
    });
  }
  queries.setQueriesData<Alert>({ queryKey: ['getAlert'] }, (alert) =>
    alert && ids.has(alert.id) ? change(alert) : alert,
  );
}
