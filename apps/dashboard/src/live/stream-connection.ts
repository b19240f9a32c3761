/** One connection to `GET /api/v1/stream` that is made again when it ends, from the last event on. */
import type { Environment } from '@ams/scopes';
import type { LiveState } from './connection-state.js';
import { eventStreamParser } from './event-stream.js';
import { liveEventOf, type LiveEvent } from './live-event.js';

export interface StreamListener {
  onEvent(event: LiveEvent): void;
  /** What was heard up to here needs not be sent again. */
  onPosition(position: string): void;
  /** Events were missed: everything must be read again. */
  onReset(): void;
  onState(state: LiveState): void;
}

/** The server sends a comment every 15 seconds. A connection without anything for longer is dead. */
const silentMs = 40_000;
const longestPauseMs = 15_000;

/** Runs until `signal` aborts. `position()` is where to go on; empty at first. */
export async function followStream(
  environment: Environment,
  position: () => string,
  listener: StreamListener,
  signal: AbortSignal,
): Promise<void> {
  let failures = 0;
  let lastHeard: string | null = null;
  while (!signal.aborted) {
    const parser = eventStreamParser();
    const outcome = await readOnce(environment, position(), signal, (text) => {
      failures = 0;
      lastHeard = new Date().toISOString();
      listener.onState({ kind: 'live' });
      for (const { event, data } of parser.push(text)) {
        const live = liveEventOf(data);
        if (event === 'reset') listener.onReset();
        else if (live !== null) listener.onEvent(live);
      }
      if (parser.lastId !== '' && parser.lastId !== position()) listener.onPosition(parser.lastId);
    });
    if (signal.aborted) return;
    if (outcome === 'refused') return listener.onState({ kind: 'off' });
    listener.onState(lastHeard === null ? { kind: 'connecting' } : { kind: 'stale', since: lastHeard });
    failures += 1;
    const pause = Math.min(parser.retryMs ?? 500 * 2 ** failures, longestPauseMs);
    await wait(pause * (0.5 + Math.random()), signal);
  }
}

/** `refused`: another attempt would be answered in the same way. */
async function readOnce(
  environment: Environment,
  position: string,
  signal: AbortSignal,
  onText: (text: string) => void,
): Promise<'ended' | 'refused'> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), silentMs);
  try {
    const response = await fetch('/api/v1/stream', {
      headers: {
        accept: 'text/event-stream',
        'x-environment': environment,
        ...(position === '' ? {} : { 'last-event-id': position }),
      },
      cache: 'no-store',
      signal: AbortSignal.any([signal, silence.signal]),
    });
    if (!response.ok) return [401, 403, 404, 405].includes(response.status) ? 'refused' : 'ended';
    if (response.body === null) return 'ended';
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    onText('');
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return 'ended';
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), silentMs);
      onText(value);
    }
  } catch {
    return 'ended';
  } finally {
    clearTimeout(timer);
  }
}

const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
