import { useState } from 'react';
import { atOnce, FormDialog } from './form-dialog.js';
import { NoteInput } from './note-input.js';

export interface NoteFormProps {
  title: string;
  label: string;
  placeholder: string;
  action: string;
  send: (note: string) => Promise<void> | void;
  onClose: () => void;
}

/** Asks for a note, and sends it. */
export function NoteForm({ title, label, placeholder, action, send, onClose }: NoteFormProps) {
  const [note, setNote] = useState('');
  return (
    <FormDialog
      title={title}
      action={action}
      isDisabled={note.trim() === ''}
      close={onClose}
      form={atOnce(onClose, () => void send(note.trim()))}
    >
      <NoteInput label={label} placeholder={placeholder} value={note} onChange={setNote} data-autofocus />
    </FormDialog>
  );
}
