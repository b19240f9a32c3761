/** The search of a list. What is typed goes to the address after a short pause; `/` goes to the field. */
import { CloseButton, Kbd, TextInput } from '@mantine/core';
import { MagnifyingGlassIcon } from '@radix-ui/react-icons';
import { useRef, useState } from 'react';
import { useShortcuts } from '../app/shortcuts.js';
import { texts } from '../texts/texts.js';

const pauseMs = 200;
const maxLength = 200;

export interface SearchFieldProps {
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  label: string;
}

export function SearchField({ value = '', onChange, label }: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  // The address changed otherwise: by a saved view, or by going back.
  if (known !== value) {
    setKnown(value);
    setTyped(value);
  }
  const send = (next: string): void => {
    clearTimeout(timer.current);
    setKnown(next);
    onChange(next === '' ? undefined : next);
  };
  useShortcuts(texts.ui.list.keys, [{ keys: '/', label, run: () => input.current?.focus() }]);
  return (
    <TextInput
      ref={input}
      type="search"
      size="xs"
      value={typed}
      aria-label={label}
      placeholder={label}
      maxLength={maxLength}
      leftSection={<MagnifyingGlassIcon aria-hidden />}
      rightSection={
        typed === '' ? (
          <Kbd size="xs" visibleFrom="sm" aria-hidden>
            /
          </Kbd>
        ) : (
          <CloseButton size="xs" aria-label={texts.ui.clearSearch} onClick={() => (setTyped(''), send(''))} />
        )
      }
      onChange={({ currentTarget }) => {
        const next = currentTarget.value;
        setTyped(next);
        clearTimeout(timer.current);
        timer.current = setTimeout(() => send(next), pauseMs);
      }}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Enter') send(typed);
        if (key === 'Escape') currentTarget.blur();
      }}
    />
  );
}
