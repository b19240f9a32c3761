import { ActionIcon, Button, Select, TextInput } from '@mantine/core';
import { Cross2Icon, PlusIcon } from '@radix-ui/react-icons';
import { texts } from '../texts/texts.js';
import type { Ignored } from './mapping.js';
import styles from './mapping.module.css';

export interface ConditionRowsProps {
  conditions: readonly Ignored[];
  onChange: (conditions: Ignored[]) => void;
  errorAt: (path: string) => string | undefined;
}

/** What is ignored: a path that equals a value, or is missing. */
export function ConditionRows({ conditions, onChange, errorAt }: ConditionRowsProps) {
  const said = texts.integrations.mapping;
  return (
    <>
      {conditions.map((condition, i) => (
        <div key={i} className={styles.rule}>
          <TextInput
            aria-label={said.path}
            placeholder={said.path}
            value={condition.path}
            onChange={({ currentTarget }) => onChange(conditions.with(i, { ...condition, path: currentTarget.value }))}
            error={errorAt(`ignoreWhen[${i}].path`) ?? errorAt(`ignoreWhen[${i}]`)}
          />
          <Select
            aria-label={said.condition}
            allowDeselect={false}
            value={condition.missing === undefined ? 'equals' : 'missing'}
            onChange={(kind) =>
              onChange(
                conditions.with(
                  i,
                  kind === 'missing' ? { path: condition.path, missing: true } : { path: condition.path, equals: '' },
                ),
              )
            }
            data={(['equals', 'missing'] as const).map((value) => ({ value, label: said.conditions[value] }))}
          />
          {condition.missing === undefined ? (
            <TextInput
              aria-label={said.value}
              placeholder={said.value}
              value={String(condition.equals ?? '')}
              onChange={({ currentTarget }) =>
                onChange(conditions.with(i, { ...condition, equals: currentTarget.value }))
              }
              error={errorAt(`ignoreWhen[${i}].equals`)}
            />
          ) : (
            <span />
          )}
          <ActionIcon
            aria-label={said.removeField(condition.path)}
            onClick={() => onChange(conditions.toSpliced(i, 1))}
            size="lg"
          >
            <Cross2Icon aria-hidden />
          </ActionIcon>
        </div>
      ))}
      <div className={styles.row}>
        <Button
          variant="default"
          leftSection={<PlusIcon aria-hidden />}
          onClick={() => onChange([...conditions, { path: '', equals: '' }])}
        >
          {said.addCondition}
        </Button>
      </div>
    </>
  );
}
