/** A length of time as a number with a unit. */
import { NativeSelect, NumberInput } from '@mantine/core';
import { useState } from 'react';
import { texts } from '../texts/texts.js';
import styles from './duration-input.module.css';

export type DurationUnit = 'seconds' | 'minutes' | 'hours' | 'days';

const sizes: Readonly<Record<DurationUnit, number>> = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 };

export interface DurationInputProps {
  label: string;
  seconds: number;
  onChange: (seconds: number) => void;
  error?: string | undefined;
  disabled?: boolean;
  units?: readonly DurationUnit[];
}

/** The largest unit of which it is a whole number. */
const unitOf = (seconds: number, units: readonly DurationUnit[]): DurationUnit =>
  units.findLast((unit) => seconds > 0 && seconds % sizes[unit] === 0) ?? units[0] ?? 'minutes';

export function DurationInput(props: DurationInputProps) {
  const { label, seconds, onChange, error, disabled, units = ['seconds', 'minutes', 'hours', 'days'] } = props;
  const [unit, setUnit] = useState(() => (seconds === 0 ? 'minutes' : unitOf(seconds, units)));
  const shown = seconds % sizes[unit] === 0 ? unit : unitOf(seconds, units);
  return (
    <div className={styles.duration}>
      <NumberInput
        label={label}
        size="sm"
        min={0}
        allowDecimal={false}
        allowNegative={false}
        value={seconds / sizes[shown]}
        disabled={disabled}
        error={error}
        onChange={(next) => onChange(Math.round(Number(next) * sizes[shown]))}
      />
      <NativeSelect
        aria-label={texts.ui.unitOf(label)}
        size="sm"
        value={shown}
        disabled={disabled}
        data={units.map((value) => ({ value, label: texts.ui.units[value] }))}
        onChange={({ currentTarget }) => {
          const next = currentTarget.value as DurationUnit;
          setUnit(next);
          onChange((seconds / sizes[shown]) * sizes[next]);
        }}
      />
    </div>
  );
}
