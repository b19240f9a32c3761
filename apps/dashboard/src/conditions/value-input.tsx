/** The value of a comparison, by the kind of its field. */
import { MultiSelect, NativeSelect, NumberInput, TagsInput, TextInput } from '@mantine/core';
import { texts } from '../texts/texts.js';
import { RecordChoices, RecordChoice } from '../ui/record-choice.js';
import { alertStatuses, fieldOf, incidentStatuses, kindOf, severities, type Kind, type Predicate } from './fields.js';

export interface ValueInputProps {
  predicate: Predicate;
  onChange: (value: Predicate['value']) => void;
  error: string | undefined;
  disabled: boolean;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const wordsOf = (kind: Kind): { value: string; label: string }[] | null => {
  switch (kind) {
    case 'severity':
      return severities.map((value) => ({ value, label: texts.ui.severity[value] }));
    case 'alertStatus':
      return alertStatuses.map((value) => ({ value, label: texts.ui.alertStatus[value] }));
    case 'incidentStatus':
      return incidentStatuses.map((value) => ({ value, label: texts.ui.incidentStatus[value] }));
    case 'weekday':
      return texts.conditions.weekdays.map((label, index) => ({ value: String(index + 1), label }));
    default:
      return null;
  }
};

const isNumeric = (kind: Kind): boolean => kind === 'number' || kind === 'weekday';

export function ValueInput({ predicate, onChange, error, disabled }: ValueInputProps) {
  const { field, op, value } = predicate;
  const kind = kindOf(field);
  const noun = fieldOf(field)?.noun;
  const shared = { size: 'xs', 'aria-label': texts.conditions.value, error, disabled } as const;
  const words = wordsOf(kind);
  const typed = (text: string): string | number => (isNumeric(kind) && text !== '' ? Number(text) : text);
  if (op === 'exists') {
    return (
      <NativeSelect
        {...shared}
        value={String(value)}
        data={[
          { value: 'true', label: texts.conditions.hasValue },
          { value: 'false', label: texts.conditions.hasNoValue },
        ]}
        onChange={({ currentTarget }) => onChange(currentTarget.value === 'true')}
      />
    );
  }
  if (op === 'in' || op === 'notIn') {
    const values = (Array.isArray(value) ? value : [value]).map(String);
    const change = (next: string[]): void => onChange(next.map(typed));
    const several = { ...shared, 'aria-label': texts.conditions.values };
    if (words) return <MultiSelect {...several} value={values} data={words} onChange={change} hidePickedOptions />;
    if (noun) {
      return <RecordChoices {...several} noun={noun} value={values} onChange={change} />;
    }
    return (
      <TagsInput
        {...several}
        value={values}
        onChange={change}
        placeholder={texts.conditions.valuesHint}
        splitChars={[]}
        acceptValueOnBlur
      />
    );
  }
  const text = String(Array.isArray(value) ? (value[0] ?? '') : value);
  if (words) {
    return (
      <NativeSelect
        {...shared}
        value={text.toLowerCase()}
        data={
          words.some((word) => word.value === text.toLowerCase())
            ? words
            : [...words, { value: text, label: capital(text) }]
        }
        onChange={({ currentTarget }) => onChange(typed(currentTarget.value))}
      />
    );
  }
  if (noun && (op === 'eq' || op === 'neq')) {
    return <RecordChoice {...shared} noun={noun} value={text} onChange={(id) => onChange(id ?? '')} />;
  }
  if (kind === 'number') {
    return <NumberInput {...shared} value={text} onChange={(next) => onChange(next === '' ? '' : Number(next))} />;
  }
  return (
    <TextInput
      {...shared}
      type={kind === 'time' || kind === 'date' ? kind : 'text'}
      value={text}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
