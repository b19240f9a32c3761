import { useState } from 'react';
import { FormDialog } from './form-dialog.js';
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

/** Asks for a note, and sends it. It stays open until the note was sent, so that nobody writes a note twice. */
export function NoteForm({ title, label, placeholder, action, send, onClose }: NoteFormProps) {
  const [note, setNote] = useState('');
  const [isSending, setIsSending] = useState(false);
  const submit = async (): Promise<void> => {
    setIsSending(true);
    const isSent = await send(note.trim());
    setIsSending(false);
    if (isSent) onClose();
  };
  return (
    <FormDialog
      title={title}
      action={action}
      isDisabled={note.trim() === ''}
      close={onClose}
      form={{
        submit: (event) => {
          event.preventDefault();
          void submit();
        },
        error: null,
        isSending,
      }}
    >
      <NoteInput label={label} placeholder={placeholder} value={note} onChange={setNote} data-autofocus />
    </FormDialog>
  );
}
