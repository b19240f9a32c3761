/** When windows are active: a week as rows, a month as days, and on a phone the days that have some. */
import { ActionIcon, Button } from '@mantine/core';
import { ChevronLeftIcon, ChevronRightIcon } from '@radix-ui/react-icons';
import { useQuery } from '@tanstack/react-query';
import type { CSSProperties } from 'react';
import { all, read } from '../api/queries.js';
import { useZone } from '../app/zone.js';
import { texts } from '../texts/texts.js';
import { EmptyState } from '../ui/empty-state.js';
import { ErrorState } from '../ui/error-state.js';
import { useNow } from '../ui/now.js';
import { RowsSkeleton } from '../ui/skeletons.js';
import { exactTime } from '../ui/time.js';
import {
  calendarOf,
  dateOf,
  lanesOf,
  onDay,
  placeOf,
  type Calendar,
  type Day,
  type Occurrence,
  type Span,
} from './calendar.js';
import ruleStyles from '../ui/rule.module.css';
import styles from './suppression.module.css';

const { calendar: words } = texts.suppression;

export interface WindowCalendarProps {
  span: Span;
  at: string | undefined;
  onMove: (at: string | undefined) => void;
  onOpen: (id: string) => void;
}

interface Named extends Occurrence {
  name: string;
}

export function WindowCalendar({ span, at, onMove, onOpen }: WindowCalendarProps) {
  const zone = useZone();
  const now = useNow();
  const calendar = calendarOf(span, at, now, zone);
  const since = new Date(calendar.days[0]?.from ?? now).toISOString();
  const until = new Date(calendar.days.at(-1)?.before ?? now).toISOString();
  const found = useQuery(read('getSuppressionOccurrences', { query: { since, until } }));
  const windows = useQuery(all('listSuppressionWindows', { status: ['!disabled'] } as never));
  const names = new Map(windows.data?.map(({ id, name }) => [id, name]));
  const occurrences = (found.data?.occurrences ?? []).map((one) => ({
    ...one,
    name: names.get(one.windowId) ?? (windows.isPending ? texts.ui.loading : texts.ui.unknown),
  }));
  const today = dateOf(now, zone);
  const View = span === 'week' ? Week : Month;
  return (
    <div className={styles.calendar}>
      <div className={styles.calendarHead}>
        <ActionIcon aria-label={words.previous} onClick={() => onMove(calendar.previous)}>
          <ChevronLeftIcon aria-hidden />
        </ActionIcon>
        <ActionIcon aria-label={words.following} onClick={() => onMove(calendar.following)}>
          <ChevronRightIcon aria-hidden />
        </ActionIcon>
        <Button variant="default" size="compact-sm" onClick={() => onMove(undefined)}>
          {words.today}
        </Button>
        <h2>{titleOf(span, calendar)}</h2>
        <span className={ruleStyles.hint}>{zone}</span>
      </div>
      {found.isPending ? (
        <RowsSkeleton rows={6} />
      ) : found.isError ? (
        <ErrorState error={found.error} retry={() => void found.refetch()} />
      ) : occurrences.length === 0 ? (
        <EmptyState title={words.none} hint={words.noneHint} />
      ) : (
        <>
          {found.data.hasMore && <p className={ruleStyles.hint}>{words.hasMore}</p>}
          <div className={styles.wide}>
            <View days={calendar.days} occurrences={occurrences} {...{ calendar, today, zone, now, onOpen }} />
          </div>
          <div className={styles.narrow}>
            <Agenda days={calendar.days} occurrences={occurrences} {...{ calendar, today, zone, now, onOpen }} />
          </div>
        </>
      )}
    </div>
  );
}

interface ViewProps {
  calendar: Calendar;
  days: Day[];
  occurrences: Named[];
  today: string;
  zone: string;
  now: number;
  onOpen: (id: string) => void;
}

