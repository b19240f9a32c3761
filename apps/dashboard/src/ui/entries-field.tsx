/** Names with values: labels, headers. A name that is empty or there twice is kept on the screen, and not in the value. */
import { ActionIcon, Button, Input, TextInput } from '@mantine/core';
import { Cross2Icon, PlusIcon } from '@radix-ui/react-icons';
import { useState } from 'react';
import { texts } from '../texts/texts.js';
import styles from './entries-field.module.css';

export interface EntriesFieldProps {
  label: string;
  /** The words on the button that adds one. */
  add: string;
  entries: Readonly<Record<string, string>>;
  onChange: (entries: Record<string, string>) => void;
  path: string;
  errorAt: (path: string) => string | undefined;
  disabled?: boolean;
}

const isSame = (rows: readonly (readonly [string, string])[], entries: Readonly<Record<string, string>>): boolean =>
  JSON.stringify(Object.fromEntries(rows.filter(([name]) => name !== ''))) === JSON.stringify(entries);

export function EntriesField({ label, add, entries, onChange, path, errorAt, disabled = false }: EntriesFieldProps) {
  const [typed, setTyped] = useState<[string, string][]>(() => Object.entries(entries));
  const rows = isSame(typed, entries) ? typed : Object.entries(entries);
  const change = (next: [string, string][]): void => {
    setTyped(next);
    onChange(Object.fromEntries(next.filter(([name]) => name !== '')));
  };
  const fault = errorAt(path);
  return (
    <Input.Wrapper label={label} error={fault} labelElement="div">
      <div className={styles.entries} role="group" aria-label={label}>
        {rows.map(([name, value], index) => (
          <div key={index} className={styles.entry}>
            <TextInput
              size="xs"
              aria-label={texts.ui.entryName}
              placeholder={texts.ui.entryName}
              value={name}
              disabled={disabled}
              onChange={({ currentTarget }) => change(rows.with(index, [currentTarget.value, value]))}
            />
            <TextInput
              size="xs"
              aria-label={texts.ui.entryValue}
              placeholder={texts.ui.entryValue}
              value={value}
              disabled={disabled}
              error={errorAt(`${path}.${name}`)}
              onChange={({ currentTarget }) => change(rows.with(index, [name, currentTarget.value]))}
            />
            {!disabled && (
              <ActionIcon aria-label={texts.ui.removeEntry(name)} onClick={() => change(rows.toSpliced(index, 1))}>
                <Cross2Icon aria-hidden />
              </ActionIcon>
            )}
          </div>
        ))}
        {!disabled && (
          <div>
            <Button
              variant="subtle"
              leftSection={<PlusIcon aria-hidden />}
              onClick={() => setTyped([...rows, ['', '']])}
            >
              {add}
            </Button>
          </div>
        )}
      </div>
    </Input.Wrapper>
  );
}
