/**
 * A runner of graphile-worker 0.17.3 forgets a notification of new jobs that arrives while it fetches few jobs, or in
 * the pause after that (`refetchDelay`). The new job then waits for the next notification, or for the next poll. It is
 * the usual case here: a short job adds the next one within this pause. With this the fetch after the pause is made.
 */
import type { WorkerEvents } from 'graphile-worker';

/** What graphile-worker's LocalQueue decides by. */
interface Fetching {
  fetchInProgress: boolean;
  refetchDelayActive: boolean;
  refetchDelayFetchOnComplete: boolean;
}

/** `events` are those of one runner, which has not begun. */
export function rememberNotifications(events: WorkerEvents): void {
  let queue: Fetching | null = null;
  let isNotified = false;
  events.on('localQueue:init', ({ localQueue }) => (queue = localQueue as unknown as Fetching));
  events.on('pool:listen:notification', ({ message }) => {
    if (message.channel !== 'jobs:insert') return;
    // The pause may begin when this fetch ends.
    if (queue?.fetchInProgress) isNotified = true;
    else if (queue?.refetchDelayActive) queue.refetchDelayFetchOnComplete = true;
  });
  events.on('localQueue:refetchDelay:start', () => {
    if (queue && isNotified) queue.refetchDelayFetchOnComplete = true;
    isNotified = false;
  });
}
