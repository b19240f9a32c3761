/**
 * The list of every page: only the rows on the screen are in the document, so that 100,000 scroll like 10. Rows that
 * become known meanwhile wait behind a bar, unless nobody reads further down and nothing is selected.
 */
import { Checkbox } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import {
  memo,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useRef,
  type CSSProperties,
  type ReactNode,
  type RefObject,
} from 'react';
import { texts } from '../texts/texts.js';
import { allSelected, extended, toggled } from './list-selection.js';
import type { ListControl } from './use-list.js';
import styles from './data-list.module.css';

export interface Column<Row> {
  id: string;
  title: ReactNode;
  /** A width of CSS grid: `7rem`, `minmax(0, 1fr)`. */
  width: string;
  cell: (row: Row) => ReactNode;
}

export interface DataListProps<Row extends { id: string }> {
  label: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  /** A row on a phone, in place of the columns. */
  phoneRow?: (row: Row) => ReactNode;
  control: ListControl;
  onOpen: (id: string) => void;
  /** The row whose record is open beside the list. */
  openId?: string | undefined;
  /** The name of a row, for its checkbox. Without it rows cannot be selected. */
  nameOf?: (row: Row) => string;
  total?: number | undefined;
  loadMore?: (() => void) | undefined;
  isLoadingMore?: boolean;
  /** How many records are new, and what shows them. */
  news?: number;
  showNews?: () => void;
  /** In place of rows, when there are none. */
  empty: ReactNode;
}

const rowId = (id: string | null): string => `row-${id}`;

/** A shorter list is seen whole: it needs no word at its end. */
const longList = 50;

/** At the top of the list, new rows appear by themselves: the first at once, those of a storm together. */
const newsPauseMs = 1000;

/** As `measureElement` of the library, which would compute the layout again for each row that is added. */
function sizeOf(element: Element, entry: ResizeObserverEntry | undefined, list: Virtualizer<HTMLDivElement, Element>) {
  const size = entry?.borderBoxSize[0]?.blockSize;
  if (size !== undefined) return Math.round(size);
  const index = list.indexFromElement(element);
  return list.itemSizeCache.get(list.options.getItemKey(index)) ?? list.options.estimateSize(index);
}

/** Rows from the end at which the next page is asked for. */
const ahead = 20;

/** Rows that many events change are rendered in small parts: keys and the pointer are answered meanwhile. */
export const DataList = <Row extends { id: string }>(props: DataListProps<Row>): ReactNode => (
  <ShownList {...useDeferredValue(props)} />
);

