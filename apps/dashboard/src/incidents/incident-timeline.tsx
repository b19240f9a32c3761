import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { list, rowsOf } from '../api/queries.js';
import { useZone } from '../app/zone.js';
import { texts } from '../texts/texts.js';
import { ErrorState } from '../ui/error-state.js';
import { useMemberNames } from '../ui/member-name.js';
import { useNow } from '../ui/now.js';
import { PanelSection } from '../ui/panel-section.js';
import { RowsSkeleton } from '../ui/skeletons.js';
import { shortTime } from '../ui/time.js';
import { Timeline } from '../ui/timeline.js';
import { incidentStory, toneOf } from './incident-story.js';
import type { Incident } from './use-update-incident.js';

/** What happened, newest first. */
export function IncidentTimeline({ incident: { id } }: { incident: Incident }) {
  const memberOf = useMemberNames();
  const zone = useZone();
  const now = useNow();
  const entries = useInfiniteQuery(list('getIncidentTimeline', { sort: '-occurredAt' }, { id }));
  const words = { memberOf, timeOf: (at: string) => shortTime(at, zone, now) };
  return (
    <PanelSection heading="h2" title={texts.incidents.timeline}>
      {entries.isPending && <RowsSkeleton rows={4} />}
      {entries.isError && <ErrorState error={entries.error} retry={() => void entries.refetch()} />}
      <Timeline
        items={rowsOf(entries.data).map((entry) => ({
          id: entry.id,
          at: entry.occurredAt,
          text: incidentStory(entry, words),
          note: entry.note,
          tone: toneOf(entry),
        }))}
      />
      {entries.hasNextPage && (
        <Button variant="subtle" loading={entries.isFetchingNextPage} onClick={() => void entries.fetchNextPage()}>
          {texts.ui.older}
        </Button>
      )}
    </PanelSection>
  );
}
