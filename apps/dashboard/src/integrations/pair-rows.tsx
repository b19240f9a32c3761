import { ActionIcon, Button, Select, TextInput } from '@mantine/core';
import { Cross2Icon, PlusIcon } from '@radix-ui/react-icons';
import type { Pair } from './mapping.js';
import styles from './mapping.module.css';

export interface PairRowsProps {
  pairs: readonly Pair[];
  onChange: (pairs: Pair[]) => void;
  name: string;
  value: string;
  /** The values; without them any text. */
  choices?: { value: string; label: string }[];
  add: string;
  remove: (name: string) => string;
  errorAt: (name: string) => string | undefined;
}

/** A map as rows of a name and a value. */
export function PairRows({ pairs, onChange, name, value, choices, add, remove, errorAt }: PairRowsProps) {
  return (
    <>
      {pairs.map(([word, meaning], i) => (
        <div key={i} className={styles.pair}>
          <TextInput
            aria-label={name}
            placeholder={name}
            value={word}
            onChange={({ currentTarget }) => onChange(pairs.with(i, [currentTarget.value, meaning]))}
            error={word === '' ? undefined : errorAt(word)}
          />
          {choices === undefined ? (
            <TextInput
              aria-label={value}
              placeholder={value}
              value={meaning}
              onChange={({ currentTarget }) => onChange(pairs.with(i, [word, currentTarget.value]))}
            />
          ) : (
            <Select
              aria-label={value}
              allowDeselect={false}
              value={meaning}
              onChange={(next) => onChange(pairs.with(i, [word, next ?? meaning]))}
              data={choices}
            />
          )}
          <ActionIcon aria-label={remove(word)} onClick={() => onChange(pairs.toSpliced(i, 1))} size="lg">
            <Cross2Icon aria-hidden />
          </ActionIcon>
        </div>
      ))}
      <div className={styles.row}>
        <Button
          variant="default"
          leftSection={<PlusIcon aria-hidden />}
          onClick={() => onChange([...pairs, ['', choices?.[0]?.value ?? '']])}
        >
          {add}
        </Button>
      </div>
    </>
  );
}
