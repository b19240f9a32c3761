/** What can be done with a window: end it, make it longer, turn it on and off, delete it. */
import { useQueryClient } from '@tanstack/react-query';
import type { OperationId } from '../api/operation-types.js';
import { invalidate } from '../api/queries.js';
import { useAct } from '../api/use-act.js';
import { useZone } from '../app/zone.js';
import { texts } from '../texts/texts.js';
import { notifyDone, notifyFailed } from '../ui/notify.js';
import { shortTime } from '../ui/time.js';
import { endedNow, extendedBy, type WindowChange } from './window-changes.js';
import type { Occurrence } from './calendar.js';
import type { SuppressionWindow } from './window.js';

export const changedByWindow: readonly OperationId[] = [
  'listSuppressionWindows',
  'getSuppressionWindow',
  'getSuppressionOccurrences',
  'previewSuppressionWindow',
  'listAlerts',
  'getAlert',
];

const { detail: words } = texts.suppression;

export interface WindowActs {
  /** Null when it is not active. */
  end: (() => void) | null;
  /** Null for a window that repeats, or that has ended. */
  extend: ((seconds: number) => void) | null;
  turn: (isOn: boolean) => void;
  remove: () => void;
  isBusy: boolean;
}

export function useWindowActs(
  window: SuppressionWindow,
  current: Occurrence | undefined,
  onDeleted: () => void,
): WindowActs {
  const { id, name } = window;
  const zone = useZone();
  const queries = useQueryClient();
  const update = useAct('updateSuppressionWindow', {
    changes: changedByWindow,
    onError: (error) => notifyFailed(words.failed(name), error),
  });
  const remove = useAct('deleteSuppressionWindow', {
    onSuccess: () => {
      notifyDone(words.deleted(name));
      onDeleted();
      void invalidate(queries, changedByWindow);
    },
    onError: (error) => notifyFailed(words.failed(name), error),
  });
  const change = ({ body, undo }: WindowChange, said: string): void =>
    update.mutate(
      { path: { id }, body },
      { onSuccess: () => notifyDone(said, () => update.mutate({ path: { id }, body: undo })) },
    );
  return {
    end:
      window.status === 'active' && current !== undefined
        ? () => change(endedNow(window, current, Date.now()), words.ended(name))
        : null,
    extend:
      window.rrule === null && (window.status === 'active' || window.status === 'scheduled')
        ? (seconds) => {
            const changed = extendedBy(window, seconds);
            change(changed, words.extended(name, shortTime(changed.body.endsAt ?? '', zone, Date.now())));
          }
        : null,
    turn: (enabled) =>
      change(
        { body: { enabled }, undo: { enabled: !enabled } },
        enabled ? words.turnedOn(name) : words.turnedOff(name),
      ),
    remove: () => remove.mutate({ path: { id } }),
    isBusy: update.isPending || remove.isPending,
  };
}
