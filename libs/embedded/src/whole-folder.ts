// Folders that are created completely or not at all: written under a random name, then renamed.
import { lstatSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Renames a finished folder to its place; if another process was faster, its folder stays. */
export function renameInto(finished: string, place: string): void {
  try {
    renameSync(finished, place);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
  }
}

const ABANDONED_AFTER_MS = 30 * 60_000;

/** Deletes unfinished folders and files of killed processes; not those that another process is writing now. */
export function removeAbandoned(parent: string, name: RegExp): void {
  for (const entry of readdirSync(parent).filter((found) => name.test(found))) {
    const modified = lstatSync(join(parent, entry), { throwIfNoEntry: false })?.mtimeMs;
    if (modified && Date.now() - modified > ABANDONED_AFTER_MS)
      rmSync(join(parent, entry), { recursive: true, force: true });
  }
}
