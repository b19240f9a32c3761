// Debian's Prometheus Alertmanager: from the PATH, one fetched before, or the machine's package mirror, unpacked into a
// cache and not installed. It holds alerts in memory, in a folder of its own.
//
// Debian's program reads its templates from /usr/share and from nowhere else; one that is only unpacked therefore runs in
// a mount namespace of its own, which has the unpacked /usr/share in that place.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultCacheDir, freePort, spawnGuarded } from '@ams/embedded';
import { until } from '../until.mjs';

const inNamespace = (cache) => ['unshare', ...(process.getuid?.() === 0 ? [] : ['-r']), '-m', 'sh', '-c', 'mount --bind "$0/usr/share" /usr/share && exec "$@"', cache];

const works = (file) => spawnSync(file, ['--version'], { stdio: 'ignore' }).status === 0;

/** The program, or why there is none. */
function find(report) {
  for (const name of ['prometheus-alertmanager', 'alertmanager']) if (works(name)) return { file: name, command: [name] };
  const cache = join(defaultCacheDir(), 'prometheus-alertmanager');
  const cached = join(cache, 'usr/bin/prometheus-alertmanager');
  const unpacked = () => {
    if (!works(cached)) return null;
    const command = [...inNamespace(cache), cached];
    return spawnSync(command[0], [...command.slice(1), '--version'], { stdio: 'ignore' }).status === 0 ? { file: cached, command } : { why: 'one was fetched, but this machine does not allow a mount namespace; install prometheus-alertmanager' };
  };
  const present = unpacked();
  if (present) return present;
  if (spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status !== 0) return { why: 'there is none on the PATH, and no apt-get to fetch it with' };
  const half = mkdtempSync(join(tmpdir(), 'ams-bench-alertmanager-'));
  try {
    report.line('          fetching prometheus-alertmanager');
    const download = () => spawnSync('apt-get', ['download', 'prometheus-alertmanager'], { cwd: half, stdio: 'ignore' }).status === 0;
    if (!download() && process.getuid?.() === 0) {
      spawnSync('apt-get', ['update'], { stdio: 'ignore' });
      download();
    }
    const archive = readdirSync(half).find((name) => name.endsWith('.deb'));
    if (!archive) return { why: 'it is not on the PATH, and the package mirror does not give it (apt-get update needs root)' };
    execFileSync('dpkg-deb', ['-x', join(half, archive), join(half, 'unpacked')]);
    mkdirSync(join(cache, '..'), { recursive: true });
    if (!existsSync(cache)) renameSync(join(half, 'unpacked'), cache);
    return unpacked() ?? { why: 'the one that was fetched does not run here' };
  } catch (error) {
    return { why: error.message };
  } finally {
    rmSync(half, { recursive: true, force: true });
  }
}

/** Null when there is none; the results say why. */
export async function startAlertmanager({ dir, report, results }) {
  const { file, command, why } = find(report);
  if (!file) {
    results.note(`Alertmanager was left out: ${why}.`);
    return null;
  }
  const own = mkdtempSync(join(dir, 'alertmanager-'));
  writeFileSync(join(own, 'config.yml'), 'route:\n  receiver: nobody\nreceivers:\n  - name: nobody\n');
  const port = await freePort();
  const child = await spawnGuarded(command[0], [...command.slice(1), `--config.file=${join(own, 'config.yml')}`, `--storage.path=${join(own, 'data')}`, `--web.listen-address=127.0.0.1:${port}`, '--cluster.listen-address=', '--log.level=error'], {
    env: { PATH: process.env.PATH }, output: 'ignore', graceMs: 5000,
  });
  await until('Alertmanager is ready', async () => (await fetch(`http://127.0.0.1:${port}/-/ready`)).ok, 20_000);
  const version = /version ([\d.]+)/.exec(execFileSync(file, ['--version'], { encoding: 'utf8' }))?.[1] ?? 'unknown';
  return {
    port, pid: child.pid, version,
    async stop() {
      await child.stop();
      rmSync(own, { recursive: true, force: true });
    },
  };
}
