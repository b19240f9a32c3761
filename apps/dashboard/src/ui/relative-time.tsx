import { useMemo } from 'react';
import { useZone } from '../app/zone.js';
import { texts } from '../texts/texts.js';
import { useNow } from './now.js';
import { exactTime, relativeTime } from './time.js';

/** `5m ago`, with the exact time on hover and for readers of the page. */
export function RelativeTime({ at }: { at: string | null }) {
  const now = useNow();
  const zone = useZone();
  // It takes longer than all else in a row.
  const exact = useMemo(() => (at === null ? '' : exactTime(at, zone)), [at, zone]);
  if (at === null) return <span>{texts.ui.never}</span>;
  return (
    <time dateTime={at} title={exact}>
      {relativeTime(at, now)}
    </time>
  );
}
