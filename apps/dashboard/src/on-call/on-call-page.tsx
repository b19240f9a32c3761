import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { all } from '../api/queries.js';
import { useCommands } from '../app/commands.js';
import { useCan } from '../app/session.js';
import { useShortcuts } from '../app/shortcuts.js';
import { useZone } from '../app/zone.js';
import { NewScheduleDialog } from '../schedules/new-schedule-dialog.js';
import { texts } from '../texts/texts.js';
import { EmptyState } from '../ui/empty-state.js';
import { ErrorState } from '../ui/error-state.js';
import { isZone } from '../ui/local-time.js';
import { useNow } from '../ui/now.js';
import { PageHeader } from '../ui/page-header.js';
import { RowsSkeleton } from '../ui/skeletons.js';
import { useList } from '../ui/use-list.js';
import { calendarOf, turned } from './calendar.js';
import { DayList } from './day-list.js';
import { Dialogs, type OpenDialog, type Schedule } from './dialogs.js';
import { GapsBar } from './gaps-bar.js';
import { onCallRoute } from './on-call.routes.js';
import { draftOf } from './spans.js';
import { Timeline } from './timeline.js';
import { Toolbar } from './toolbar.js';

const none: Schedule[] = [];

/** Who is on call now, and when somebody else is. */
export function OnCallPage() {
  const { view = 'fortnight', at, zone: askedZone, team } = onCallRoute.useSearch();
  const navigate = onCallRoute.useNavigate();
  const can = useCan();
  const now = useNow();
  const viewerZone = useZone();
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const [isCreating, setIsCreating] = useState(false);
  const found = useQuery(all('listSchedules', team === undefined ? {} : { teamId: [team] }));
  const current = useQuery(all('getCurrentOnCall'));
  const schedules = found.data ?? none;
  const currents = new Map(current.data?.map((each) => [each.scheduleId, each]));
  const zone = askedZone !== undefined && isZone(askedZone) ? askedZone : viewerZone;
  const calendar = calendarOf(view, at, zone, now);
  const zones = [...new Set([viewerZone, zone, ...schedules.map(({ timezone }) => timezone)])];

  const turn = (step: 1 | -1 | 0): void => {
    const next = step === 0 ? undefined : turned(view, at, zone, now, step);
    void navigate({ search: (before) => ({ ...before, at: next }), replace: true });
  };
  const control = useList(
    schedules.map(({ id }) => id),
    (id) => void navigate({ to: '/schedules/$id', params: { id } }),
  );
  const override = (): void => {
    const schedule = schedules.find(({ id }) => id === control.state.active) ?? schedules[0];
    if (schedule) setDialog({ kind: 'override', schedule, draft: draftOf(schedule.id, null, now) });
  };
  const mayOverride = can('createScheduleOverride') && schedules.length > 0;
  useShortcuts(texts.onCall.title, [
    { keys: 't', label: texts.onCall.today, run: () => turn(0) },
    { keys: '[', label: texts.onCall.previous, run: () => turn(-1) },
    { keys: ']', label: texts.onCall.following, run: () => turn(1) },
    ...(mayOverride ? [{ keys: 'v', label: texts.onCall.override.open, run: override }] : []),
  ]);
  useCommands(texts.onCall.title, [
    ...(mayOverride ? [{ id: 'override', label: texts.onCall.override.open, run: override }] : []),
    ...(can('createSchedule')
      ? [{ id: 'new-schedule', label: texts.schedules.create, run: () => setIsCreating(true) }]
      : []),
  ]);
  const create = can('createSchedule') && <Button onClick={() => setIsCreating(true)}>{texts.schedules.create}</Button>;
  return (
    <>
      <PageHeader
        title={texts.onCall.title}
        actions={
          <>
            {can('createMemberFeed') && (
              <Button variant="default" onClick={() => setDialog({ kind: 'feed', schedule: null })}>
                {texts.onCall.feed.openMine}
              </Button>
            )}
            {create}
          </>
        }
      >
        <Toolbar
          view={view}
          calendar={calendar}
          team={team}
          zones={zones}
          turn={turn}
          change={(next) => void navigate({ search: (before) => ({ ...before, ...next }), replace: true })}
        />
      </PageHeader>
      <GapsBar schedules={schedules} currents={currents} zone={zone} open={setDialog} />
      {found.isPending && <RowsSkeleton />}
      {found.isError && <ErrorState error={found.error} retry={() => void found.refetch()} />}
      {found.isSuccess && schedules.length === 0 && (
        <EmptyState
          title={team ? texts.onCall.emptyTeam : texts.onCall.empty}
          hint={texts.onCall.emptyHint}
          action={create}
        />
      )}
      {schedules.length > 0 &&
        (isPhone ? (
          <DayList calendar={calendar} schedules={schedules} open={setDialog} />
        ) : (
          <Timeline
            view={view}
            calendar={calendar}
            schedules={schedules}
            currents={currents}
            active={control.state.active}
            open={setDialog}
          />
        ))}
      <Dialogs dialog={dialog} open={setDialog} zone={zone} />
      {isCreating && <NewScheduleDialog close={() => setIsCreating(false)} />}
    </>
  );
}
