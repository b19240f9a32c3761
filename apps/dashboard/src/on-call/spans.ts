/** What the calendar draws of a schedule: shifts, gaps and overrides, as spans. Pure. */
import type { components } from '@ams/client';
import { cut, onLanes, type Span } from './calendar.js';

type Shifts = Pick<components['schemas']['Shifts'], 'shifts' | 'gaps'>;
type Schedule = components['schemas']['Schedule'];

export interface ShiftSpan extends Span {
  kind: 'shift';
  userId: string;
  name: string;
  layerId: string | null;
  overrideId: string | null;
}
export interface GapSpan extends Span {
  kind: 'gap';
}
export type CalendarSpan = ShiftSpan | GapSpan;
export type PlacedSpan = CalendarSpan & { lane: number };

export const keyOfSpan = (span: CalendarSpan): string =>
  span.kind === 'gap' ? `gap ${span.start}` : `${span.userId} ${span.layerId} ${span.overrideId} ${span.start}`;

/** Shifts and gaps together, cut at the ends of a span. */
export function spansOf({ shifts, gaps }: Shifts, range: Span): CalendarSpan[] {
  const all: CalendarSpan[] = [
    ...shifts.map(({ user, startsAt, endsAt, layerId, overrideId }) => ({
      kind: 'shift' as const,
      userId: user.id,
      name: user.name,
      layerId,
      overrideId,
      start: Date.parse(startsAt),
      end: Date.parse(endsAt),
    })),
    ...gaps.map(({ startsAt, endsAt }) => ({
      kind: 'gap' as const,
      start: Date.parse(startsAt),
      end: Date.parse(endsAt),
    })),
  ];
  return all.flatMap((span) => cut(span, range) ?? []).sort((a, b) => a.start - b.start);
}

export interface Row {
  key: string;
  /** Null: the result, of all layers and overrides together. */
  title: string | null;
  isOverrides: boolean;
  lanes: number;
  spans: PlacedSpan[];
}

/** The result; with `withLayers` also what each layer and the overrides contribute to it, as they take effect. */
export function rowsOf(schedule: Pick<Schedule, 'layers'>, spans: readonly CalendarSpan[], withLayers: boolean): Row[] {
  const row = (key: string, title: string | null, isOverrides: boolean, some: readonly CalendarSpan[]): Row => {
    const { lanes, placed } = onLanes(some);
    return { key, title, isOverrides, lanes, spans: placed };
  };
  const result = row('result', null, false, spans);
  if (!withLayers) return [result];
  const shifts = spans.filter((span) => span.kind === 'shift');
  return [
    result,
    row(
      'overrides',
      null,
      true,
      shifts.filter(({ overrideId }) => overrideId !== null),
    ),
    ...schedule.layers.toReversed().map(({ id, name }) =>
      row(
        `layer ${id}`,
        name,
        false,
        shifts.filter(({ layerId }) => layerId === id),
      ),
    ),
  ];
}

export interface DaySpans {
  date: string;
  spans: CalendarSpan[];
}

/** For each day, what is on it. */
export const byDay = (days: readonly (Span & { date: string })[], spans: readonly CalendarSpan[]): DaySpans[] =>
  days.map((day) => ({ date: day.date, spans: spans.flatMap((span) => cut(span, day) ?? []) }));

/** The first gap that has not ended; null when somebody is on call in all of the time that is known. */
export const nextGap = (spans: readonly CalendarSpan[], now: number): GapSpan | null =>
  spans.find((span): span is GapSpan => span.kind === 'gap' && span.end > now) ?? null;

/** One of ten colours for each member, in the order of their ids, which is that in which they joined. */
export const coloursOf = (memberIds: readonly string[]): ReadonlyMap<string, number> =>
  new Map(memberIds.toSorted().map((id, place) => [id, place % 10]));

/** The time that a member would take over, or a gap, as the values of a form. */
export interface OverrideDraft {
  scheduleId: string;
  startsAt: string;
  endsAt: string;
  userId: string;
  /** Null: everybody who is on call. */
  replacesUserId: string | null;
}

const hour = 3_600_000;

/** An override of a span counts from now on at the earliest; without a span, for the next twelve hours. */
export function draftOf(scheduleId: string, span: Span | null, now: number): OverrideDraft {
  const soon = Math.ceil(now / hour) * hour;
  const start = span === null ? soon : Math.max(span.start, Math.floor(now / 60_000) * 60_000);
  const end = span === null ? soon + 12 * hour : span.end;
  return {
    scheduleId,
    startsAt: new Date(start).toISOString(),
    endsAt: new Date(Math.max(end, start + hour)).toISOString(),
    userId: '',
    replacesUserId: null,
  };
}
