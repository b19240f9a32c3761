import { Textarea } from '@mantine/core';

export interface NoteInputProps {
  label: string;
  placeholder?: string;
  value: string;
  onChange: (note: string) => void;
  'data-autofocus'?: boolean;
}

/** As long as the API takes. */
const maxLength = 4096;

/** A note about a change. */
export const NoteInput = ({ onChange, ...props }: NoteInputProps) => (
  <Textarea
    {...props}
    maxLength={maxLength}
    autosize
    minRows={2}
    maxRows={12}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
);
