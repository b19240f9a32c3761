/** Short messages about what was done. */
import { Button, Group } from '@mantine/core';
import type { NotificationData } from '@mantine/notifications';
import { texts } from '../texts/texts.js';
import { errorText } from './error-state.js';
import { Late } from './late.js';

const undoMs = 8000;
const messages = new Late(() => import('@mantine/notifications'));

/** Where the messages appear. */
export function Messages() {
  const loaded = messages.use();
  return loaded && <loaded.Notifications position="bottom-right" limit={4} />;
}

/** A message of the first seconds is lost when the server cannot be reached. */
const show = (message: NotificationData): void =>
  void messages.get().then(
    ({ notifications }) => notifications.show(message),
    () => undefined,
  );

/** What was done; with `undo`, a button that takes it back. */
export function notifyDone(message: string, undo?: () => void): void {
  const id = crypto.randomUUID();
  const run = (): void => {
    void messages.get().then(({ notifications }) => notifications.hide(id));
    undo?.();
  };
  show({
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
  show({ color: 'red', title, message: errorText(error), autoClose: 10_000 });
};
