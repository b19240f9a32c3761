/** A recurrence rule by choices; a rule that no choice makes is a text. */
import { Chip, NativeSelect, NumberInput, TextInput } from '@mantine/core';
import { texts } from '../texts/texts.js';
import {
  repetitionFor,
  repetitionOf,
  ruleOf,
  weekdays,
  type Monthly,
  type Repetition,
  type Weekday,
} from './repetition.js';
import { useState } from 'react';
import ruleStyles from '../ui/rule.module.css';

const { form: words, days, repetition: said } = texts.suppression;
const kinds = ['DAILY', 'WEEKLY', 'MONTHLY', 'custom'] as const;

export interface RepetitionFieldsProps {
  rule: string;
  onChange: (rule: string) => void;
  error: string | undefined;
}

export function RepetitionFields({ rule, onChange, error }: RepetitionFieldsProps) {
  // A rule that is typed may be one that choices make; it stays text while it is typed.
  const [isTyped, setIsTyped] = useState(false);
  const repetition: Repetition = isTyped ? { kind: 'custom', rule } : repetitionOf(rule);
  const change = (next: Repetition): void => onChange(ruleOf(next));
  return (
    <>
      <div className={ruleStyles.pair}>
        <NativeSelect
          label={words.frequency}
          value={repetition.kind}
          data={kinds.map((value) => ({ value, label: words.frequencies[value] }))}
          onChange={({ currentTarget }) => {
            const kind = currentTarget.value as Repetition['kind'];
            setIsTyped(kind === 'custom');
            change(repetitionFor(kind, repetition));
          }}
        />
        {repetition.kind === 'custom' ? (
          <TextInput
            label={words.customRule}
            value={repetition.rule}
            error={error}
            onChange={({ currentTarget }) => onChange(currentTarget.value)}
          />
        ) : (
          <NumberInput
            label={words.every}
            min={1}
            max={10_000}
            allowDecimal={false}
            value={repetition.every}
            error={error}
            onChange={(every) => change({ ...repetition, every: Math.max(1, Number(every)) })}
          />
        )}
      </div>
      {repetition.kind === 'WEEKLY' && (
        <div className={ruleStyles.chips} role="group" aria-label={words.onDays}>
          {weekdays.map((day) => (
            <Chip
              key={day}
              size="xs"
              checked={repetition.days.includes(day)}
              onChange={(isOn) =>
                change({
                  ...repetition,
                  days: weekdays.filter((one) => (one === day ? isOn : repetition.days.includes(one))),
                })
              }
            >
              {days[day]}
            </Chip>
          ))}
        </div>
      )}
      {repetition.kind === 'MONTHLY' && (
        <MonthlyFields monthly={repetition.monthly} onChange={(monthly) => change({ ...repetition, monthly })} />
      )}
    </>
  );
}

const firstOf: Readonly<Record<Monthly['on'], Monthly>> = {
  start: { on: 'start' },
  date: { on: 'date', date: 1 },
  day: { on: 'day', nth: 1, weekday: 'SU' },
};

function MonthlyFields({ monthly, onChange }: { monthly: Monthly; onChange: (monthly: Monthly) => void }) {
  return (
    <div className={ruleStyles.pair}>
      <NativeSelect
        label={words.monthlyOn}
        value={monthly.on}
        data={(['start', 'date', 'day'] as const).map((value) => ({ value, label: words.monthlyWays[value] }))}
        onChange={({ currentTarget }) => onChange(firstOf[currentTarget.value as Monthly['on']])}
      />
      {monthly.on === 'date' && (
        <NumberInput
          label={words.dayOfMonth}
          min={1}
          max={31}
          clampBehavior="strict"
          allowDecimal={false}
          value={monthly.date}
          onChange={(date) => onChange({ on: 'date', date: Math.min(31, Math.max(1, Number(date))) })}
        />
      )}
      {monthly.on === 'day' && (
        <>
          <NativeSelect
            label={words.nth}
            value={String(monthly.nth)}
            data={['1', '2', '3', '4', '-1'].map((value) => ({ value, label: said.nth[value] ?? value }))}
            onChange={({ currentTarget }) => onChange({ ...monthly, nth: Number(currentTarget.value) })}
          />
          <NativeSelect
            label={words.weekday}
            value={monthly.weekday}
            data={weekdays.map((value) => ({ value, label: days[value] }))}
            onChange={({ currentTarget }) => onChange({ ...monthly, weekday: currentTarget.value as Weekday })}
          />
        </>
      )}
    </div>
  );
}
