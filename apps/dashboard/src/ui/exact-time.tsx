import { useZone } from '../app/zone.js';
import { useNow } from './now.js';
import { exactTime, relativeTime, shortTime } from './time.js';

/** `22 Nov, 19:33` in the chosen zone; the rest on hover. */
export function ExactTime({ at }: { at: string }) {
  const now = useNow();
  const zone = useZone();
  return (
    <time dateTime={at} title={`${exactTime(at, zone)} (${relativeTime(at, now)})`}>
      {shortTime(at, zone, now)}
    </time>
  );
}
