/** Replicas are replaced one after another, by the same release or by another one. */
import { setTimeout as pause } from 'node:timers/promises';
import { root } from '../system/replica.js';
import { serviceNames } from '../system.js';
import type { Fault } from './fault.js';

const rollingRestart: Fault = {
  name: 'restart-everything',
  class: 'upgrade',
  what: 'Every replica is restarted, one after another, then NATS and PostgreSQL.',
  quick: true,
  seconds: 0,
  async inject({ system }) {
    for (const replica of system.allReplicas) {
      await replica.restart();
      await pause(300); // a load balancer requests /readyz in this time
    }
    await system.nats.restart();
    await system.postgres.restart();
  },
};

/** `yesterday`: the folder of a checkout of an earlier release, with compiled services, or undefined. */
export const upgradeFaults = (yesterday: string | undefined): readonly Fault[] => [
  rollingRestart,
  {
    name: 'yesterday-beside-today',
    class: 'upgrade',
    what:
      'Services of an earlier release run on the schema of this release for 20 s, beside services of this release. ' +
      'Then each replica is replaced by this release.',
    needs: ['yesterday'],
    system: yesterday === undefined ? {} : { servicesOf: yesterday },
    ownSystem: true,
    seconds: 20,
    async inject({ system }) {
      // The first replica of each service is of this release, the second one of the earlier release.
      for (const service of serviceNames) await system.replicas(service)[0]?.restart(root);
    },
    async end({ system }) {
      for (const replica of system.allReplicas) await replica.restart(root);
    },
  },
];
