/** The name server does not answer: services cannot find PostgreSQL and NATS when they connect. */
import type { Fault, FaultRun } from './fault.js';

const change = async ({ system: { names, proxies } }: FaultRun, known: boolean): Promise<void> => {
  if (!names || !proxies) throw new Error('the servers have no names');
  names.know(known);
  // An open connection needs no name, so all connections are cut.
  if (!known) for (const proxy of [proxies.postgres, proxies.nats]) proxy.cut();
};

export const nameFaults: readonly Fault[] = [
  {
    name: 'names-gone',
    class: 'names',
    what: 'The names of PostgreSQL and NATS are unknown, and all connections to both are cut, for 60 s.',
    needs: ['linux', 'root'],
    system: { place: 'names', proxied: true },
    seconds: 60,
    inject: (run) => change(run, false),
    end: (run) => change(run, true),
  },
  {
    name: 'names-gone-briefly',
    class: 'names',
    what: 'The same as names-gone, for five seconds.',
    needs: ['linux', 'root'],
    system: { place: 'names', proxied: true },
    seconds: 5,
    inject: (run) => change(run, false),
    end: (run) => change(run, true),
  },
];
