/** What acts on the rows of the list: the keys, the bar of the selection, and the progress of a change of many. */
import { useShortcuts } from '../app/shortcuts.js';
import { texts } from '../texts/texts.js';
import type { ListControl } from '../ui/use-list.js';
import type { Filters } from './alert-filters.js';
import { BulkBar } from './bulk-bar.js';
import { BulkProgress } from './bulk-progress.js';
import type { BulkAction } from './bulk.js';
import { mayChange } from './may-change.js';
import type { Alert } from './patch-alerts.js';
import { useAlertRights, useChangeAlert } from './use-alert-acts.js';
import { useAssignAndNote } from './use-assign-and-note.js';
import { useBulk } from './use-bulk.js';
import { useSilence } from './use-silence.js';

export interface AlertListActsProps {
  control: ListControl;
  rows: readonly Alert[];
  total: number | undefined;
  filters: Filters;
  openId: string | undefined;
  onOpen: (id: string) => void;
  onExplain: (id: string) => void;
}

export function AlertListActs({ control, rows, total, filters, openId, onOpen, onExplain }: AlertListActsProps) {
  const { canChange, canSilence } = useAlertRights();
  const change = useChangeAlert();
  const silence = useSilence();
  const bulk = useBulk();
  const hasSelection = control.state.selected.size > 0;
  const one = rows.find(({ id }) => id === (openId ?? control.state.active));

  const act = (action: BulkAction): void => {
    if (!hasSelection) return void (one && change(action, one));
    const wanted = new Set(control.targets);
    const ids = rows.flatMap((row) => (wanted.has(row.id) && mayChange(action, row) ? [row.id] : []));
    control.clear();
    if (!bulk.isRunning) void bulk.start({ action }, { kind: 'ids', ids });
  };
  const more = useAssignAndNote(
    () => {
      if (!hasSelection) return one ? [one] : [];
      const wanted = new Set(control.targets);
      return bulk.isRunning ? [] : rows.filter(({ id }) => wanted.has(id));
    },
    {
      assign: (assigneeId, ids) => {
        control.clear();
        void bulk.start({ action: 'assign', assigneeId }, { kind: 'ids', ids });
      },
      each: (work, ids, send) => {
        control.clear();
        bulk.each(work, ids, send);
      },
    },
  );
  useShortcuts(texts.alerts.title, [
    ...more.acts,
    ...(canChange
      ? [
          { keys: 'a', label: texts.alerts.acknowledge, run: () => act('acknowledge') },
          { keys: 'r', label: texts.alerts.resolve, run: () => act('resolve') },
          { keys: 'u', label: texts.alerts.unacknowledge, run: () => one && void change('unacknowledge', one) },
        ]
      : []),
    ...(canSilence ? [{ keys: 's', label: texts.alerts.silence, run: () => one && silence(one) }] : []),
    { keys: 'e', label: texts.alerts.explain, run: () => one && onExplain(one.id) },
  ]);
  return (
    <>
      {bulk.progress !== null && (
        <BulkProgress
          progress={bulk.progress}
          titleOf={(id) => rows.find((row) => row.id === id)?.title ?? id}
          onOpen={onOpen}
          onDismiss={bulk.dismiss}
        />
      )}
      {canChange && hasSelection && (
        <BulkBar control={control} loaded={rows.length} total={total} filters={filters} bulk={bulk} more={more.acts} />
      )}
      {more.dialog}
    </>
  );
}
