/** Weekly times: the hours in which a layer counts, or in which nobody needs to be on call. */
import { ActionIcon, Button, Chip, Group, TextInput } from '@mantine/core';
import { TrashIcon } from '@radix-ui/react-icons';
import { texts } from '../texts/texts.js';
import { newRestriction, type Restriction } from './draft.js';
import styles from './schedules.module.css';

export interface HoursListProps {
  title: string;
  hint: string;
  hours: readonly Restriction[];
  onChange: (hours: Restriction[]) => void;
  errorAt: (path: string) => string | undefined;
  path: string;
}

const days = [1, 2, 3, 4, 5, 6, 7];

export const HoursList = ({ title, hint, hours, onChange, errorAt, path }: HoursListProps) => (
  <fieldset className={styles.group}>
    <legend className={styles.legend}>{title}</legend>
    {hours.length === 0 && <p className={styles.hint}>{hint}</p>}
    {hours.map((each, i) => {
      const set = (change: Partial<Restriction>): void => onChange(hours.with(i, { ...each, ...change }));
      return (
        <div key={i} className={styles.hours}>
          <Chip.Group
            multiple
            value={each.days.map(String)}
            onChange={(next) => set({ days: next.map(Number).sort() })}
          >
            <Group gap={4} role="group" aria-label={texts.schedules.days}>
              {days.map((day) => (
                <Chip key={day} value={String(day)} size="xs" variant="outline">
                  {texts.schedules.dayNames[day - 1]}
                </Chip>
              ))}
            </Group>
          </Chip.Group>
          <Group gap="xs" wrap="nowrap">
            <TextInput
              type="time"
              aria-label={texts.schedules.start}
              value={each.start}
              error={errorAt(`${path}[${i}].start`)}
              onChange={({ currentTarget }) => set({ start: currentTarget.value })}
            />
            <span aria-hidden>–</span>
            <TextInput
              type="time"
              aria-label={texts.schedules.end}
              value={each.end === '24:00' ? '00:00' : each.end}
              error={errorAt(`${path}[${i}].end`)}
              onChange={({ currentTarget }) => set({ end: currentTarget.value })}
            />
            <ActionIcon aria-label={texts.schedules.removeHours} onClick={() => onChange(hours.toSpliced(i, 1))}>
              <TrashIcon aria-hidden />
            </ActionIcon>
          </Group>
          {errorAt(`${path}[${i}].days`) && <p className={styles.fault}>{errorAt(`${path}[${i}].days`)}</p>}
        </div>
      );
    })}
    <Button variant="subtle" size="compact-xs" onClick={() => onChange([...hours, newRestriction])}>
      {texts.schedules.addHours}
    </Button>
  </fieldset>
);
