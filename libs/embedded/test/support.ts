import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** A copy of the function in @ams/testing, which depends on this library. */
export async function eventually(expectations: () => void, timeoutMs = 8000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      return expectations();
    } catch (error) {
      if (Date.now() >= deadline) throw error;
    }
    await sleep(25);
  }
}

/** Whether a process runs; an ended process that was not yet waited for does not run. */
export function isAlive(pid: number): boolean {
  return !/^(?:$|\d+ \(.*\) Z)/.test(readProcess(pid, 'stat'));
}

/** The process ids whose `cmdline` or `environ` contains the text. */
export function processesWith(kind: 'cmdline' | 'environ', text: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid && readProcess(pid, kind).includes(text));
}

function readProcess(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
