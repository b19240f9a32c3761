import { useQueryClient } from '@tanstack/react-query';
import type { QueryInput } from '../api/operation-types.js';
import { list, rowsOf } from '../api/queries.js';
import { useCan } from '../app/session.js';
import { texts } from '../texts/texts.js';
import { FacetPage } from '../ui/facet-page.js';
import { ListEmpty } from '../ui/list-empty.js';
import { useNewRecord } from '../ui/new-record.js';
import { RecordList } from '../ui/record-list.js';
import type { ViewQuery } from '../ui/saved-views.js';
import { useIncidentColumns, IncidentPhoneRow } from './incident-columns.js';
import { filtersOf, incidentSorts, isFiltered, onlyFilters, type Filters } from './incident-filters.js';
import { IncidentListKeys } from './incident-list-keys.js';
import { incidentsRoute } from './incidents.routes.js';
import { NewIncident } from './new-incident.js';
import { useIncidentFacets } from './use-incident-facets.js';

type Search = ReturnType<typeof incidentsRoute.useSearch>;

/** The list of incidents with filters in the address. */
export function IncidentsPage() {
  const search = incidentsRoute.useSearch();
  const navigate = incidentsRoute.useNavigate();
  const queries = useQueryClient();
  const can = useCan();
  const columns = useIncidentColumns();
  const filters = filtersOf(search);
  const query = filters as QueryInput<'listIncidents'>;
  const facets = useIncidentFacets(query);

  const filter = (change: Partial<Search>): void =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  const openForm = (): void => void navigate({ search: (before) => ({ ...before, new: '-' }) });
  const closeForm = (): void => void navigate({ search: (before) => ({ ...before, new: undefined }), replace: true });
  const open = (id: string): void => {
    const rows = rowsOf(queries.getQueryData(list('listIncidents', query).queryKey));
    const number = rows.find((row) => row.id === id)?.number;
    void navigate({ to: '/incidents/$number', params: { number: String(number ?? id) } });
  };
  const create = useNewRecord(texts.incidents.title, {
    operation: 'createIncident',
    label: texts.newRecords.createIncident,
    to: openForm,
  });
  return (
    <>
      <FacetPage
        title={texts.incidents.title}
        views={{
          page: 'incidents',
          query: filters as ViewQuery,
          onOpen: (view) => filter(onlyFilters(view as Filters) as Partial<Search>),
        }}
        search={{ value: search.q, label: texts.incidents.search, onChange: (q) => filter({ q }) }}
        sort={{
          label: texts.incidents.sort,
          data: incidentSorts.map((value) => ({ value, label: texts.incidents.sorts[value] })),
          value: search.sort ?? '-createdAt',
          onChange: (sort) => filter({ sort: sort === '-createdAt' ? undefined : (sort as Search['sort']) }),
        }}
        actions={create}
        facets={{
          facets,
          onChange: (name, chosen) => filter({ [name]: chosen.length === 0 ? undefined : chosen } as Partial<Search>),
        }}
        list={
          <RecordList
            operation="listIncidents"
            label={texts.incidents.title}
            query={query}
            onOpen={open}
            columns={columns}
            phoneRow={(incident) => <IncidentPhoneRow incident={incident} />}
            empty={
              <ListEmpty
                title={texts.incidents.empty}
                hint={texts.incidents.emptyHint}
                action={create}
                clear={isFiltered(filters) ? () => filter(onlyFilters({}) as Partial<Search>) : undefined}
              />
            }
          >
            {(control, rows) => <IncidentListKeys control={control} rows={rows} />}
          </RecordList>
        }
      />
      {search.new !== undefined && can('createIncident') && (
        <NewIncident teamId={search.new === '-' ? null : search.new} onClose={closeForm} />
      )}
    </>
  );
}
