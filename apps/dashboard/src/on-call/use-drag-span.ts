/** Drawing a span of time with the pointer. Touch scrolls; a phone has the form. */
import { useRef, useState, type PointerEvent, type MouseEvent } from 'react';
import { timeAt, type Calendar, type Span } from './calendar.js';

/** Pixels after which a press is a drag. */
const threshold = 4;

export interface DragSpan {
  /** The span while it is drawn. */
  span: Span | null;
  handlers: {
    onPointerDown: (event: PointerEvent<HTMLElement>) => void;
    onPointerMove: (event: PointerEvent<HTMLElement>) => void;
    onPointerUp: (event: PointerEvent<HTMLElement>) => void;
    onPointerCancel: () => void;
    onClickCapture: (event: MouseEvent<HTMLElement>) => void;
  };
}

export function useDragSpan(calendar: Calendar, onDrawn: ((span: Span) => void) | null): DragSpan {
  const [span, setSpan] = useState<Span | null>(null);
  const from = useRef<{ x: number; at: number } | null>(null);
  const hasDragged = useRef(false);

  const timeOf = ({ clientX, currentTarget }: PointerEvent<HTMLElement>): number => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return timeAt((clientX - left) / width, calendar);
  };
  const stop = (): void => {
    from.current = null;
    setSpan(null);
  };
  return {
    span,
    handlers: {
      onPointerDown: (event) => {
        hasDragged.current = false;
        if (onDrawn === null || event.button !== 0 || event.pointerType === 'touch') return;
        from.current = { x: event.clientX, at: timeOf(event) };
      },
      onPointerMove: (event) => {
        if (from.current === null) return;
        if (span === null && Math.abs(event.clientX - from.current.x) < threshold) return;
        if (span === null) event.currentTarget.setPointerCapture(event.pointerId);
        hasDragged.current = true;
        const at = timeOf(event);
        setSpan({ start: Math.min(from.current.at, at), end: Math.max(from.current.at, at) });
      },
      onPointerUp: () => {
        if (span !== null && span.start < span.end) onDrawn?.(span);
        stop();
      },
      onPointerCancel: stop,
      // The press that ended a drag is no click on a shift.
      onClickCapture: (event) => {
        if (!hasDragged.current) return;
        hasDragged.current = false;
        event.stopPropagation();
        event.preventDefault();
      },
    },
  };
}
