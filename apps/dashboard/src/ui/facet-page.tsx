/** The frame of a page with a list that is filtered by facets: saved views, search, order, and an open record beside it. */
import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import { DetailPanel, type DetailPanelProps } from './detail-panel.js';
import { FacetsBar, type FacetsBarProps } from './facets-bar.js';
import { PageHeader } from './page-header.js';
import { SavedViews, type SavedViewsProps } from './saved-views.js';
import { SearchField, type SearchFieldProps } from './search-field.js';
import styles from './facet-page.module.css';

export interface FacetPageProps {
  title: string;
  views: SavedViewsProps;
  search: SearchFieldProps;
  sort: { label: string; value: string; data: { value: string; label: string }[]; onChange: (sort: string) => void };
  /** Buttons, at the right. */
  actions?: ReactNode;
  facets: FacetsBarProps;
  list: ReactNode;
  /** The open record; on a small screen it takes the place of the list. */
  panel?: DetailPanelProps | undefined;
}

export const FacetPage = ({ title, views, search, sort, actions, facets, list, panel }: FacetPageProps) => {
  const isOpen = panel !== undefined || undefined;
  return (
    <>
      <PageHeader
        title={title}
        aside={
          <div className={styles.controls} data-open={isOpen}>
            <SavedViews {...views} />
          </div>
        }
        actions={
          <div className={styles.controls} data-open={isOpen}>
            <div className={styles.search}>
              <SearchField {...search} />
            </div>
            <Select
              size="xs"
              aria-label={sort.label}
              className={styles.sort}
              allowDeselect={false}
              data={sort.data}
              value={sort.value}
              onChange={(next) => next !== null && sort.onChange(next)}
            />
            {actions}
          </div>
        }
      />
      <div className={styles.body} data-open={isOpen}>
        <FacetsBar {...facets} />
        <div className={styles.list}>{list}</div>
        {panel && <DetailPanel {...panel} />}
      </div>
    </>
  );
};
