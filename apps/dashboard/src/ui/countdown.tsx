/** The time until something happens, second by second. */
import { useEffect, useState } from 'react';
import { useZone } from '../app/zone.js';
import { exactTime } from './time.js';
import { remaining } from './remaining.js';

/** `4:05`; `0:00` when the time is over. */
export function Countdown({ to }: { to: string }) {
  const zone = useZone();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={to} title={exactTime(to, zone)} role="timer" aria-live="off">
      {remaining(Date.parse(to) - now)}
    </time>
  );
}
