// Debian's Prometheus Alertmanager with its amtool: from the PATH, a cached download, or the machine's package mirror,
// unpacked into a cache without installing it.
//
// Debian's program reads its templates only from /usr/share; an unpacked one therefore runs in its own mount namespace,
// with the unpacked /usr/share mounted there.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultCacheDir } from '@ams/embedded';

const inNamespace = (cache) => [
  'unshare',
  ...(process.getuid?.() === 0 ? [] : ['-r']),
  '-m',
  'sh',
  '-c',
  'mount --bind "$0/usr/share" /usr/share && exec "$@"',
  cache,
];

const works = (file) => spawnSync(file, ['--version'], { stdio: 'ignore' }).status === 0;

/**
 * `{ file, command, amtool }`: the program, the command line that runs it, and its tool; or `{ why }` when there is
 * none. `print` receives progress messages.
 */
export function findAlertmanager(print) {
  for (const name of ['prometheus-alertmanager', 'alertmanager'])
    if (works(name) && works('amtool')) return { file: name, command: [name], amtool: 'amtool' };
  const cache = join(defaultCacheDir(), 'prometheus-alertmanager');
  const cached = join(cache, 'usr/bin/prometheus-alertmanager');
  const unpacked = () => {
    if (!works(cached)) return null;
    const command = [...inNamespace(cache), cached];
    return spawnSync(command[0], [...command.slice(1), '--version'], { stdio: 'ignore' }).status === 0
      ? { file: cached, command, amtool: join(cache, 'usr/bin/amtool') }
      : {
          why:
            'a cached one exists, but this machine does not allow a mount namespace; install ' +
            'prometheus-alertmanager',
        };
  };
  const present = unpacked();
  if (present) return present;
  if (spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status !== 0)
    return { why: 'it is not on the PATH, and there is no apt-get to download it' };
  const half = mkdtempSync(join(tmpdir(), 'ams-alertmanager-'));
  try {
    print('downloading prometheus-alertmanager');
    const download = () =>
      spawnSync('apt-get', ['download', 'prometheus-alertmanager'], { cwd: half, stdio: 'ignore' }).status === 0;
    if (!download() && process.getuid?.() === 0) {
      spawnSync('apt-get', ['update'], { stdio: 'ignore' });
      download();
    }
    const archive = readdirSync(half).find((name) => name.endsWith('.deb'));
    if (!archive)
      return { why: 'it is not on the PATH, and the package mirror does not provide it (apt-get update needs root)' };
    execFileSync('dpkg-deb', ['-x', join(half, archive), join(half, 'unpacked')]);
    mkdirSync(join(cache, '..'), { recursive: true });
    if (!existsSync(cache)) renameSync(join(half, 'unpacked'), cache);
    return unpacked() ?? { why: 'the downloaded one does not run here' };
  } catch (error) {
    return { why: error.message };
  } finally {
    rmSync(half, { recursive: true, force: true });
  }
}
