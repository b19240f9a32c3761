/** Short messages about what was done. */
import { Button, Group } from '@mantine/core';
import type { NotificationData } from '@mantine/notifications';
import { lazy, Suspense } from 'react';
import { texts } from '../texts/texts.js';
import { errorText } from './error-state.js';
import { Late } from './late.js';

const undoMs = 8000;
const messages = new Late();
const load = () => import('@mantine/notifications');
const Notifications = lazy(async () => ({ default: (await load()).Notifications }));

/** Where the messages appear. */
export function Messages() {
  return (
    messages.use() && (
      <Suspense>
        <Notifications position="bottom-right" limit={4} />
      </Suspense>
    )
  );
}

async function show(message: NotificationData): Promise<void> {
  messages.want();
  const { notifications } = await load();
  notifications.show(message);
}

async function hide(id: string): Promise<void> {
  const { notifications } = await load();
  notifications.hide(id);
}

/** What was done; with `undo`, a button that takes it back. */
export function notifyDone(message: string, undo?: () => void): void {
  const id = crypto.randomUUID();
  const run = (): void => {
    void hide(id);
    undo?.();
  };
  void show({
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
  void show({ color: 'red', title, message: errorText(error), autoClose: 10_000 });
};
