import { useState } from 'react';
import { FormDialog, useSent } from './form-dialog.js';
import { NoteInput } from './note-input.js';

export interface NoteFormProps {
  title: string;
  label: string;
  placeholder: string;
  action: string;
  /** Resolves to whether it was sent; what went wrong is shown elsewhere. */
  send: (note: string) => Promise<boolean>;
  onClose: () => void;
}

/** Asks for a note, and sends it. */
export function NoteForm({ title, label, placeholder, action, send, onClose }: NoteFormProps) {
  const [note, setNote] = useState('');
  const form = useSent(onClose, () => send(note.trim()));
  return (
    <FormDialog title={title} action={action} isDisabled={note.trim() === ''} close={onClose} form={form}>
      <NoteInput label={label} placeholder={placeholder} value={note} onChange={setNote} data-autofocus />
    </FormDialog>
  );
}
