/** The time until something happens, second by second. */
import { useEffect, useState } from 'react';
import { useZone } from '../app/zone.js';
import { exactTime } from './time.js';
import { remaining, untilNextSecond } from './remaining.js';

/** `4:05`; `0:00` when the time is over. */
export function Countdown({ to }: { to: string }) {
  const zone = useZone();
  const end = Date.parse(to);
  const [now, setNow] = useState(() => Date.now());
  // At the time at which the text changes: several to the same time show the same.
  useEffect(() => {
    const timer = setTimeout(() => setNow(Date.now()), untilNextSecond(end - Date.now()));
    return () => clearTimeout(timer);
  }, [end, now]);
  return (
    <time dateTime={to} title={exactTime(to, zone)} role="timer" aria-live="off">
      {remaining(end - now)}
    </time>
  );
}
