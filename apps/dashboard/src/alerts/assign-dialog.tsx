import { useState } from 'react';
import { texts } from '../texts/texts.js';
import { atOnce, FormDialog } from '../ui/form-dialog.js';
import { MemberSelect } from '../ui/member-select.js';

export interface AssignDialogProps {
  /** Who has the alert; undefined for several alerts. */
  assigneeId: string | null | undefined;
  send: (assigneeId: string | null) => void;
  onClose: () => void;
}

/** Asks to whom alerts are assigned. */
export function AssignDialog({ assigneeId, send, onClose }: AssignDialogProps) {
  const [chosen, setChosen] = useState(assigneeId ?? null);
  return (
    <FormDialog
      title={texts.alerts.assign}
      action={texts.alerts.assign}
      isDisabled={chosen === assigneeId}
      close={onClose}
      form={atOnce(onClose, () => send(chosen))}
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
