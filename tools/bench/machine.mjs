// Properties of the machine that affect results.
import { closeSync, fsyncSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { cpus, release, tmpdir, totalmem } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { median } from './measure.mjs';

export function machineFacts() {
  return {
    at: new Date().toISOString(),
    cores: cpus().length,
    processor: cpus()[0]?.model ?? 'unknown',
    memoryMegabytes: Math.round(totalmem() / 1024 / 1024),
    system: systemName(),
    kernel: release(),
    node: process.versions.node,
    fsyncMs: fsyncMs(),
  };
}

/** The share of the CPU time of all cores that is used in the next `ms`, 0 to 1. */
export async function busyShare(ms) {
  const read = () =>
    cpus().reduce(
      ({ all, idle }, { times }) => ({
        all: all + Object.values(times).reduce((sum, time) => sum + time, 0),
        idle: idle + times.idle,
      }),
      { all: 0, idle: 0 },
    );
  const before = read();
  await sleep(ms);
  const after = read();
  return 1 - (after.idle - before.idle) / (after.all - before.all);
}

function systemName() {
  try {
    return /^PRETTY_NAME="?([^"\n]*)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? process.platform;
  } catch {
    return process.platform;
  }
}

/** The minimum cost of a durable write: the median of 100 writes of 4 KiB. */
function fsyncMs() {
  const dir = mkdtempSync(join(tmpdir(), 'ams-bench-fsync-'));
  const file = openSync(join(dir, 'file'), 'w');
  try {
    const block = Buffer.alloc(4096, 1);
    const times = [];
    for (let i = 0; i < 100; i++) {
      const began = performance.now();
      writeSync(file, block);
      fsyncSync(file);
      times.push(performance.now() - began);
    }
    return Number(median(times).toFixed(3));
  } finally {
    closeSync(file);
    rmSync(dir, { recursive: true, force: true });
  }
}
