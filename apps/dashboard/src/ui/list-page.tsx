/** The frame of a page with a list: title, button for a new record, search, filters, and what an empty list says. */
import type { ReactNode } from 'react';
import { ListEmpty } from './list-empty.js';
import { useNewRecord, type NewRecord } from './new-record.js';
import { PageHeader } from './page-header.js';
import { SearchField, type SearchFieldProps } from './search-field.js';
import styles from './list-page.module.css';

export interface ListPageProps {
  title: string;
  create: NewRecord;
  /** Further buttons, before that for a new record. */
  actions?: ReactNode;
  /** Before the search: a choice of views. */
  views?: ReactNode;
  /** Undefined while the view has no search. */
  search: SearchFieldProps | undefined;
  filters?: ReactNode;
  empty: { title: string; hint: string; filtered?: string; clear: (() => void) | undefined };
  children: (empty: ReactNode) => ReactNode;
}

export function ListPage({ title, create, actions, views, search, filters, empty, children }: ListPageProps) {
  const button = useNewRecord(title, create);
  return (
    <>
      <PageHeader
        title={title}
        actions={
          <>
            {actions}
            {button}
          </>
        }
        aside={
          <div className={styles.filters}>
            {views}
            {search && <SearchField {...search} />}
            {filters}
          </div>
        }
      />
      {children(<ListEmpty {...empty} action={button} />)}
    </>
  );
}
