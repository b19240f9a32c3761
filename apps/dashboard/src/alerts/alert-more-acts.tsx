import { Button, Group, Modal } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../api/call.js';
import { invalidate } from '../api/queries.js';
import { useCommands } from '../app/commands.js';
import { useCan } from '../app/session.js';
import { useShortcuts } from '../app/shortcuts.js';
import { texts } from '../texts/texts.js';
import { MemberSelect } from '../ui/member-select.js';
import { NoteForm } from '../ui/note-form.js';
import { notifyDone, notifyFailed } from '../ui/notify.js';
import type { Alert } from './patch-alerts.js';
import { changedByAlerts } from './use-alert-acts.js';

type Dialog = 'assign' | 'note';

/** Assigning the alert, and a note: what changes no status. */
export function AlertMoreActs({ alert }: { alert: Alert }) {
  const { id, title, assigneeId } = alert;
  const can = useCan();
  const queries = useQueryClient();
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const close = (): void => setDialog(null);
  const offered = [
    { id: 'assign' as const, keys: 'h', label: texts.alerts.assign, may: can('assignAlert') && can('listMembers') },
    { id: 'note' as const, keys: 'n', label: texts.alerts.addNote, may: can('createAlertNote') },
  ].filter(({ may }) => may);
  const acts = offered.map((one) => ({ ...one, run: () => setDialog(one.id) }));
  useShortcuts(texts.alerts.name, acts);
  useCommands(texts.alerts.name, acts);
  const act = async (done: string, send: () => Promise<unknown>): Promise<void> => {
    try {
      await send();
      notifyDone(done);
    } catch (error) {
      notifyFailed(texts.alerts.changeFailed(title), error);
    }
    await invalidate(queries, changedByAlerts);
  };
  return (
    <>
      {acts.map((one) => (
        <Button key={one.id} variant="default" onClick={one.run}>
          {one.label}
        </Button>
      ))}
      {dialog === 'assign' && (
        <Assign
          assigneeId={assigneeId}
          onClose={close}
          send={(next) =>
            act(next === null ? texts.alerts.unassigned(title) : texts.alerts.assigned(title), () =>
              call('assignAlert', { path: { id }, body: { assigneeId: next } }),
            )
          }
        />
      )}
      {dialog === 'note' && (
        <NoteForm
          title={texts.alerts.addNote}
          label={texts.alerts.note}
          placeholder={texts.alerts.noteText}
          action={texts.alerts.addNote}
          onClose={close}
          send={(note) => act(texts.alerts.noted, () => call('createAlertNote', { path: { id }, body: { note } }))}
        />
      )}
    </>
  );
}

interface AssignProps {
  assigneeId: string | null;
  send: (assigneeId: string | null) => Promise<void>;
  onClose: () => void;
}

function Assign({ assigneeId, send, onClose }: AssignProps) {
  const [chosen, setChosen] = useState(assigneeId);
  return (
    <Modal opened onClose={onClose} title={texts.alerts.assign}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onClose();
          void send(chosen);
        }}
      >
        <MemberSelect
          label={texts.alerts.assignee}
          description={texts.alerts.assignHint}
          value={chosen}
          onChange={setChosen}
          clearable
          data-autofocus
        />
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={onClose}>
            {texts.ui.cancel}
          </Button>
          <Button type="submit" disabled={chosen === assigneeId}>
            {texts.alerts.assign}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
