import { closeSync, existsSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';

const LARGEST = 10_000_000;

/** Opens a server's log for appending. A large log is first renamed to `<path>.1`, so that at most two are kept. */
export function openLog(path: string): { fd: number; from: number; close(): void } {
  if (existsSync(path) && statSync(path).size > LARGEST) renameSync(path, `${path}.1`);
  const fd = openSync(path, 'a', 0o600);
  return { fd, from: statSync(path).size, close: () => closeSync(fd) };
}

/** The log since `from` (bytes), at most the last 4 kB. */
export function readLog(path: string, from: number): string {
  try {
    return readFileSync(path).subarray(from).toString('utf8').slice(-4000).trim();
  } catch {
    return '';
  }
}
