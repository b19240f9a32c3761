/** Connections that send slowly, from processes of their own, and requests that must be served meanwhile. */
import { spawnGuarded } from '@ams/embedded';
import { eventually } from '@ams/testing';
import { join } from 'node:path';

export interface SlowSenders {
  /** The connections that are open now, and those that the gateways have closed so far. */
  readonly open: number;
  readonly closed: number;
  stop(): Promise<void>;
}

/** Opens `connections` to each port, and returns when most of them are open. */
export async function openSlowSenders(
  ports: readonly number[],
  { connections, addresses }: { connections: number; addresses: number },
): Promise<SlowSenders> {
  const script = join(import.meta.dirname, 'slow-sender-process.mjs');
  const counts = ports.map(() => ({ open: 0, closed: 0 }));
  const processes = await Promise.all(
    ports.map((port, n) =>
      spawnGuarded(process.execPath, [script, port, connections, addresses, 10 + 10 * n].map(String), {
        output: (line) => Object.assign(counts[n] as object, JSON.parse(line) as object),
      }),
    ),
  );
  const sum = (what: 'open' | 'closed'): number => counts.reduce((total, count) => total + count[what], 0);
  const senders: SlowSenders = {
    get open() {
      return sum('open');
    },
    get closed() {
      return sum('closed');
    },
    stop: async () => void (await Promise.all(processes.map((child) => child.kill()))),
  };
  try {
    // Some are closed and opened again all the time.
    await eventually(() => expect(senders.open).toBeGreaterThan(ports.length * connections * 0.7), {
      timeoutMs: 180_000,
    });
  } catch (error) {
    await senders.stop();
    throw error;
  }
  return senders;
}
