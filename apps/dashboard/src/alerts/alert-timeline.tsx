import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { cannotShow, list, rowsOf } from '../api/queries.js';
import { texts } from '../texts/texts.js';
import { ErrorState } from '../ui/error-state.js';
import { useMemberNames } from '../ui/member-name.js';
import { RowsSkeleton } from '../ui/skeletons.js';
import { Timeline } from '../ui/timeline.js';
import { alertStory, toneOf } from './alert-story.js';

/** Newest first, so that the present state is at the top. */
export function AlertTimeline({ id }: { id: string }) {
  const nameOf = useMemberNames();
  const entries = useInfiniteQuery(list('getAlertTimeline', { sort: '-occurredAt' }, { id }));
  if (entries.isPending) return <RowsSkeleton rows={5} />;
  if (cannotShow(entries)) return <ErrorState error={entries.error} retry={() => void entries.refetch()} />;
  return (
    <div style={{ paddingTop: '1rem' }}>
      <Timeline
        items={rowsOf(entries.data).map((entry) => ({
          id: entry.id,
          at: entry.occurredAt,
          text: alertStory(entry, nameOf),
          note: entry.note,
          tone: toneOf(entry),
        }))}
      />
      {entries.hasNextPage && (
        <Button variant="subtle" loading={entries.isFetchingNextPage} onClick={() => void entries.fetchNextPage()}>
          {texts.ui.older}
        </Button>
      )}
    </div>
  );
}
