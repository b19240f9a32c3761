/** One comparison: field, operator, value. */
import { ActionIcon, Autocomplete, NativeSelect, TextInput } from '@mantine/core';
import { Cross2Icon } from '@radix-ui/react-icons';
import { texts } from '../texts/texts.js';
import { fieldsOf, kindOf, operatorsOf, valueFor, withField, type FieldGroup, type Predicate } from './fields.js';
import { ValueInput } from './value-input.js';
import { fieldText, operatorText } from './words.js';
import styles from './conditions.module.css';

export interface PredicateEditorProps {
  predicate: Predicate;
  onChange: (predicate: Predicate) => void;
  onRemove: () => void;
  groups: readonly FieldGroup[];
  path: string;
  errorAt: (path: string) => string | undefined;
  disabled?: boolean;
}

export function PredicateEditor(props: PredicateEditorProps) {
  const { predicate, onChange, onRemove, groups, path, errorAt, disabled = false } = props;
  const { field, op, value, timezone } = predicate;
  const kind = kindOf(field);
  const hasOperator = operatorsOf[kind].includes(op);
  return (
    <div className={styles.predicate}>
      <Autocomplete
        size="xs"
        className={styles.field}
        aria-label={texts.conditions.field}
        placeholder={texts.conditions.fieldHint}
        value={field}
        disabled={disabled}
        error={errorAt(`${path}.field`)}
        maxDropdownHeight={320}
        data={choices(groups)}
        renderOption={({ option }) => (
          <span className={styles.option}>
            {fieldText(option.value)} <code>{option.value}</code>
          </span>
        )}
        onChange={(next) => onChange(withField(predicate, next))}
      />
      <NativeSelect
        size="xs"
        aria-label={texts.conditions.operator}
        value={op}
        disabled={disabled}
        error={errorAt(`${path}.op`)}
        data={[...operatorsOf[kind], ...(hasOperator ? [] : [op])].map((each) => ({
          value: each,
          label: operatorText(each, field),
        }))}
        onChange={({ currentTarget }) => {
          const next = currentTarget.value as Predicate['op'];
          onChange({ ...predicate, op: next, value: valueFor(next, kind, value) });
        }}
      />
      <ValueInput
        predicate={predicate}
        disabled={disabled}
        error={errorAt(`${path}.value`) ?? firstOfEntries(path, value, errorAt)}
        onChange={(next) => onChange({ ...predicate, value: next })}
      />
      {field.startsWith('now.') && (
        <TextInput
          size="xs"
          aria-label={texts.conditions.timezone}
          placeholder="UTC"
          value={timezone ?? ''}
          disabled={disabled}
          error={errorAt(`${path}.timezone`)}
          onChange={({ currentTarget }) => {
            const { timezone: _before, ...rest } = predicate;
            onChange(currentTarget.value === '' ? rest : { ...rest, timezone: currentTarget.value });
          }}
        />
      )}
      {!disabled && (
        <ActionIcon className={styles.remove} aria-label={texts.conditions.remove} onClick={onRemove}>
          <Cross2Icon aria-hidden />
        </ActionIcon>
      )}
    </div>
  );
}

/** The fault of one of several values. */
function firstOfEntries(
  path: string,
  value: Predicate['value'],
  errorAt: (path: string) => string | undefined,
): string | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.map((_each, index) => errorAt(`${path}.value[${index}]`)).find((fault) => fault !== undefined);
}

const choices = (groups: readonly FieldGroup[]) =>
  fieldsOf(groups).map(({ group, fields }) => ({
    group: texts.conditions.groups[group],
    items: [
      ...fields,
      ...(group === 'alert' ? ['labels.env', 'labels.service'] : []),
      ...(group === 'alerts.any' ? ['alerts.any.labels.env'] : []),
    ],
  }));
