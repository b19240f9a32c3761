/** Deletes a record after a question. When it is refused, a dialog says why, with the records that still use it. */
import { Button, Group, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Input, OperationId, Reply } from '../api/operation-types.js';
import { useAct } from '../api/use-act.js';
import { useCan } from '../app/session.js';
import { texts } from '../texts/texts.js';
import { ConfirmButton } from './confirm-button.js';
import { NotDeleted } from './in-use.js';
import { notifyDone } from './notify.js';

type DeleteId = {
  [Id in OperationId]: { path: { id: string } } extends Input<Id> ? (Reply<Id> extends undefined ? Id : never) : never;
}[OperationId];

export interface DeleteButtonProps {
  operation: DeleteId;
  id: string;
  changes: readonly OperationId[];
  question: string;
  text: ReactNode;
  /** What was done, and the title of the refusal. */
  done: string;
  notDone: string;
  onDeleted: () => void;
}

/** Nothing for a member who may not do it. */
export function DeleteButton({ operation, id, changes, question, text, done, notDone, onDeleted }: DeleteButtonProps) {
  const can = useCan();
  // All of them take an id, and answer nothing.
  const remove = useAct(operation as 'deleteTeam', {
    changes,
    onSuccess: () => {
      notifyDone(done);
      onDeleted();
    },
  });
  if (!can(operation)) return null;
  return (
    <>
      <ConfirmButton
        loading={remove.isPending}
        question={{ title: question, text, action: texts.ui.delete, run: () => remove.mutate({ path: { id } }) }}
      />
      <Modal opened={remove.isError} onClose={remove.reset} title={notDone}>
        {remove.error && <NotDeleted error={remove.error} />}
        <Group justify="flex-end" mt="md">
          <Button variant="default" data-autofocus onClick={remove.reset}>
            {texts.ui.close}
          </Button>
        </Group>
      </Modal>
    </>
  );
}
