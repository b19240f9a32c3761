import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/**
 * The command line of a running process, its words separated by NUL or space; empty when the process does not exist.
 */
export function commandLineOf(pid: number): string {
  if (!Number.isInteger(pid) || pid <= 1) return '';
  if (!existsSync('/proc/self/cmdline')) {
    return spawnSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' }).stdout ?? '';
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
