import { useState } from 'react';
import { texts } from '../texts/texts.js';
import { FormDialog, useSent } from '../ui/form-dialog.js';
import { MemberSelect } from '../ui/member-select.js';

export interface AssignDialogProps {
  /** Who has the alert; undefined for several alerts. */
  assigneeId: string | null | undefined;
  /** Resolves to whether it was sent; what went wrong is shown by a message. */
  send: (assigneeId: string | null) => Promise<boolean>;
  onClose: () => void;
}

/** Asks to whom alerts are assigned. */
export function AssignDialog({ assigneeId, send, onClose }: AssignDialogProps) {
  const [chosen, setChosen] = useState(assigneeId ?? null);
  const form = useSent(onClose, () => send(chosen));
  return (
    <FormDialog
      title={texts.alerts.assign}
      action={texts.alerts.assign}
      isDisabled={chosen === assigneeId}
      close={onClose}
      form={form}
    >
      <MemberSelect
        label={texts.alerts.assignee}
        description={texts.alerts.assignHint}
        value={chosen}
        onChange={setChosen}
        clearable
        data-autofocus
      />
    </FormDialog>
  );
}
