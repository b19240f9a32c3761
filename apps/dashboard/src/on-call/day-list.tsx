/** The calendar on a phone: for each day, who is on call in each schedule. */
import { Button } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { read } from '../api/queries.js';
import { useCan } from '../app/session.js';
import { texts } from '../texts/texts.js';
import { ErrorState } from '../ui/error-state.js';
import { useNow } from '../ui/now.js';
import { RowsSkeleton } from '../ui/skeletons.js';
import { dateOf, type Calendar } from './calendar.js';
import type { OpenDialog, Schedule } from './dialogs.js';
import { byDay, draftOf, keyOfSpan, spansOf, type CalendarSpan } from './spans.js';
import { useColours } from './use-colours.js';
import styles from './on-call.module.css';

export interface DayListProps {
  calendar: Calendar;
  schedules: readonly Schedule[];
  open: (dialog: OpenDialog) => void;
}

/** More would be too many requests for a phone; the filter by team shows the others. */
const shown = 12;

export function DayList({ calendar, schedules, open }: DayListProps) {
  const now = useNow();
  const [withPast, setWithPast] = useState(false);
  const query = { since: new Date(calendar.start).toISOString(), until: new Date(calendar.end).toISOString() };
  const some = schedules.slice(0, shown);
  const answers = useQueries({
    queries: some.map(({ id }) => read('getScheduleShifts', { path: { id }, query })),
  });
  const failed = answers.find(({ isError }) => isError);
  if (failed) return <ErrorState error={failed.error} retry={() => void failed.refetch()} />;
  if (answers.some(({ isPending }) => isPending)) return <RowsSkeleton />;
  const perSchedule = some.map((schedule, i) => {
    const data = answers[i]?.data;
    return { schedule, days: byDay(calendar.days, data ? spansOf(data, calendar) : []) };
  });
  const today = dateOf(calendar.zone, now);
  const over = calendar.days.filter(({ end }) => end <= now).length;
  // Of a period that is over as a whole, all is shown.
  const first = withPast || over === calendar.days.length ? 0 : over;
  const title = new Intl.DateTimeFormat('en-GB', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    timeZone: calendar.zone,
  });
  return (
    <div className={styles.dayList}>
      {schedules.length > shown && <p className={styles.hint}>{texts.onCall.onlySome(shown, schedules.length)}</p>}
      {first > 0 && (
        <Button variant="default" fullWidth onClick={() => setWithPast(true)}>
          {texts.onCall.showPast(first)}
        </Button>
      )}
      {calendar.days.map(
        (day, i) =>
          i >= first && (
            <section key={day.date} className={styles.dayBox} data-today={day.date === today || undefined}>
              <h2 className={styles.dayTitle}>
                {title.format(day.start)} {day.date === today && <span>{texts.onCall.today}</span>}
              </h2>
              {perSchedule.map(({ schedule, days }) => (
                <div key={schedule.id} className={styles.daySchedule}>
                  <h3>
                    <bdi>{schedule.name}</bdi>
                  </h3>
                  <ul>
                    {days[i]?.spans.map((span) => (
                      <li key={keyOfSpan(span)}>
                        <DaySpan schedule={schedule} span={span} day={day} zone={calendar.zone} open={open} />
                      </li>
                    ))}
                    {days[i]?.spans.length === 0 && <li className={styles.hint}>{texts.onCall.plannedGap}</li>}
                  </ul>
                </div>
              ))}
            </section>
          ),
      )}
    </div>
  );
}

interface DaySpanProps {
  schedule: Schedule;
  span: CalendarSpan;
  day: { start: number; end: number };
  zone: string;
  open: (dialog: OpenDialog) => void;
}

function DaySpan({ schedule, span, day, zone, open }: DaySpanProps) {
  const can = useCan();
  const colourOf = useColours();
  const now = useNow();
  const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: zone });
  const isWhole = span.start === day.start && span.end === day.end;
  const end = span.end === day.end ? '24:00' : clock.format(span.end);
  const times = isWhole ? texts.onCall.allDay : texts.onCall.span(clock.format(span.start), end);
  const isGap = span.kind === 'gap';
  const isNow = span.start <= now && now < span.end;
  const isUncovered = isGap && span.end > now; // what is over cannot be covered
  return (
    <button
      type="button"
      className={styles.daySpan}
      data-gap={isUncovered || undefined}
      data-past={span.end <= now || undefined}
      data-now={isNow || undefined}
      disabled={isGap && !(isUncovered && can('createScheduleOverride'))}
      onClick={() =>
        open(
          isGap
            ? { kind: 'override', schedule, draft: draftOf(schedule.id, span, now) }
            : { kind: 'shift', schedule, span },
        )
      }
    >
      <span className={styles.dot} data-colour={isGap ? undefined : colourOf(span.userId)} aria-hidden />
      <span className={styles.times}>{times}</span>
      <bdi>{isGap ? texts.onCall.gap : span.name}</bdi>
      {isNow && !isGap && <span className={styles.nowMark}>{texts.onCall.now}</span>}
      {isUncovered && can('createScheduleOverride') && <span className={styles.cover}>{texts.onCall.cover}</span>}
    </button>
  );
}
