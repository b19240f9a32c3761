import { Button } from '@mantine/core';
import { useState } from 'react';
import { texts } from '../texts/texts.js';
import { useConfirm } from '../ui/confirm.js';
import type { ListControl } from '../ui/use-list.js';
import type { Filters } from './alert-filters.js';
import type { BulkAction } from './bulk.js';
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
  /** What is done to each of the selected rows, but not to those that are not loaded. */
  more: AssignAndNote['acts'];
}

/** What acts on the selected rows; with all rows selected, also on those that are not loaded. */
export function BulkBar({ control, loaded, total, filters, bulk, more }: BulkBarProps) {
  const [isAll, setIsAll] = useState(false);
  const [ask, dialog] = useConfirm();
  const selected = control.state.selected.size;
  const all = total ?? loaded;
  const withAll = isAll && selected === loaded;
  const act = (action: BulkAction): void => {
    const target: BulkTarget = withAll
      ? { kind: 'filter', filters, total: all }
      : { kind: 'ids', ids: control.targets };
    const run = (): void => {
      control.clear();
      setIsAll(false);
      void bulk.start(action, target);
    };
    if (!withAll) return run();
    ask({ title: texts.alerts.bulk.ask(all), text: texts.alerts.bulk.askText, action: texts.alerts[action], run });
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
      <Button variant="subtle" color="gray" onClick={() => (setIsAll(false), control.clear())}>
        {texts.alerts.bulk.clear}
      </Button>
      {dialog}
    </div>
  );
}
