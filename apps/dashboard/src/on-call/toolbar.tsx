/** Which days the calendar shows, of which schedules, in which zone. All of it is in the address. */
import { ActionIcon, Button, Group, SegmentedControl, Select } from '@mantine/core';
import { ChevronLeftIcon, ChevronRightIcon } from '@radix-ui/react-icons';
import { useQuery } from '@tanstack/react-query';
import { all } from '../api/queries.js';
import { useCan } from '../app/session.js';
import { texts } from '../texts/texts.js';
import { views, type Calendar, type View } from './calendar.js';
import styles from './on-call.module.css';

export interface ToolbarProps {
  view: View;
  calendar: Calendar;
  team: string | undefined;
  /** Zones to choose from; the first one is the viewer's. */
  zones: readonly string[];
  change: (search: { view?: View | undefined; zone?: string | undefined; team?: string | undefined }) => void;
  turn: (step: 1 | -1 | 0) => void;
}

export function Toolbar({ view, calendar, team, zones, change, turn }: ToolbarProps) {
  const can = useCan();
  const { data: teams = [] } = useQuery({ ...all('listTeams'), enabled: can('listTeams') });
  return (
    <Group gap="sm" className={styles.toolbar}>
      <Group gap={4} wrap="nowrap">
        <ActionIcon variant="default" size="md" aria-label={texts.onCall.previous} onClick={() => turn(-1)}>
          <ChevronLeftIcon aria-hidden />
        </ActionIcon>
        <Button variant="default" onClick={() => turn(0)}>
          {texts.onCall.today}
        </Button>
        <ActionIcon variant="default" size="md" aria-label={texts.onCall.following} onClick={() => turn(1)}>
          <ChevronRightIcon aria-hidden />
        </ActionIcon>
      </Group>
      <span className={styles.period} aria-live="polite">
        {periodText(calendar, view)}
      </span>
      <SegmentedControl
        size="xs"
        aria-label={texts.onCall.period}
        value={view}
        onChange={(next) => change({ view: views.find((each) => each === next && each !== 'fortnight') })}
        data={views.map((value) => ({ value, label: texts.onCall.views[value] }))}
      />
      {teams.length > 0 && (
        <Select
          size="xs"
          className={styles.choice}
          aria-label={texts.onCall.team}
          placeholder={texts.onCall.allTeams}
          clearable
          searchable
          value={team ?? null}
          data={teams.map(({ id, name, slug }) => ({
            value: id,
            label: teams.some((other) => other.id !== id && other.name === name) ? `${name} (${slug})` : name,
          }))}
          onChange={(next) => change({ team: next ?? undefined })}
        />
      )}
      <Select
        size="xs"
        className={styles.choice}
        aria-label={texts.onCall.zone}
        allowDeselect={false}
        value={calendar.zone}
        data={zones.map((value, i) => ({ value, label: i === 0 ? texts.onCall.myZone(value) : value }))}
        onChange={(next) => change({ zone: next === null || next === zones[0] ? undefined : next })}
      />
    </Group>
  );
}

function periodText({ start, end, zone }: Calendar, view: View): string {
  if (view === 'month') {
    return new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: zone }).format(start);
  }
  const format = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: zone });
  return format.formatRange(start, end - 1);
}
