// Resource use of processes from Linux's /proc: CPU time and memory of a process with its descendants.
import { readdirSync, readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

const ticksPerSecond = (() => {
  try {
    return Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })) || 100;
  } catch {
    return 100;
  }
})();

/** Field numbers of proc(5), after the name in brackets, which may contain any character. */
function stat(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return {
      parent: Number(fields[1]),
      own: Number(fields[11]) + Number(fields[12]),
      gone: Number(fields[13]) + Number(fields[14]),
    };
  } catch {
    return null;
  }
}

/** The process and its descendants, without the watcher of a service, which uses nothing. */
export function treeOf(pid) {
  const children = new Map();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const parent = stat(entry)?.parent;
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), Number(entry)]);
  }
  const tree = [pid];
  for (let i = 0; i < tree.length; i++) tree.push(...(children.get(tree[i]) ?? []));
  return tree;
}

/** The process and its descendants stand still until `resume`. */
export function standStill(pid) {
  const pids = treeOf(pid);
  const signal = (order, name) => {
    for (const one of order) {
      try {
        process.kill(one, name);
      } catch (error) {
        if (error.code !== 'ESRCH') throw error; // it has ended
      }
    }
  };
  signal(pids, 'SIGSTOP');
  return { resume: () => signal(pids.toReversed(), 'SIGCONT') };
}

/** CPU seconds so far, including ended children. */
export const cpuSeconds = (pids) =>
  pids.flatMap(treeOf).reduce((sum, pid) => {
    const times = stat(pid);
    return sum + (times ? times.own + times.gone : 0);
  }, 0) / ticksPerSecond;

/** Proportional set size in MB: shared pages are counted only once in total. */
export const pssMegabytes = (pids) =>
  pids.flatMap(treeOf).reduce((sum, pid) => {
    try {
      return sum + Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
    } catch {
      return sum;
    }
  }, 0) / 1024;

/** Bytes that the processes, with their living descendants, have sent to disks (proc(5), io). */
export const writtenBytes = (pids) =>
  pids.flatMap(treeOf).reduce((sum, pid) => {
    try {
      return sum + Number(/^write_bytes: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1] ?? 0);
    } catch {
      return sum;
    }
  }, 0);

/** Runs `work`, and returns the CPU seconds that each of the named processes used meanwhile. */
export async function withCpu(pidsByName, work) {
  const read = () => Object.fromEntries(Object.entries(pidsByName).map(([name, pid]) => [name, cpuSeconds([pid])]));
  const before = read();
  const result = await work();
  const after = read();
  const cpu = Object.fromEntries(Object.keys(after).map((name) => [name, after[name] - before[name]]));
  return { result, cpu, total: Object.values(cpu).reduce((sum, seconds) => sum + seconds, 0) };
}

const idleShare = 0.6;
const longestMs = 60_000;

/** Waits until the named processes use less than 0.6 of a processor for two seconds, at most a minute. */
export async function untilIdle(pidsByName) {
  const end = performance.now() + longestMs;
  for (;;) {
    const began = performance.now();
    const { total } = await withCpu(pidsByName, () => sleep(2000));
    const now = performance.now();
    if ((1000 * total) / (now - began) < idleShare || now > end) return;
  }
}
