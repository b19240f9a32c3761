/** The shifts and gaps of one row over time. A span that is drawn on it becomes an override. */
import type { CSSProperties } from 'react';
import { texts } from '../texts/texts.js';
import { useNow } from '../ui/now.js';
import { spanTexts } from '../ui/time.js';
import { cut, placeOf, type Calendar, type Span } from './calendar.js';
import { keyOfSpan, type CalendarSpan, type PlacedSpan, type Row } from './spans.js';
import { useColours } from './use-colours.js';
import { useDragSpan } from './use-drag-span.js';
import styles from './timeline.module.css';

export interface TrackProps {
  label: string;
  row: Pick<Row, 'lanes' | 'spans' | 'key'>;
  calendar: Calendar;
  /** Null where nothing can be drawn. */
  onDrawn: ((span: Span) => void) | null;
  /** Null where there is nothing to open. */
  onOpen: ((span: CalendarSpan) => void) | null;
}

const percent = (place: number): string => `${(place * 100).toFixed(4)}%`;

export const placed = (span: Span, calendar: Span) => ({
  left: percent(placeOf(span.start, calendar)),
  width: percent(placeOf(span.end, calendar) - placeOf(span.start, calendar)),
});

export function useSpanText(zone: string): (span: CalendarSpan | Span) => string {
  const now = useNow();
  const iso = (at: number): string => new Date(at).toISOString();
  return (span) => {
    const times = texts.onCall.span(...spanTexts(iso(span.start), iso(span.end), zone, now));
    if (!('kind' in span)) return times;
    return span.kind === 'gap' ? texts.onCall.gapIn(times) : texts.onCall.shiftIn(span.name, times);
  };
}

export function Track({ label, row, calendar, onDrawn, onOpen }: TrackProps) {
  const drag = useDragSpan(calendar, onDrawn);
  const textOf = useSpanText(calendar.zone);
  const colourOf = useColours();
  const now = useNow();
  return (
    <div
      className={styles.track}
      data-lanes={row.lanes}
      data-drawing={drag.span !== null || undefined}
      data-drawable={onDrawn !== null || undefined}
      style={{ '--lanes': row.lanes } as CSSProperties}
      role="group"
      aria-label={label}
      {...drag.handlers}
    >
      <Days calendar={calendar} />
      {row.spans.map((span) => (
        <SpanButton
          key={keyOfSpan(span)}
          span={span}
          calendar={calendar}
          text={textOf(span)}
          colour={span.kind === 'shift' ? colourOf(span.userId) : undefined}
          isPast={span.end <= now}
          onOpen={onOpen}
        />
      ))}
      {drag.span && (
        <div className={styles.drawn} style={placed(drag.span, calendar)}>
          <span className={styles.drawnText}>{textOf({ start: drag.span.start, end: drag.span.end })}</span>
        </div>
      )}
      <NowLine calendar={calendar} />
    </div>
  );
}

interface SpanButtonProps {
  span: PlacedSpan;
  calendar: Calendar;
  text: string;
  colour: number | undefined;
  isPast: boolean;
  onOpen: ((span: CalendarSpan) => void) | null;
}

function SpanButton({ span, calendar, text, colour, isPast, onOpen }: SpanButtonProps) {
  const isShort = span.end - span.start < (calendar.end - calendar.start) / 50;
  const place = placed(span, calendar);
  const props = {
    className: styles.span,
    'data-kind': span.kind,
    'data-colour': colour,
    'data-past': isPast || undefined,
    'data-short': isShort || undefined,
    'data-override': (span.kind === 'shift' && span.overrideId !== null) || undefined,
    style: {
      ...place,
      ...(isShort && { left: `min(${place.left}, 100% - 0.5rem)` }),
      '--at': span.lane,
    } as CSSProperties,
    title: text,
    'aria-label': text,
  };
  const name = <bdi>{span.kind === 'gap' ? texts.onCall.gap : span.name}</bdi>;
  if (onOpen === null) {
    return (
      <div {...props} role="img">
        {name}
      </div>
    );
  }
  return (
    <button type="button" {...props} onClick={() => onOpen(span)}>
      {name}
    </button>
  );
}

/** The nights between the days, and the weekends. */
const Days = ({ calendar }: { calendar: Calendar }) => (
  <div className={styles.days} aria-hidden>
    {calendar.days.map((day) => (
      <span key={day.date} data-weekend={day.isWeekend || undefined} style={placed(day, calendar)} />
    ))}
  </div>
);

export function NowLine({ calendar }: { calendar: Calendar }) {
  const now = useNow();
  if (cut({ start: now, end: now + 1 }, calendar) === null) return null;
  return <div className={styles.now} style={{ left: percent(placeOf(now, calendar)) }} aria-hidden />;
}
