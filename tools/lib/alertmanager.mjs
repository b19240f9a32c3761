// Debian's Prometheus Alertmanager with its amtool: from the PATH, or unpacked (debian-package.mjs).
//
// Debian's program reads its templates only from /usr/share; an unpacked one therefore runs in its own mount namespace,
// with the unpacked /usr/share mounted there.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { unpackDebianPackage, works } from './debian-package.mjs';
import { startProgram } from './program.mjs';

const inNamespace = (folder) => [
  'unshare',
  ...(process.getuid?.() === 0 ? [] : ['-r']),
  '-m',
  'sh',
  '-c',
  'mount --bind "$0/usr/share" /usr/share && exec "$@"',
  folder,
];

/** `{ command, amtool }`: the command line that runs it, and its tool; or `{ why }` when there is none. */
export function findAlertmanager(print) {
  for (const name of ['prometheus-alertmanager', 'alertmanager'])
    if (works(name) && works('amtool')) return { command: [name], amtool: 'amtool' };
  const { folder, why } = unpackDebianPackage('prometheus-alertmanager', print);
  if (!folder) return { why };
  const file = join(folder, 'usr/bin/prometheus-alertmanager');
  if (!works(file)) return { why: 'the downloaded one does not run here' };
  const command = [...inNamespace(folder), file];
  return spawnSync(command[0], [...command.slice(1), '--version'], { stdio: 'ignore' }).status === 0
    ? { command, amtool: join(folder, 'usr/bin/amtool') }
    : { why: 'this machine does not allow a mount namespace; install prometheus-alertmanager' };
}

/** Starts it with its data in `folder`; see program.mjs for the result. */
export const startAlertmanager = ({ command, configurationFile, folder, port }) =>
  startProgram({
    name: 'Alertmanager',
    command: [
      ...command,
      `--config.file=${configurationFile}`,
      `--storage.path=${folder}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--cluster.listen-address=',
    ],
    port,
  });
