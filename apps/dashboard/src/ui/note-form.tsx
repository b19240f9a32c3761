import { Button, Group, Modal, Textarea } from '@mantine/core';
import { useState } from 'react';
import { texts } from '../texts/texts.js';

export interface NoteFormProps {
  title: string;
  label: string;
  placeholder: string;
  action: string;
  send: (note: string) => Promise<void> | void;
  onClose: () => void;
}

/** As long as the API takes. */
const maxLength = 4096;

/** Asks for a note, and sends it. */
export function NoteForm({ title, label, placeholder, action, send, onClose }: NoteFormProps) {
  const [note, setNote] = useState('');
  return (
    <Modal opened onClose={onClose} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onClose();
          void send(note.trim());
        }}
      >
        <Textarea
          label={label}
          placeholder={placeholder}
          value={note}
          maxLength={maxLength}
          minRows={3}
          autosize
          maxRows={12}
          data-autofocus
          onChange={({ currentTarget }) => setNote(currentTarget.value)}
        />
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={onClose}>
            {texts.ui.cancel}
          </Button>
          <Button type="submit" disabled={note.trim() === ''}>
            {action}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
