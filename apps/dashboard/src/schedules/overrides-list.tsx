import { Button } from '@mantine/core';
import { useState } from 'react';
import { useAct } from '../api/use-act.js';
import { useCan } from '../app/session.js';
import { Dialogs, type OpenDialog, type Schedule } from '../on-call/dialogs.js';
import { onCallReads } from '../on-call/override-dialog.js';
import { draftOf } from '../on-call/spans.js';
import { texts } from '../texts/texts.js';
import { MemberName } from '../ui/member-name.js';
import { notifyDone, notifyFailed } from '../ui/notify.js';
import { useNow } from '../ui/now.js';
import { shortTime, spanTexts } from '../ui/time.js';
import styles from './schedules.module.css';

/** The overrides that have not ended, and the edits that are planned. */
export function OverridesList({ schedule, zone }: { schedule: Schedule; zone: string }) {
  const can = useCan();
  const now = useNow();
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const { id } = schedule;
  const create = useAct('createScheduleOverride', {
    changes: onCallReads,
    onError: (error) => notifyFailed(texts.schedules.undoFailed, error),
  });
  const end = useAct('deleteScheduleOverride', {
    changes: onCallReads,
    onSuccess: (_, { path: { overrideId } }) => {
      const override = schedule.overrides.find((each) => each.id === overrideId);
      notifyDone(
        texts.onCall.shift.overrideEnded,
        override &&
          (() => {
            const { userId, replacesUserId, startsAt, endsAt, reason } = override;
            create.mutate({ path: { id }, body: { userId, replacesUserId, startsAt, endsAt, reason } });
          }),
      );
    },
    onError: (error) => notifyFailed(texts.onCall.shift.overrideEndFailed, error),
  });
  const textOf = (at: string): string => shortTime(at, zone, now);
  return (
    <section aria-labelledby="overrides" className={styles.box}>
      <div className={styles.line}>
        <h2 id="overrides" className={styles.section}>
          {texts.onCall.overrides}
        </h2>
        {can('createScheduleOverride') && (
          <Button
            variant="default"
            onClick={() => setDialog({ kind: 'override', schedule, draft: draftOf(id, null, now) })}
          >
            {texts.onCall.override.open}
          </Button>
        )}
      </div>
      {schedule.overrides.length === 0 && <p className={styles.hint}>{texts.schedules.noOverrides}</p>}
      <ul className={styles.plain}>
        {schedule.overrides.map((override) => (
          <li key={override.id} className={styles.override}>
            <span className={styles.grow}>
              <MemberName id={override.userId} />
              {override.replacesUserId !== null && (
                <>
                  {' '}
                  {texts.schedules.insteadOf} <MemberName id={override.replacesUserId} />
                </>
              )}
              <span className={styles.hint}>
                {' '}
                {texts.onCall.span(...spanTexts(override.startsAt, override.endsAt, zone, now))}
                {override.reason && (
                  <>
                    {' · '}
                    <bdi>{override.reason}</bdi>
                  </>
                )}
              </span>
            </span>
            {can('deleteScheduleOverride') && (
              <Button
                variant="subtle"
                size="compact-xs"
                color="red"
                onClick={() => end.mutate({ path: { id, overrideId: override.id } })}
              >
                {texts.onCall.shift.endOverride}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {schedule.planned.length > 0 && (
        <>
          <h3 className={styles.legend}>{texts.schedules.planned}</h3>
          <ul className={styles.plain}>
            {schedule.planned.map(({ effectiveFrom, layers }) => (
              <li key={effectiveFrom}>{texts.schedules.plannedEdit(textOf(effectiveFrom), layers.length)}</li>
            ))}
          </ul>
        </>
      )}
      <Dialogs dialog={dialog} open={setDialog} zone={zone} />
    </section>
  );
}
