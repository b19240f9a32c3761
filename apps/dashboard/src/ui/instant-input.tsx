/** A date and a time in a zone. A change of the date keeps the time, and the other way round. */
import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { fromLocal, toLocal } from './local-time.js';

export interface InstantInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  /** RFC 3339; empty when nothing is chosen. */
  value: string;
  onChange: (value: string) => void;
  zone: string;
}

export function InstantInput({ value, onChange, zone, ...props }: InstantInputProps) {
  // While it is typed, a date may not exist; the field keeps it, and the form has no time.
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <TextInput
      type="datetime-local"
      rightSection={undefined}
      {...props}
      value={typed ?? (value === '' ? '' : toLocal(value, zone))}
      onChange={({ currentTarget }) => {
        const text = currentTarget.value;
        const at = fromLocal(text, zone);
        setTyped(at === null ? text : null);
        onChange(at ?? '');
      }}
    />
  );
}