function List<Row extends { id: string }>(props: DataListProps<Row>) {
  const { label, rows, columns, control, nameOf, loadMore, isLoadingMore = false, news = 0, showNews, empty } = props;
  const { state, change } = control;
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 37,
    getItemKey: (i) => rows[i]?.id ?? i,
    overscan: 8,
    measureElement: sizeOf,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  const more = useEffectEvent(() => loadMore?.());
  useEffect(() => {
    if (last >= rows.length - ahead && rows.length > 0 && !isLoadingMore) more();
  }, [last, rows.length, isLoadingMore]);

  const activeAt = state.active === null ? -1 : rows.findIndex(({ id }) => id === state.active);
  const showActive = useEffectEvent((at: number) => virtual.scrollToIndex(at));
  useEffect(() => {
    if (activeAt >= 0) showActive(activeAt);
  }, [activeAt]);

  const shownAt = useRef(-Infinity);
  const showAtTop = useEffectEvent(() => {
    const isReading = (scroller.current?.scrollTop ?? 0) > 8 || state.selected.size > 0 || state.active !== null;
    if (isReading) return;
    shownAt.current = performance.now();
    showNews?.();
  });
  useEffect(() => {
    if (news === 0) return undefined;
    const timer = setTimeout(showAtTop, shownAt.current + newsPauseMs - performance.now());
    return () => clearTimeout(timer);
  }, [news]);

  const ids = rows.map(({ id }) => id);
  const idsNow = useRef(ids);
  useEffect(() => {
    idsNow.current = ids;
  });
  const template = [...(nameOf ? ['2rem'] : []), ...columns.map(({ width }) => width)].join(' ');
  if (rows.length === 0) return empty;
  return (
    <div className={styles.list} style={{ '--columns': template } as CSSProperties}>
      <div className={styles.bar} role="status">
        {state.selected.size > 0 && <span>{texts.ui.list.selected(state.selected.size)}</span>}
        {props.total !== undefined && <span>{texts.ui.list.total(rows.length, props.total)}</span>}
        {news > 0 && (
          <button
            type="button"
            className={styles.news}
            onClick={() => {
              scroller.current?.scrollTo({ top: 0 });
              showNews?.();
            }}
          >
            {texts.ui.list.news(news)}
          </button>
        )}
      </div>
      <div
        ref={scroller}
        className={styles.scroller}
        role="grid"
        aria-label={label}
        aria-rowcount={props.total ?? -1}
        aria-activedescendant={activeAt < 0 ? undefined : rowId(state.active)}
        tabIndex={0}
        onKeyDown={({ key, target, currentTarget }) => {
          if (key === 'Enter' && target === currentTarget && state.active !== null) props.onOpen(state.active);
        }}
      >
        <div className={styles.head} role="row">
          {nameOf && (
            <span role="columnheader">
              <Checkbox
                size="xs"
                aria-label={texts.ui.list.selectRow(label)}
                checked={state.selected.size === rows.length}
                indeterminate={state.selected.size > 0 && state.selected.size < rows.length}
                onChange={() => change((before) => allSelected(before, ids))}
              />
            </span>
          )}
          {columns.map(({ id, title }) => (
            <span key={id} role="columnheader">
              {title}
            </span>
          ))}
        </div>
        <div role="rowgroup" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {items.map(({ index, start, key }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <RowOf
                key={key}
                row={row}
                ids={idsNow}
                index={index}
                start={start}
                measure={virtual.measureElement}
                isActive={state.active === row.id}
                isSelected={state.selected.has(row.id)}
                isOpen={props.openId === row.id}
                change={change}
                columns={columns}
                phoneRow={isPhone ? props.phoneRow : undefined}
                nameOf={nameOf}
                onOpen={props.onOpen}
              />
            );
          })}
        </div>
        <div className={styles.end}>
          {isLoadingMore ? texts.ui.list.more : loadMore || rows.length < longList ? '' : texts.ui.list.end}
        </div>
      </div>
    </div>
  );
}

interface RowProps<Row extends { id: string }> extends Pick<
  DataListProps<Row>,
  'columns' | 'phoneRow' | 'nameOf' | 'onOpen'
> {
  row: Row;
  /** Of all rows, in their order. */
  ids: Readonly<RefObject<readonly string[]>>;
  index: number;
  /** Pixels from the first row. */
  start: number;
  measure: (element: HTMLElement | null) => void;
  isActive: boolean;
  isSelected: boolean;
  isOpen: boolean;
  change: ListControl['change'];
}

function Row<One extends { id: string }>({
  row,
  ids,
  index,
  start,
  measure,
  isActive,
  isSelected,
  isOpen,
  change,
  columns,
  phoneRow,
  nameOf,
  onOpen,
}: RowProps<One>) {
  return (
    <div
      ref={measure}
      data-index={index}
      className={styles.row}
      style={{ transform: `translateY(${start}px)` }}
      role="row"
      id={rowId(row.id)}
      aria-current={isOpen || undefined}
      aria-rowindex={index + 2}
      aria-selected={nameOf ? isSelected : undefined}
      data-active={isActive || undefined}
      data-phone={phoneRow !== undefined || undefined}
      onClick={({ target }) => {
        if (!(target as HTMLElement).closest('a, button, input, label')) onOpen(row.id);
      }}
    >
      {nameOf && (
        <span role="gridcell" className={styles.check}>
          <Checkbox
            size="xs"
            aria-label={texts.ui.list.selectRow(nameOf(row))}
            checked={isSelected}
            onChange={() => undefined}
            onClick={({ shiftKey }) =>
              change((before) => (shiftKey ? extended(before, ids.current, row.id) : toggled(before, row.id)))
            }
          />
        </span>
      )}
      {phoneRow === undefined &&
        columns.map(({ id, cell }) => (
          <span key={id} role="gridcell" className={styles.cell}>
            {cell(row)}
          </span>
        ))}
      {phoneRow && (
        <span role="gridcell" className={styles.phone}>
          {phoneRow(row)}
        </span>
      )}
    </div>
  );
}

/** While the list scrolls, only rows that come into sight are rendered. */
const RowOf = memo(Row) as typeof Row;
const ShownList = memo(List) as typeof List;
