/** The next weeks as they are, and as they would be, with whose nights change. The service computes both. */
import { Alert, Skeleton } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { call } from '../api/call.js';
import { currentEnvironment } from '../api/context.js';
import type { Data } from '../api/operation-types.js';
import { calendarAfter } from '../on-call/calendar.js';
import { rowsOf, spansOf } from '../on-call/spans.js';
import { Axis } from '../on-call/timeline.js';
import { Track } from '../on-call/track.js';
import timeline from '../on-call/timeline.module.css';
import { texts } from '../texts/texts.js';
import { errorText } from '../ui/error-state.js';
import { useNow } from '../ui/now.js';
import { spanTexts } from '../ui/time.js';
import type { PutSchedule } from './draft.js';
import { changedNights } from './nights.js';
import styles from './schedules.module.css';

export interface PreviewProps {
  id: string;
  /** A draft that has no faults. */
  settings: PutSchedule;
  zone: string;
  isChanged: boolean;
}

const dayCount = 28;

export function Preview({ id, settings, zone, isChanged }: PreviewProps) {
  const preview = useQuery({
    queryKey: ['previewSchedule', currentEnvironment(), { path: { id }, body: settings }],
    queryFn: async ({ signal }) => (await call('previewSchedule', { path: { id }, body: settings }, { signal })).data,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    gcTime: 60_000,
  });
  return (
    <section className={styles.preview} aria-labelledby="preview">
      <h2 id="preview" className={styles.section}>
        {texts.schedules.preview}
      </h2>
      {preview.isError && <Alert color="red">{errorText(preview.error)}</Alert>}
      {preview.isPending && <Skeleton height={120} />}
      {preview.data && (
        <div data-old={preview.isPlaceholderData || undefined} className={styles.previewBody}>
          <PreviewRows preview={preview.data} zone={zone} isChanged={isChanged} />
          <Nights preview={preview.data} zone={zone} />
        </div>
      )}
    </section>
  );
}

function PreviewRows({
  preview,
  zone,
  isChanged,
}: {
  preview: Data<'previewSchedule'>;
  zone: string;
  isChanged: boolean;
}) {
  const calendar = calendarAfter(Date.parse(preview.since), dayCount, zone);
  const rows = [
    { title: texts.schedules.before, shifts: preview.before },
    ...(isChanged ? [{ title: texts.schedules.after, shifts: preview.after }] : []),
  ];
  return (
    <div className={timeline.timeline} data-view="month" data-narrow>
      <Axis calendar={calendar} view="month" head="" />
      {rows.map(({ title, shifts }) => (
        <div key={title} className={timeline.row}>
          <div className={timeline.head}>{title}</div>
          <div className={timeline.tracks}>
            {rowsOf({ layers: [] }, spansOf(shifts, calendar), false).map((row) => (
              <Track key={row.key} label={title} row={row} calendar={calendar} onDrawn={null} onOpen={null} />
            ))}
          </div>
        </div>
      ))}
    </div>
  );
}

/** How many of the changes are listed. */
const shown = 12;

function Nights({ preview: { changes, after }, zone }: { preview: Data<'previewSchedule'>; zone: string }) {
  const now = useNow();
  const nights = changedNights(changes, zone);
  const timesOf = ({ startsAt, endsAt }: { startsAt: string; endsAt: string }): string =>
    texts.onCall.span(...spanTexts(startsAt, endsAt, zone, now));
  const namesOf = (users: readonly { name: string }[]): string =>
    users.map(({ name }) => name).join(', ') || texts.onCall.gap;
  return (
    <>
      {after.gaps.length > 0 && (
        <p className={styles.fault} role="status">
          {texts.schedules.gaps(after.gaps.length, after.gaps[0] ? timesOf(after.gaps[0]) : '')}
        </p>
      )}
      <h3 className={styles.legend}>{texts.schedules.whoseNights}</h3>
      {changes.length === 0 && <p className={styles.hint}>{texts.schedules.nothingChanges}</p>}
      {changes.length > 0 && nights.length === 0 && <p className={styles.hint}>{texts.schedules.noNights}</p>}
      <ul className={styles.plain}>
        {nights.map(({ userId, name, gained, lost }) => (
          <li key={userId}>
            <bdi>{name}</bdi>: {texts.schedules.nights(gained.length, lost.length)}
          </li>
        ))}
      </ul>
      {changes.length > 0 && (
        <>
          <h3 className={styles.legend}>{texts.schedules.changes}</h3>
          <ul className={styles.plain}>
            {changes.slice(0, shown).map((change) => (
              <li key={change.startsAt}>
                {timesOf(change)}: <bdi>{namesOf(change.before)}</bdi> → <bdi>{namesOf(change.after)}</bdi>
              </li>
            ))}
            {changes.length > shown && (
              <li className={styles.hint}>{texts.schedules.moreChanges(changes.length - shown)}</li>
            )}
          </ul>
        </>
      )}
    </>
  );
}
