/** Short messages about what was done. */
import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { texts } from '../texts/texts.js';
import { errorText } from './error-state.js';

const undoMs = 8000;

/** What was done; with `undo`, a button that takes it back. */
export function notifyDone(message: string, undo?: () => void): void {
  const id = crypto.randomUUID();
  const run = (): void => {
    notifications.hide(id);
    undo?.();
  };
  notifications.show({
    id,
    autoClose: undo ? undoMs : 4000,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <span>{message}</span>
        {undo && (
          <Button variant="subtle" onClick={run}>
            {texts.ui.undo}
          </Button>
        )}
      </Group>
    ),
  });
}

/** What could not be done, and why. */
export const notifyFailed = (title: string, error: unknown): void => {
  notifications.show({ color: 'red', title, message: errorText(error), autoClose: 10_000 });
};
