/** A dialog with a short form: its fields, why it was refused, and the two buttons. */
import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { texts } from '../texts/texts.js';
import { errorText } from './error-state.js';

export interface FormDialogProps {
  title: string;
  /** Of `useForm`, or of `atOnce`. */
  form: { submit: (event: FormEvent) => void; error: Error | null; isSending: boolean };
  close: () => void;
  /** The word on the button that sends it. */
  action?: string;
  isDisabled?: boolean;
  size?: 'lg';
  children: ReactNode;
}

/** A form that closes when it is sent: what becomes of it is shown on the page. */
export const atOnce = (close: () => void, send: () => void): FormDialogProps['form'] => ({
  submit: (event) => {
    event.preventDefault();
    close();
    send();
  },
  error: null,
  isSending: false,
});

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
