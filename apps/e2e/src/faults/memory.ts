/** A replica that gets no more memory: the kernel ends it (out of memory), and it starts again. */
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { serviceNames, type ServiceName } from '../system.js';
import type { Fault } from './fault.js';

export const memoryGroups = '/sys/fs/cgroup/memory';

/** The group counts only the memory that the replica allocates from now on. */
const limitBytes = 128 * 1024;
const times = 2;

const outOfMemory = (service: ServiceName): Fault => ({
  name: `memory-${service}`,
  class: 'memory',
  what: `One replica of ${service} after another gets no more memory, until the kernel has ended it; ${times} times.`,
  needs: ['linux', 'root', 'memory'],
  quick: service === 'alert-pipeline',
  seconds: 0,
  async inject({ system, log }) {
    const group = join(memoryGroups, `ams-faults-${process.pid}`);
    mkdirSync(group);
    writeFileSync(join(group, 'memory.limit_in_bytes'), String(limitBytes));
    try {
      for (let n = 0; n < times; n++) {
        for (const replica of system.replicas(service)) {
          const { restarts } = replica;
          writeFileSync(join(group, 'cgroup.procs'), String(replica.pid));
          const until = Date.now() + 30_000;
          while (replica.restarts === restarts && Date.now() < until) await pause(50);
          if (replica.restarts === restarts) log(`${replica.name} needed no more memory`);
          else replica.killedFromOutside();
        }
      }
    } finally {
      for (const pid of readFileSync(join(group, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean))
        writeFileSync(join(memoryGroups, 'cgroup.procs'), pid);
      await pause(100);
      rmdirSync(group);
    }
  },
});

export const memoryFaults: readonly Fault[] = serviceNames.map(outOfMemory);
