/** Schedules as rows over time: who is on call now, and then. */
import { ActionIcon, Menu, Skeleton } from '@mantine/core';
import { useIntersection } from '@mantine/hooks';
import { DotsVerticalIcon, TriangleDownIcon, TriangleRightIcon } from '@radix-ui/react-icons';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { Item } from '../api/operation-types.js';
import { read } from '../api/queries.js';
import { useCan } from '../app/session.js';
import { texts } from '../texts/texts.js';
import { errorText } from '../ui/error-state.js';
import { useNow } from '../ui/now.js';
import { shortTime } from '../ui/time.js';
import { dateOf, type Calendar, type View } from './calendar.js';
import type { OpenDialog, Schedule } from './dialogs.js';
import { draftOf, rowsOf, spansOf, type CalendarSpan } from './spans.js';
import { NowLine, placed, Track } from './track.js';
import styles from './timeline.module.css';

export type Current = Item<'getCurrentOnCall'>;

export interface TimelineProps {
  view: View;
  calendar: Calendar;
  schedules: readonly Schedule[];
  currents: ReadonlyMap<string, Current>;
  /** The schedule on which the keyboard is. */
  active: string | null;
  open: (dialog: OpenDialog) => void;
}

export const Timeline = ({ view, calendar, schedules, currents, active, open }: TimelineProps) => (
  <div className={styles.timeline} data-view={view}>
    <Axis calendar={calendar} view={view} />
    {schedules.map((schedule) => (
      <TimelineRow
        key={schedule.id}
        schedule={schedule}
        current={currents.get(schedule.id)}
        calendar={calendar}
        isActive={schedule.id === active}
        open={open}
      />
    ))}
  </div>
);

export function Axis({ calendar, view, head }: { calendar: Calendar; view: View; head?: string }) {
  const today = dateOf(calendar.zone, useNow());
  const weekday = new Intl.DateTimeFormat('en-GB', {
    weekday: view === 'month' ? 'narrow' : 'short',
    timeZone: calendar.zone,
  });
  return (
    <div className={styles.axis} aria-hidden>
      <div className={styles.axisHead}>{head ?? texts.onCall.schedule}</div>
      <div className={styles.axisDays}>
        {calendar.days.map((day) => (
          <div
            key={day.date}
            className={styles.day}
            data-today={day.date === today || undefined}
            style={placed(day, calendar)}
          >
            <span>{weekday.format(day.start)}</span>
            <b>{Number(day.date.slice(8))}</b>
          </div>
        ))}
        <NowLine calendar={calendar} />
      </div>
    </div>
  );
}

interface RowProps {
  schedule: Schedule;
  current: Current | undefined;
  calendar: Calendar;
  isActive: boolean;
  open: (dialog: OpenDialog) => void;
}

function TimelineRow({ schedule, current, calendar, isActive, open }: RowProps) {
  const [withLayers, setWithLayers] = useState(false);
  const row = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isActive) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  return (
    <section ref={row} className={styles.row} data-active={isActive || undefined} aria-label={schedule.name}>
      <div className={styles.head}>
        <ActionIcon
          size="sm"
          aria-expanded={withLayers}
          aria-label={texts.onCall.layersOf(schedule.name)}
          onClick={() => setWithLayers(!withLayers)}
        >
          {withLayers ? <TriangleDownIcon aria-hidden /> : <TriangleRightIcon aria-hidden />}
        </ActionIcon>
        <div className={styles.headText}>
          <Link to="/schedules/$id" params={{ id: schedule.id }} className={styles.name} title={schedule.name}>
            <bdi>{schedule.name}</bdi>
          </Link>
          {current && <Now current={current} zone={calendar.zone} />}
        </div>
        <RowMenu schedule={schedule} open={open} />
      </div>
      <Tracks schedule={schedule} calendar={calendar} withLayers={withLayers} open={open} />
    </section>
  );
}

/** Who is on call, until when, and who is next. */
export function Now({ current, zone }: { current: Current; zone: string }) {
  const now = useNow();
  const { users, endsAt, next, isPlannedGap } = current;
  const names = users.map(({ name }) => name).join(', ');
  const nobody = isPlannedGap ? texts.onCall.plannedGap : texts.onCall.gapNow;
  const until = endsAt === null ? null : shortTime(endsAt, zone, now);
  return (
    <>
      <span className={styles.who} data-gap={(users.length === 0 && !isPlannedGap) || undefined} title={names}>
        <bdi>{names || nobody}</bdi>
      </span>
      {until !== null && (
        <span className={styles.then}>
          <bdi>
            {texts.onCall.untilThen(
              until,
              next?.startsAt === endsAt ? next.users.map(({ name }) => name).join(', ') : null,
            )}
          </bdi>
        </span>
      )}
    </>
  );
}

function RowMenu({ schedule, open }: { schedule: Schedule; open: (dialog: OpenDialog) => void }) {
  const can = useCan();
  const now = useNow();
  if (!can('createScheduleOverride')) return null;
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon size="sm" aria-label={texts.onCall.actionsOf(schedule.name)}>
          <DotsVerticalIcon aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => open({ kind: 'override', schedule, draft: draftOf(schedule.id, null, now) })}>
          {texts.onCall.override.open}
        </Menu.Item>
        <Menu.Item onClick={() => open({ kind: 'feed', schedule })}>{texts.onCall.feed.open}</Menu.Item>
        <Menu.Item component={Link} to="/schedules/$id" params={{ id: schedule.id } as never}>
          {texts.onCall.editLayers}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

interface TracksProps {
  schedule: Schedule;
  calendar: Calendar;
  withLayers: boolean;
  open: (dialog: OpenDialog) => void;
}

/** The shifts are read when the row comes near the screen. */
function Tracks({ schedule, calendar, withLayers, open }: TracksProps) {
  const can = useCan();
  const now = useNow();
  const { ref, entry } = useIntersection({ rootMargin: '300px' });
  const [wasSeen, setWasSeen] = useState(false);
  if (entry?.isIntersecting && !wasSeen) setWasSeen(true);
  const query = { since: new Date(calendar.start).toISOString(), until: new Date(calendar.end).toISOString() };
  const shifts = useQuery({ ...read('getScheduleShifts', { path: { id: schedule.id }, query }), enabled: wasSeen });
  const mayOverride = can('createScheduleOverride');
  const draw = (span: { start: number; end: number }): void =>
    open({ kind: 'override', schedule, draft: draftOf(schedule.id, span, now) });
  const openSpan = (span: CalendarSpan): void => {
    if (span.kind === 'shift') open({ kind: 'shift', schedule, span });
    else if (mayOverride) draw(span);
  };
  if (!shifts.data) {
    return (
      <div ref={ref} className={styles.skeleton}>
        {shifts.isError ? <p role="alert">{errorText(shifts.error)}</p> : <Skeleton height={24} />}
      </div>
    );
  }
  const rows = rowsOf(schedule, spansOf(shifts.data, calendar), withLayers);
  return (
    <div ref={ref} className={styles.tracks}>
      {rows.map((row) => {
        const title = row.isOverrides ? texts.onCall.overrides : row.title;
        const track = (
          <Track
            label={title === null ? texts.onCall.shiftsOf(schedule.name) : title}
            row={row}
            calendar={calendar}
            onDrawn={mayOverride ? draw : null}
            onOpen={openSpan}
          />
        );
        if (title === null) return <div key={row.key}>{track}</div>;
        return (
          <div key={row.key} className={styles.layered}>
            <span className={styles.layerName}>
              <bdi>{title}</bdi>
            </span>
            {track}
          </div>
        );
      })}
    </div>
  );
}
