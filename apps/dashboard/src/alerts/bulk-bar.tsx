import { Button } from '@mantine/core';
import { useState } from 'react';
import { texts } from '../texts/texts.js';
import { useConfirm } from '../ui/confirm.js';
import type { ListControl } from '../ui/use-list.js';
import type { Filters } from './alert-filters.js';
import { AssignDialog } from './assign-dialog.js';
import { assignedAtOnce, type BulkAction, type BulkChange } from './bulk.js';
import type { AssignAndNote } from './use-assign-and-note.js';
import type { Bulk, BulkTarget } from './use-bulk.js';
import styles from './alerts.module.css';

export interface BulkBarProps {
  control: ListControl;
  loaded: number;
  /** How many have the filters, loaded or not. */
  total: number | undefined;
  filters: Filters;
  bulk: Bulk;
  /** Further acts on the selected rows. Those that are not loaded can be assigned only. */
  more: AssignAndNote['acts'];
}

/** What acts on the selected rows; with all rows selected, also on those that are not loaded. */
export function BulkBar({ control, loaded, total, filters, bulk, more }: BulkBarProps) {
  const [isAll, setIsAll] = useState(false);
  const [ask, dialog] = useConfirm();
  const selected = control.state.selected.size;
  const all = total ?? loaded;
  const withAll = isAll && selected === loaded;
  const [isAssigning, setIsAssigning] = useState(false);
  const canAssign = more.some(({ id }) => id === 'assign');
  const run = (change: BulkChange): void => {
    const target: BulkTarget = withAll
      ? { kind: 'filter', filters, total: all }
      : { kind: 'ids', ids: control.targets };
    control.clear();
    setIsAll(false);
    void bulk.start(change, target);
  };
  const act = (action: BulkAction): void => {
    if (!withAll) return run({ action });
    const { ask: title, askText: text } = texts.alerts.bulk;
    ask({ title: title(all), text, action: texts.alerts[action], run: () => run({ action }) });
  };
  return (
    <div className={styles.bulk} role="region" aria-label={texts.alerts.bulk.title}>
      <strong>{withAll ? texts.alerts.bulk.allSelected(all) : texts.alerts.bulk.selected(selected)}</strong>
      {!withAll && selected === loaded && all > loaded && (
        <Button variant="subtle" onClick={() => setIsAll(true)}>
          {texts.alerts.bulk.all(all)}
        </Button>
      )}
      <span className={styles.space} />
      <Button disabled={bulk.isRunning} onClick={() => act('acknowledge')}>
        {texts.alerts.acknowledge}
      </Button>
      <Button variant="default" disabled={bulk.isRunning} onClick={() => act('resolve')}>
        {texts.alerts.resolve}
      </Button>
      {!withAll &&
        more.map(({ id, label, run }) => (
          <Button key={id} variant="default" disabled={bulk.isRunning} onClick={run}>
            {label}
          </Button>
        ))}
      {withAll && canAssign && all <= assignedAtOnce && (
        <Button variant="default" disabled={bulk.isRunning} onClick={() => setIsAssigning(true)}>
          {texts.alerts.assign}
        </Button>
      )}
      <Button variant="subtle" color="gray" onClick={() => (setIsAll(false), control.clear())}>
        {texts.alerts.bulk.clear}
      </Button>
      {dialog}
      {isAssigning && (
        <AssignDialog
          assigneeId={undefined}
          onClose={() => setIsAssigning(false)}
          send={async (assigneeId) => {
            run({ action: 'assign', assigneeId }); // it shows its progress, and what has failed
            return true;
          }}
        />
      )}
    </div>
  );
}
