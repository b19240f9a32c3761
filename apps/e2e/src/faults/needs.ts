/** What a machine must offer for a fault. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { blkio } from '../system/disks.js';
import { faketimeLibrary } from '../system/places/clocks.js';
import type { Fault, Need } from './fault.js';
import { memoryGroups } from './memory.js';

const runs = (command: string): boolean => spawnSync(command, ['-V'], { stdio: 'ignore' }).error === undefined;

export interface Machine {
  /** The folder of a checkout of an earlier release, with compiled services. */
  yesterday?: string | undefined;
}

/** Null, or why the machine does not offer it. */
const checks: Record<Need, (machine: Machine) => string | null> = {
  linux: () => (process.platform === 'linux' ? null : 'it needs Linux'),
  root: () => (process.getuid?.() === 0 ? null : 'it needs root'),
  yesterday: ({ yesterday }) => (yesterday === undefined ? 'it needs --yesterday DIR' : null),
  faketime: () => (existsSync(faketimeLibrary) ? null : 'it needs libfaketime (Debian: apt-get install libfaketime)'),
  nft: () => (runs('nft') ? null : 'it needs nft (Debian: apt-get install nftables)'),
  loop: () => (existsSync('/dev/loop-control') && runs('mkfs.ext4') ? null : 'it needs loop devices and mkfs.ext4'),
  blkio: () => (existsSync(join(blkio, 'cgroup.procs')) ? null : `it needs cgroup v1 at ${blkio}`),
  memory: () => (existsSync(join(memoryGroups, 'cgroup.procs')) ? null : `it needs cgroup v1 at ${memoryGroups}`),
};

export function missingNeeds({ needs = [] }: Fault, machine: Machine): string | null {
  const missing = needs.map((need) => checks[need](machine)).filter((reason) => reason !== null);
  return missing.length === 0 ? null : missing.join('; ');
}
