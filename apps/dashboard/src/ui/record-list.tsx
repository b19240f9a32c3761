/** A list of records of the API, from the request to the rows: loading, failed, empty, and new ones. */
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { list, rowsOf, totalOf } from '../api/queries.js';
import type { Input, Item, ListId, QueryInput } from '../api/operation-types.js';
import { clearNews, useNews } from '../live/news.js';
import { texts } from '../texts/texts.js';
import { DataList, type Column } from './data-list.js';
import { EmptyState } from './empty-state.js';
import { ErrorState } from './error-state.js';
import { RowsSkeleton } from './skeletons.js';
import { useList, type ListControl } from './use-list.js';

export interface RecordListProps<Id extends ListId> {
  operation: Id;
  label: string;
  query: Omit<QueryInput<Id>, 'cursor'>;
  path?: Input<Id> extends { path: infer Path } ? Path : never;
  columns: readonly Column<Item<Id>>[];
  phoneRow?: (row: Item<Id>) => ReactNode;
  onOpen: (id: string) => void;
  /** The row whose record is open beside the list. */
  openId?: string | undefined;
  nameOf?: (row: Item<Id>) => string;
  /** In place of rows, when there are none. */
  empty?: ReactNode;
  /** Above the rows: what acts on the selection. */
  children?: (control: ListControl, rows: Item<Id>[], total: number | undefined) => ReactNode;
}

export function RecordList<Id extends ListId>(props: RecordListProps<Id>) {
  const { operation, query, path, label, columns, phoneRow, onOpen, openId, nameOf, empty, children } = props;
  const queries = useQueryClient();
  const options = list(operation, query, path);
  const found = useInfiniteQuery(options);
  const rows = rowsOf(found.data) as (Item<Id> & { id: string })[];
  const control = useList(
    rows.map(({ id }) => id),
    onOpen,
  );
  const news = useNews(options.queryKey);
  const showNews = (): void => {
    clearNews(options.queryKey);
    void queries.invalidateQueries({ queryKey: options.queryKey });
  };
  if (found.isPending) return <RowsSkeleton rows={12} />;
  if (found.isError && rows.length === 0) return <ErrorState error={found.error} retry={() => void found.refetch()} />;
  return (
    <>
      {children?.(control, rows, totalOf(found.data))}
      <DataList
        label={label}
        rows={rows}
        columns={columns as readonly Column<Item<Id> & { id: string }>[]}
        phoneRow={phoneRow}
        control={control}
        onOpen={onOpen}
        openId={openId}
        nameOf={nameOf}
        total={totalOf(found.data)}
        loadMore={found.hasNextPage ? () => void found.fetchNextPage() : undefined}
        isLoadingMore={found.isFetchingNextPage}
        news={news}
        showNews={showNews}
        empty={empty ?? <EmptyState title={texts.ui.list.empty} />}
      />
    </>
  );
}
