// Programs of Debian packages, downloaded from the machine's package mirror and unpacked into a cache without
// installing them.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultCacheDir } from '@ams/embedded';

/** Whether the program runs on this machine. */
export const works = (file) => spawnSync(file, ['--version'], { stdio: 'ignore' }).status === 0;

/** `{ folder }` with the files of the package, or `{ why }`. `print` receives progress messages. */
export function unpackDebianPackage(name, print) {
  const folder = join(defaultCacheDir(), name);
  if (existsSync(folder)) return { folder };
  if (spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status !== 0)
    return { why: 'it is not on the PATH, and there is no apt-get to download it' };
  const work = mkdtempSync(join(tmpdir(), 'ams-package-'));
  try {
    print(`downloading the Debian package ${name}`);
    const download = () => spawnSync('apt-get', ['download', name], { cwd: work, stdio: 'ignore' }).status === 0;
    if (!download() && process.getuid?.() === 0) {
      spawnSync('apt-get', ['update'], { stdio: 'ignore' });
      download();
    }
    const archive = readdirSync(work).find((file) => file.endsWith('.deb'));
    if (!archive)
      return { why: 'it is not on the PATH, and the package mirror does not provide it (apt-get update needs root)' };
    mkdirSync(join(folder, '..'), { recursive: true });
    const unpacked = mkdtempSync(`${folder}.unfinished-`); // on the same file system, so that it can be renamed
    execFileSync('dpkg-deb', ['-x', join(work, archive), unpacked]);
    if (existsSync(folder)) rmSync(unpacked, { recursive: true });
    else renameSync(unpacked, folder);
    return { folder };
  } catch (error) {
    return { why: error.message };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
