import { useMediaQuery } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import { list, rowsOf } from '../api/queries.js';
import type { QueryInput } from '../api/operation-types.js';
import { useCan } from '../app/session.js';
import { texts } from '../texts/texts.js';
import { FacetPage } from '../ui/facet-page.js';
import { LinkButton } from '../ui/link-button.js';
import { ListEmpty } from '../ui/list-empty.js';
import { RecordList } from '../ui/record-list.js';
import type { ViewQuery } from '../ui/saved-views.js';
import { RowsSkeleton } from '../ui/skeletons.js';
import { alertColumns, AlertPhoneRow } from './alert-columns.js';
import { useNames } from './alert-facets.js';
import { alertSorts, countOf, filtersOf, onlyFilters, toggledValue, type Filters } from './alert-filters.js';
import { AlertListActs } from './alert-list-acts.js';
import { alertsRoute } from './alerts.routes.js';
import { useFacets } from './use-facets.js';

type Search = ReturnType<typeof alertsRoute.useSearch>;

/** The list is shown before its files are there. As a page that cannot be loaded, it is tried again. */
const AlertPanel = lazyRouteComponent(() => import('./alert-panel.js'), 'AlertPanel');

/** The list of alerts with filters in the address, and the open alert beside it. */
export function AlertsPage() {
  const search = alertsRoute.useSearch();
  const navigate = alertsRoute.useNavigate();
  const can = useCan();
  const nameOf = useNames();
  const isWide = useMediaQuery('(min-width: 80em)', true, { getInitialValueInEffect: false });
  const filters = filtersOf(search);
  const query = filters as QueryInput<'listAlerts'>;
  const { data } = useInfiniteQuery(list('listAlerts', query));
  const ids = rowsOf(data).map(({ id }) => id);
  const isRead = data !== undefined;
  useEffect(() => {
    if (!isRead) return;
    const soon = globalThis.requestIdleCallback?.(() => void AlertPanel.preload?.());
    return () => globalThis.cancelIdleCallback?.(soon);
  }, [isRead]);
  const facets = useFacets(query, nameOf);
  const isFiltered = countOf(filters) > 0;

  const open = (alert: string | undefined): void => void navigate({ search: (before) => ({ ...before, alert }) });
  const filter = (change: Partial<Search>): void =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  const openView = (view: ViewQuery): void => filter(onlyFilters(view as Filters) as Partial<Search>);
  const pickLabel = (label: string): void => filter({ label: toggledValue(search.label, label) });

  return (
    <FacetPage
      title={texts.alerts.title}
      views={{ page: 'alerts', query: filters as ViewQuery, onOpen: openView }}
      search={{ value: search.q, label: texts.alerts.search, onChange: (q) => filter({ q }) }}
      sort={{
        label: texts.alerts.sort,
        data: alertSorts.map((value) => ({ value, label: texts.alerts.sorts[value] })),
        value: search.sort ?? '-lastOccurredAt',
        onChange: (sort) => filter({ sort: sort === '-lastOccurredAt' ? undefined : (sort as Search['sort']) }),
      }}
      facets={{
        facets,
        onChange: (name, chosen) => filter({ [name]: chosen.length === 0 ? undefined : chosen } as Partial<Search>),
      }}
      list={
        <RecordList
          operation="listAlerts"
          label={texts.alerts.title}
          query={query}
          onOpen={open}
          openId={search.alert}
          nameOf={({ title }) => title}
          columns={alertColumns({
            nameOf,
            pickLabel,
            picked: search.label ?? [],
            isNarrow: search.alert !== undefined,
            isWide,
          })}
          phoneRow={(alert) => <AlertPhoneRow alert={alert} />}
          empty={
            <ListEmpty
              title={texts.alerts.empty}
              hint={texts.alerts.emptyHint}
              action={
                can('createIntegration') && <LinkButton to="/integrations">{texts.alerts.emptyAction}</LinkButton>
              }
              clear={isFiltered ? () => filter(onlyFilters({}) as Partial<Search>) : undefined}
            />
          }
        >
          {(control, rows, total) => (
            <AlertListActs
              control={control}
              rows={rows}
              total={total}
              filters={filters}
              openId={search.alert}
              onOpen={open}
              onExplain={(alert) => void navigate({ search: (before) => ({ ...before, alert, tab: 'why' }) })}
            />
          )}
        </RecordList>
      }
      panel={
        search.alert === undefined
          ? undefined
          : {
              label: texts.alerts.panel,
              onClose: () => open(undefined),
              children: (
                <Suspense fallback={<RowsSkeleton rows={10} />}>
                  <AlertPanel
                    key={search.alert}
                    id={search.alert}
                    tab={search.tab ?? 'overview'}
                    onTab={(tab) => void navigate({ search: (before) => ({ ...before, tab }), replace: true })}
                    ids={ids}
                    onOpen={open}
                    pickLabel={pickLabel}
                    picked={search.label ?? []}
                  />
                </Suspense>
              ),
            }
      }
    />
  );
}
