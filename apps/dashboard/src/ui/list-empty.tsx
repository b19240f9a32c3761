import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../texts/texts.js';
import { EmptyState } from './empty-state.js';

export interface ListEmptyProps {
  /** What is said when nothing exists yet, and the first step. */
  title: string;
  hint?: ReactNode;
  action?: ReactNode;
  /** What is said when nothing has the filters. */
  filtered?: string;
  /** Takes the filters away; undefined without filters. */
  clear?: (() => void) | undefined;
}

/** A list without rows: nothing exists yet, or nothing has the filters. */
export const ListEmpty = ({ title, hint, action, filtered = texts.ui.list.emptyFiltered, clear }: ListEmptyProps) =>
  clear === undefined ? (
    <EmptyState title={title} hint={hint} action={action} />
  ) : (
    <EmptyState
      title={filtered}
      action={
        <Button variant="default" onClick={clear}>
          {texts.ui.list.clearFilters}
        </Button>
      }
    />
  );
