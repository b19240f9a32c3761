import { existsSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { EmbeddedError, explainFileError } from './embedded-error.js';
import { runningNats } from './nats.js';
import { otherHome } from './postgres-home.js';
import { runningPostgres } from './postgres.js';

/**
 * Deletes a folder of `startPostgres` or `startNats`, or one that contains such folders, with their data in other
 * folders. Does nothing when the folder does not exist. Throws ALREADY_RUNNING and deletes nothing while a server uses
 * it.
 */
export function removeState(dir: string): void {
  if (!existsSync(dir)) return;
  try {
    const root = realpathSync(dir);
    const below = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const folders = [root, ...below.map((entry) => join(root, entry.name))];
    for (const folder of folders) {
      const pid = runningPostgres(folder) ?? runningNats(folder);
      if (pid)
        throw new EmbeddedError('ALREADY_RUNNING', `A server (process ${pid}) is running on ${folder}: stop it first`);
    }
    for (const folder of folders) {
      const home = otherHome(folder);
      if (home) rmSync(home, { recursive: true, force: true });
    }
    rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    throw explainFileError(error, `Deleting ${dir}`);
  }
}
