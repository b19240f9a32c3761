/** A full disk and a slow disk under NATS and under PostgreSQL. Each has a small ext4 file system of its own. */
import { eventually } from '@ams/testing';
import { existsSync } from 'node:fs';
import type { Fault, FaultRun } from './fault.js';
import { withChildren } from './processes.js';

type Store = 'nats' | 'postgres';

const titles: Record<Store, string> = { nats: 'NATS', postgres: 'PostgreSQL' };

const diskOf = ({ system }: FaultRun, store: Store) => {
  if (!system.disks) throw new Error('the system has no disks of its own');
  return system.disks[store];
};

/** NATS reserves the sizes of all streams. The files need only the space that is written. */
const common = { class: 'disk', system: { diskMegabytes: 12_000 } } as const;

/** NATS switches JetStream off when it cannot write, and PostgreSQL ends: an operator starts them again. */
async function startAgain({ system, log }: FaultRun, store: Store): Promise<void> {
  const works = async (): Promise<boolean> => {
    if (store === 'postgres') return existsSync(`/proc/${system.postgres.pid}`) && (await canWrite(system));
    return system.observe(async (nats) => {
      const answer = await nats.request('$JS.API.INFO', '', { timeout: 2000 });
      return answer.json<{ error?: unknown }>().error === undefined;
    });
  };
  if (await works().catch(() => false)) return;
  log(`${titles[store]} is started again, because it does not work although its disk has free space`);
  await system[store].restart();
  await eventually(works, { timeoutMs: 30_000 });
}

const canWrite = async ({ sql }: FaultRun['system']): Promise<boolean> => {
  await sql('SELECT pg_logical_emit_message(true, $1, $1)', ['faults']);
  return true;
};

const full = (store: Store): Fault => ({
  ...common,
  name: `disk-full-${store}`,
  what:
    `The disk of ${titles[store]} is full. Afterwards it has free space, and a server that does not work is started ` +
    'again.',
  needs: ['linux', 'root', 'loop'],
  quick: store === 'nats',
  seconds: 30,
  inject: async (run) => diskOf(run, store).fill(),
  async end(run) {
    diskOf(run, store).free();
    await startAgain(run, store);
  },
});

const writesPerSecond = 20;

const slow = (store: Store): Fault => ({
  ...common,
  name: `disk-slow-${store}`,
  what: `The disk of ${titles[store]} is limited to ${writesPerSecond} writes a second.`,
  needs: ['linux', 'root', 'loop', 'blkio'],
  seconds: 60,
  inject: async (run) => diskOf(run, store).slow(withChildren(run.system[store].pid), writesPerSecond),
  end: async (run) => diskOf(run, store).quicken(),
});

export const diskFaults: readonly Fault[] = [full('nats'), full('postgres'), slow('nats'), slow('postgres')];
