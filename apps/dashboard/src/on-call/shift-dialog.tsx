import { Button, Group, Modal } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useAct } from '../api/use-act.js';
import { useCan } from '../app/session.js';
import { texts } from '../texts/texts.js';
import { ActorName } from '../ui/actor-name.js';
import { notifyDone, notifyFailed } from '../ui/notify.js';
import { useNow } from '../ui/now.js';
import { duration, exactTime } from '../ui/time.js';
import type { OpenDialog, Schedule } from './dialogs.js';
import { onCallReads } from './override-dialog.js';
import { draftOf, type ShiftSpan } from './spans.js';
import styles from './on-call.module.css';

export interface ShiftDialogProps {
  schedule: Schedule;
  span: ShiftSpan;
  zone: string;
  open: (dialog: OpenDialog | null) => void;
}

/** One shift: through what the member is on call, and what can be done about it. */
export function ShiftDialog({ schedule, span, zone, open }: ShiftDialogProps) {
  const can = useCan();
  const now = useNow();
  const isOver = span.end <= now;
  const override = schedule.overrides.find(({ id }) => id === span.overrideId);
  const layer = schedule.layers.find(({ id }) => id === span.layerId);
  const end = useAct('deleteScheduleOverride', {
    changes: onCallReads,
    onSuccess: () => {
      open(null);
      notifyDone(texts.onCall.shift.overrideEnded);
    },
    onError: (error) => notifyFailed(texts.onCall.shift.overrideEndFailed, error),
  });
  const rangeOf = (at: number): string => exactTime(new Date(at).toISOString(), zone);
  return (
    <Modal opened onClose={() => open(null)} title={<bdi>{span.name}</bdi>}>
      <dl className={styles.facts}>
        <dt>{texts.onCall.schedule}</dt>
        <dd>
          <Link to="/schedules/$id" params={{ id: schedule.id }}>
            <bdi>{schedule.name}</bdi>
          </Link>
        </dd>
        <dt>{texts.onCall.from}</dt>
        <dd>{rangeOf(span.start)}</dd>
        <dt>{texts.onCall.to}</dt>
        <dd>
          {rangeOf(span.end)} <span className={styles.hint}>({duration((span.end - span.start) / 1000)})</span>
        </dd>
        <dt>{texts.onCall.shift.why}</dt>
        <dd>
          <bdi>
            {span.overrideId === null
              ? texts.onCall.shift.layer(layer?.name ?? texts.onCall.shift.earlierLayer)
              : texts.onCall.shift.override}
          </bdi>
        </dd>
        {override && (
          <>
            <dt>{texts.onCall.shift.madeBy}</dt>
            <dd>
              <ActorName actor={override.createdBy} />
            </dd>
          </>
        )}
        {override?.reason && (
          <>
            <dt>{texts.onCall.reason}</dt>
            <dd>
              <bdi>{override.reason}</bdi>
            </dd>
          </>
        )}
      </dl>
      {isOver ? (
        <p className={styles.hint}>{texts.onCall.shift.over}</p>
      ) : (
        <Group justify="flex-end" mt="md">
          {override && can('deleteScheduleOverride') && (
            <Button
              variant="default"
              color="red"
              loading={end.isPending}
              onClick={() => end.mutate({ path: { id: schedule.id, overrideId: override.id } })}
            >
              {texts.onCall.shift.endOverride}
            </Button>
          )}
          {can('swapShifts') && (
            <Button variant="default" onClick={() => open({ kind: 'swap', schedule, span })}>
              {texts.onCall.swap.open}
            </Button>
          )}
          {can('createScheduleOverride') && (
            <Button
              data-autofocus
              onClick={() =>
                open({
                  kind: 'override',
                  schedule,
                  draft: {
                    ...draftOf(schedule.id, span, now),
                    replacesUserId: schedule.layerMode === 'all' ? span.userId : null,
                  },
                })
              }
            >
              {texts.onCall.override.open}
            </Button>
          )}
        </Group>
      )}
    </Modal>
  );
}
