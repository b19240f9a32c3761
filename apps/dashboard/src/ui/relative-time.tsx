import { useZone } from '../app/zone.js';
import { texts } from '../texts/texts.js';
import { useNow } from './now.js';
import { exactTime, relativeTime } from './time.js';

/** `5m ago`, with the exact time on hover and for readers of the page. */
export function RelativeTime({ at }: { at: string | null }) {
  const now = useNow();
  const zone = useZone();
  if (at === null) return <span>{texts.ui.never}</span>;
  return (
    <time dateTime={at} title={exactTime(at, zone)}>
      {relativeTime(at, now)}
    </time>
  );
}
