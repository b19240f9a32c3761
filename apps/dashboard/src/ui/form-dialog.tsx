/** A dialog with a short form: its fields, why it was refused, and the two buttons. */
import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import { useState, type FormEvent, type ReactNode } from 'react';
import { texts } from '../texts/texts.js';
import { errorText } from './error-state.js';

export interface FormDialogProps {
  title: string;
  /** Of `useForm`, or of `useSent`. */
  form: { submit: (event: FormEvent) => void; error: Error | null; isSending: boolean };
  close: () => void;
  /** The word on the button that sends it. */
  action?: string;
  isDisabled?: boolean;
  size?: 'lg';
  children: ReactNode;
}

/**
 * A form that stays open until it was sent, so that nobody has to fill it in twice. `send` resolves to whether it was;
 * what went wrong is shown by a message.
 */
export function useSent(close: () => void, send: () => Promise<boolean>): FormDialogProps['form'] {
  const [isSending, setIsSending] = useState(false);
  const submit = async (): Promise<void> => {
    setIsSending(true);
    const isSent = await send();
    setIsSending(false);
    if (isSent) close();
  };
  return {
    submit: (event) => {
      event.preventDefault();
      if (!isSending) void submit();
    },
    error: null,
    isSending,
  };
}

export const FormDialog = ({
  title,
  form: { submit, error, isSending },
  close,
  action = texts.ui.create,
  isDisabled = false,
  size,
  children,
}: FormDialogProps) => (
  <Modal opened onClose={close} title={<bdi>{title}</bdi>} size={size}>
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        {error && <Alert color="red">{errorText(error)}</Alert>}
        {children}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {texts.ui.cancel}
          </Button>
          <Button type="submit" loading={isSending} disabled={isDisabled}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  </Modal>
);
