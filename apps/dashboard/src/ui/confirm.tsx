/** Asks before what cannot be taken back. */
import { Button, Group, Modal, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { texts } from '../texts/texts.js';

export interface Question {
  title: string;
  text?: ReactNode;
  /** The word on the button that does it. */
  action: string;
  run: () => void;
}

/** `const [ask, dialog] = useConfirm();` then `ask({...})`, and `{dialog}` in the page. */
export function useConfirm(): [(question: Question) => void, ReactNode] {
  const [question, setQuestion] = useState<Question | null>(null);
  const [open, setOpen] = useState(false);
  const ask = (next: Question): void => {
    setQuestion(next);
    setOpen(true);
  };
  const dialog = (
    <Modal opened={open} onClose={() => setOpen(false)} title={question?.title}>
      {question?.text !== undefined && <Text size="md">{question.text}</Text>}
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={() => setOpen(false)}>
          {texts.ui.cancel}
        </Button>
        <Button
          color="red"
          data-autofocus
          onClick={() => {
            setOpen(false);
            question?.run();
          }}
        >
          {question?.action}
        </Button>
      </Group>
    </Modal>
  );
  return [ask, dialog];
}
