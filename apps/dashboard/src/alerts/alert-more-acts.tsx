import { Button } from '@mantine/core';
import { useCommands } from '../app/commands.js';
import { useShortcuts } from '../app/shortcuts.js';
import { texts } from '../texts/texts.js';
import type { Alert } from './patch-alerts.js';
import { useAssignAndNote } from './use-assign-and-note.js';

/** Assigning the open alert, and a note. */
export function AlertMoreActs({ alert }: { alert: Alert }) {
  const { acts, dialog } = useAssignAndNote(() => [alert]);
  useShortcuts(texts.alerts.name, acts);
  useCommands(texts.alerts.name, acts);
  return (
    <>
      {acts.map((one) => (
        <Button key={one.id} variant="default" onClick={one.run}>
          {one.label}
        </Button>
      ))}
      {dialog}
    </>
  );
}
