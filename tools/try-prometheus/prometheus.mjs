// Debian's Prometheus: from the PATH, or unpacked (../lib/debian-package.mjs).
import { join } from 'node:path';
import { unpackDebianPackage, works } from '../lib/debian-package.mjs';
import { startProgram } from '../lib/program.mjs';

/** `{ command, promtool }`, or `{ why }` when there is none. */
export function findPrometheus(print) {
  if (works('prometheus') && works('promtool')) return { command: ['prometheus'], promtool: 'promtool' };
  const { folder, why } = unpackDebianPackage('prometheus', print);
  if (!folder) return { why };
  const [file, promtool] = ['prometheus', 'promtool'].map((name) => join(folder, 'usr/bin', name));
  return works(file) ? { command: [file], promtool } : { why: 'the downloaded one does not run here' };
}

/** It sends a firing alert again every five seconds. Alertmanager resolves an alert after four times this time. */
export const startPrometheus = ({ command, configurationFile, folder, port }) =>
  startProgram({
    name: 'Prometheus',
    command: [
      ...command,
      `--config.file=${configurationFile}`,
      `--storage.tsdb.path=${folder}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--rules.alert.resend-delay=5s',
    ],
    port,
  });
