import { Chip, SegmentedControl } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { QueryInput } from '../api/operation-types.js';
import { list, rowsOf } from '../api/queries.js';
import { useZone } from '../app/zone.js';
import { texts } from '../texts/texts.js';
import { ListPage } from '../ui/list-page.js';
import { useNow } from '../ui/now.js';
import { RecordList } from '../ui/record-list.js';
import { useRecordNames } from '../ui/record-names.js';
import { suppressionRoute, windowStatuses } from './suppression.routes.js';
import { WindowCalendar } from './window-calendar.js';
import { WindowDrawer } from './window-drawer.js';
import type { SuppressionWindow } from './window.js';
import { WindowStatus } from './window-status.js';
import { whatText, whenText } from './words.js';
import ruleStyles from '../ui/rule.module.css';
import styles from './suppression.module.css';
import { numberText } from '../texts/numbers.js';

const words = texts.suppression;
type View = 'list' | 'week' | 'month';

export function SuppressionPage() {
  const { view = 'list', at, q, status, window: opened } = suppressionRoute.useSearch();
  const navigate = suppressionRoute.useNavigate();
  const change = (changed: object): void =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true });
  const open = (id: string | undefined): void => void navigate({ search: (before) => ({ ...before, window: id }) });
  const isFiltered = q !== undefined || status !== undefined;
  return (
    <>
      <ListPage
        title={words.title}
        create={{
          operation: 'createSuppressionWindow',
          label: texts.newRecords.createSuppressionWindow,
          to: '/suppression/new',
        }}
        views={
          <SegmentedControl
            size="xs"
            aria-label={words.view}
            value={view}
            data={(['list', 'week', 'month'] as const).map((value) => ({ value, label: words.views[value] }))}
            onChange={(next) => change({ view: (next as View) === 'list' ? undefined : next, at: undefined })}
          />
        }
        search={
          view === 'list' ? { label: words.search, value: q, onChange: (next) => change({ q: next }) } : undefined
        }
        filters={
          view === 'list' && (
            <div className={ruleStyles.chips} role="group" aria-label={words.status}>
              {windowStatuses.map((one) => (
                <Chip
                  key={one}
                  size="xs"
                  checked={status?.includes(one) ?? false}
                  onChange={(isOn) => {
                    const next = windowStatuses.filter((each) => (each === one ? isOn : status?.includes(each)));
                    change({ status: next.length === 0 ? undefined : next });
                  }}
                >
                  {words.statuses[one]}
                </Chip>
              ))}
            </div>
          )
        }
        empty={{
          title: words.empty,
          hint: words.emptyHint,
          filtered: words.emptyFiltered,
          clear: isFiltered ? () => change({ q: undefined, status: undefined }) : undefined,
        }}
      >
        {(empty) =>
          view === 'list' ? (
            <WindowList query={{ q, status } as QueryInput<'listSuppressionWindows'>} onOpen={open} empty={empty} />
          ) : (
            <WindowCalendar span={view} at={at} onMove={(next) => change({ at: next })} onOpen={open} />
          )
        }
      </ListPage>
      <WindowDrawer id={opened} onClose={() => open(undefined)} />
    </>
  );
}

interface WindowListProps {
  query: QueryInput<'listSuppressionWindows'>;
  onOpen: (id: string) => void;
  empty: ReactNode;
}

function WindowList({ query, onOpen, empty }: WindowListProps) {
  const rows = rowsOf(useInfiniteQuery(list('listSuppressionWindows', query)).data);
  const clientIds = [...new Set(rows.flatMap(({ clientIds: some }) => some))];
  const nameOf = useRecordNames(['integration', 'member'], clientIds);
  const zone = useZone();
  const now = useNow();
  const rule = (one: SuppressionWindow) => (
    <span className={ruleStyles.name}>
      <bdi className={styles.strong}>{one.name}</bdi>
      <span className={ruleStyles.text}>{whatText(one, nameOf)}</span>
    </span>
  );
  return (
    <RecordList
      operation="listSuppressionWindows"
      label={words.title}
      query={query}
      onOpen={onOpen}
      empty={empty}
      phoneRow={(one) => (
        <span className={ruleStyles.name}>
          <span className={styles.state}>
            <bdi className={styles.strong}>{one.name}</bdi> <WindowStatus status={one.status} />
          </span>
          <span className={ruleStyles.text}>{whenText(one, zone, now)}</span>
          <span className={ruleStyles.text}>{whatText(one, nameOf)}</span>
        </span>
      )}
      columns={[
        { id: 'status', title: words.status, width: '6.5rem', cell: ({ status }) => <WindowStatus status={status} /> },
        { id: 'name', title: words.hides, width: 'minmax(0, 1.4fr)', cell: rule },
        {
          id: 'when',
          title: words.form.when,
          width: 'minmax(0, 1fr)',
          cell: (one) => <span className={ruleStyles.text}>{whenText(one, zone, now)}</span>,
        },
        {
          id: 'count',
          title: words.count,
          width: '5rem',
          cell: ({ suppressedCount }) => numberText(suppressedCount),
        },
      ]}
    />
  );
}
