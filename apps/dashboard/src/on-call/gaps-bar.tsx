/** Schedules on which nobody is on call now, each with what to do about it. */
import { Button } from '@mantine/core';
import { ExclamationTriangleIcon } from '@radix-ui/react-icons';
import { Link } from '@tanstack/react-router';
import { useCan } from '../app/session.js';
import { texts } from '../texts/texts.js';
import { useNow } from '../ui/now.js';
import { shortTime } from '../ui/time.js';
import type { OpenDialog, Schedule } from './dialogs.js';
import { draftOf } from './spans.js';
import type { Current } from './timeline.js';
import styles from './on-call.module.css';

export interface GapsBarProps {
  schedules: readonly Schedule[];
  currents: ReadonlyMap<string, Current>;
  zone: string;
  open: (dialog: OpenDialog) => void;
}

export function GapsBar({ schedules, currents, zone, open }: GapsBarProps) {
  const can = useCan();
  const now = useNow();
  const gaps = schedules.flatMap((schedule) => {
    const current = currents.get(schedule.id);
    return current?.isGap && !current.isPlannedGap ? [{ schedule, endsAt: current.endsAt }] : [];
  });
  if (gaps.length === 0) return null;
  return (
    <ul className={styles.gaps} aria-label={texts.onCall.gaps}>
      {gaps.map(({ schedule, endsAt }) => {
        const end = endsAt === null ? null : Date.parse(endsAt);
        return (
          <li key={schedule.id}>
            <ExclamationTriangleIcon aria-hidden />
            <span>
              <bdi>{texts.onCall.gapOf(schedule.name, endsAt === null ? null : shortTime(endsAt, zone, now))}</bdi>
            </span>
            {schedule.layers.every(({ members }) => members.length === 0) ? (
              <Button
                component={Link}
                to="/schedules/$id"
                params={{ id: schedule.id } as never}
                variant="white"
                color="red"
              >
                {texts.onCall.addMembers}
              </Button>
            ) : (
              can('createScheduleOverride') && (
                <Button
                  variant="white"
                  color="red"
                  onClick={() =>
                    open({
                      kind: 'override',
                      schedule,
                      draft: draftOf(schedule.id, end === null ? null : { start: now, end }, now),
                    })
                  }
                >
                  {texts.onCall.cover}
                </Button>
              )
            )}
          </li>
        );
      })}
    </ul>
  );
}