function Week({ days, occurrences, today, zone, now, onOpen }: ViewProps) {
  const nowAt = placeOf(now, days);
  return (
    <div className={styles.week}>
      <div className={styles.weekHead} aria-hidden>
        <span />
        <div className={styles.weekDays}>
          {days.map(({ date }) => (
            <span key={date} data-today={date === today || undefined}>
              {format(date, { weekday: 'short', day: 'numeric' })}
            </span>
          ))}
        </div>
      </div>
      {lanesOf(occurrences).map(({ windowId, occurrences: own }) => (
        <div key={windowId} className={styles.lane}>
          <button type="button" className={styles.laneName} onClick={() => onOpen(windowId)}>
            <bdi>{own[0]?.name}</bdi>
          </button>
          <div className={styles.track}>
            {nowAt > 0 && nowAt < 1 && <span className={styles.now} style={{ left: `${nowAt * 100}%` }} />}
            {own.map((one) => {
              const from = placeOf(Date.parse(one.startsAt), days);
              const width = placeOf(Date.parse(one.endsAt), days) - from;
              return (
                <button
                  key={one.startsAt}
                  type="button"
                  className={styles.bar}
                  data-active={isActive(one, now) || undefined}
                  style={{ left: `${from * 100}%`, width: `${width * 100}%` } as CSSProperties}
                  title={labelOf(one, zone)}
                  aria-label={labelOf(one, zone)}
                  onClick={() => onOpen(windowId)}
                >
                  {width > 0.07 && clock(one.startsAt, zone)}
                </button>
              );
            })}
          </div>
        </div>
      ))}
    </div>
  );
}

const shownOnDay = 4;

function Month({ days, calendar, occurrences, today, zone, now, onOpen }: ViewProps) {
  return (
    <ol className={styles.month}>
      {days.map((day) => {
        const own = onDay(occurrences, day);
        const isOther = day.date < calendar.first || day.date > calendar.last;
        return (
          <li
            key={day.date}
            className={styles.monthDay}
            data-other={isOther || undefined}
            data-today={day.date === today || undefined}
          >
            <span className={styles.date}>{format(day.date, { weekday: 'short', day: 'numeric' })}</span>
            {own.slice(0, shownOnDay).map((one) => (
              <Entry key={one.windowId + one.startsAt} {...{ one, day, zone, now, onOpen }} />
            ))}
            {own.length > shownOnDay && <span className={ruleStyles.hint}>{words.more(own.length - shownOnDay)}</span>}
          </li>
        );
      })}
    </ol>
  );
}

function Agenda({ days, occurrences, zone, now, onOpen }: ViewProps) {
  return (
    <ol className={styles.agenda}>
      {days
        .map((day) => ({ day, own: onDay(occurrences, day) }))
        .filter(({ own }) => own.length > 0)
        .map(({ day, own }) => (
          <li key={day.date}>
            <h3>{format(day.date, { weekday: 'long', day: 'numeric', month: 'long' })}</h3>
            {own.map((one) => (
              <Entry key={one.windowId + one.startsAt} {...{ one, day, zone, now, onOpen }} />
            ))}
          </li>
        ))}
    </ol>
  );
}

interface EntryProps {
  one: Named;
  day: Day;
  zone: string;
  now: number;
  onOpen: (id: string) => void;
}

function Entry({ one, day, zone, now, onOpen }: EntryProps) {
  const beginsHere = Date.parse(one.startsAt) >= day.from;
  const endsHere = Date.parse(one.endsAt) <= day.before;
  const time = beginsHere ? clock(one.startsAt, zone) : endsHere ? words.until(clock(one.endsAt, zone)) : words.allDay;
  return (
    <button
      type="button"
      className={styles.entry}
      data-active={isActive(one, now) || undefined}
      title={labelOf(one, zone)}
      onClick={() => onOpen(one.windowId)}
    >
      <span>{time}</span> <bdi>{one.name}</bdi>
    </button>
  );
}

const isActive = ({ startsAt, endsAt }: Occurrence, now: number): boolean =>
  Date.parse(startsAt) <= now && Date.parse(endsAt) > now;

const labelOf = ({ name, startsAt, endsAt }: Named, zone: string): string =>
  words.label(name, exactTime(startsAt, zone), exactTime(endsAt, zone));

const clock = (at: string, zone: string): string =>
  new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: zone }).format(new Date(at));

/** Of a date, which is the same in every zone. */
const format = (date: string, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' }).format(new Date(date));

const titleOf = (span: Span, { first, last }: Calendar): string =>
  span === 'month'
    ? format(first, { month: 'long', year: 'numeric' })
    : words.week(
        format(first, { day: 'numeric', month: 'short' }),
        format(last, { day: 'numeric', month: 'short', year: 'numeric' }),
      );
