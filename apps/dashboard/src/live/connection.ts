/**
 * One connection for all tabs of a browser: the tab that holds a lock has it, and passes on what it hears. When that tab
 * is closed, another one gets the lock and goes on where that one was.
 */
import type { Environment } from '@ams/scopes';
import { queryClient } from '../app/query-client.js';
import { applyEvents } from './apply.js';
import { setLiveState, type LiveState } from './connection-state.js';
import type { LiveEvent } from './live-event.js';
import { followStream, type StreamListener } from './stream-connection.js';

type Message =
  | { kind: 'event'; event: LiveEvent }
  /** Where another tab goes on. */
  | { kind: 'position'; position: string }
  | { kind: 'reset' }
  | { kind: 'state'; state: LiveState }
  /** A tab that was opened asks for both. */
  | { kind: 'ask' };

/** Events of this time are applied together, so that a storm is a few renderings a second. */
const gatherMs = 100;

/** Everything that is shown. */
export const readAgain = (): void =>
  void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'getSession' });

/** Tabs of the same member and environment share it. Returns the function that ends it. */
export function connectLive(environment: Environment, memberId: string): () => void {
  const name = `live-${environment}-${memberId}`;
  const ending = new AbortController();
  const channel = new BroadcastChannel(name);
  let position = '';
  let present: LiveState = { kind: 'connecting' };
  let isFollowing = false;
  let gathered: LiveEvent[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  const flush = (): void => {
    timer = undefined;
    applyEvents(queryClient, gathered);
    gathered = [];
  };
  const hear = (message: Message): void => {
    if (message.kind === 'event') {
      gathered.push(message.event);
      timer ??= setTimeout(flush, gatherMs);
    } else if (message.kind === 'position') {
      position = message.position;
    } else if (message.kind === 'reset') {
      readAgain();
    } else if (message.kind === 'state') {
      setLiveState((present = message.state));
      // What changed between the reading and the beginning of the stream is in no event.
      if (present.kind === 'live' && !isFollowing) readAgain();
      isFollowing ||= present.kind === 'live';
    }
  };
  const tell = (message: Message): void => {
    hear(message);
    channel.postMessage(message);
  };
  const listener: StreamListener = {
    onEvent: (event) => tell({ kind: 'event', event }),
    onPosition: (heard) => tell({ kind: 'position', position: heard }),
    onReset: () => tell({ kind: 'reset' }),
    onState: (state) => {
      if (state.kind !== present.kind) tell({ kind: 'state', state });
    },
  };
  const lead = async (): Promise<void> => {
    channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
      if (data.kind !== 'ask') return;
      channel.postMessage({ kind: 'position', position } satisfies Message);
      channel.postMessage({ kind: 'state', state: present } satisfies Message);
    });
    await followStream(environment, () => position, listener, ending.signal);
    // Refused: keep the lock, so that no other tab asks again, until this tab is closed.
    await new Promise<void>((resolve) => ending.signal.addEventListener('abort', () => resolve(), { once: true }));
  };

  setLiveState(present);
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => hear(data));
  channel.postMessage({ kind: 'ask' } satisfies Message);
  // Locks exist on HTTPS and on localhost only. Without them each tab has its own connection.
  if (navigator.locks === undefined) void lead();
  else navigator.locks.request(name, { signal: ending.signal }, lead).catch(() => undefined);
  return () => {
    ending.abort();
    clearTimeout(timer);
    channel.close();
  };
}
