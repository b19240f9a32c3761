import { Group, NumberInput, Select, TextInput } from '@mantine/core';
import { texts } from '../texts/texts.js';
import { withUnit, type Layer, type Unit } from './draft.js';
import styles from './schedules.module.css';

type Rotation = NonNullable<Layer['rotation']>;

export interface RotationFieldsProps {
  rotation: Rotation;
  onChange: (rotation: Rotation) => void;
  errorAt: (path: string) => string | undefined;
  path: string;
}

const units: Unit[] = ['hour', 'day', 'week', 'month'];
const isUnit = (value: string | null): value is Unit => units.some((unit) => unit === value);

/** Every two weeks, on Monday at 09:00. */
export function RotationFields({ rotation, onChange, errorAt, path }: RotationFieldsProps) {
  const { unit, interval, handoffTime, handoffDay } = rotation;
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>{texts.schedules.rotation}</legend>
      <Group gap="xs" align="end">
        <NumberInput
          w="5rem"
          label={texts.schedules.every}
          min={1}
          allowDecimal={false}
          value={interval}
          error={errorAt(`${path}.interval`)}
          onChange={(value) => onChange({ ...rotation, interval: Number(value) || 1 })}
        />
        <Select
          w="7rem"
          label={texts.schedules.unit}
          allowDeselect={false}
          value={unit}
          data={units.map((value) => ({ value, label: texts.schedules.units[value] }))}
          onChange={(value) => isUnit(value) && onChange(withUnit(rotation, value))}
        />
        {unit === 'week' && (
          <Select
            w="8rem"
            label={texts.schedules.on}
            allowDeselect={false}
            value={String(handoffDay ?? 1)}
            data={texts.schedules.dayNames.map((label, i) => ({ value: String(i + 1), label }))}
            onChange={(value) => onChange({ ...rotation, handoffDay: Number(value) })}
          />
        )}
        {unit === 'month' && (
          <NumberInput
            w="6rem"
            label={texts.schedules.onDay}
            min={1}
            max={31}
            allowDecimal={false}
            value={handoffDay ?? 1}
            error={errorAt(`${path}.handoffDay`)}
            onChange={(value) => onChange({ ...rotation, handoffDay: Number(value) || 1 })}
          />
        )}
        <TextInput
          type="time"
          label={texts.schedules.at}
          value={handoffTime}
          error={errorAt(`${path}.handoffTime`)}
          onChange={({ currentTarget }) => onChange({ ...rotation, handoffTime: currentTarget.value })}
        />
      </Group>
    </fieldset>
  );
}
