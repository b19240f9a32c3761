// Alertmanager as the reference for ingest: it stores alerts in memory, with its own folder.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, spawnGuarded } from '@ams/embedded';
import { findAlertmanager } from '../../lib/alertmanager.mjs';
import { until } from '../until.mjs';

/** Null when Alertmanager is not available; the results say why. */
export async function startAlertmanager({ dir, report, results }) {
  const { command, why } = findAlertmanager((text) => report.line(`          ${text}`));
  if (!command) {
    results.note(`Alertmanager is not measured: ${why}.`);
    return null;
  }
  const own = mkdtempSync(join(dir, 'alertmanager-'));
  writeFileSync(join(own, 'config.yml'), 'route:\n  receiver: nobody\nreceivers:\n  - name: nobody\n');
  const port = await freePort();
  const [program, ...args] = command;
  const child = await spawnGuarded(
    program,
    [
      ...args,
      `--config.file=${join(own, 'config.yml')}`,
      `--storage.path=${join(own, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--cluster.listen-address=',
      '--log.level=error',
    ],
    {
      env: { PATH: process.env.PATH },
      output: 'ignore',
      graceMs: 5000,
    },
  );
  await until('Alertmanager is ready', async () => (await fetch(`http://127.0.0.1:${port}/-/ready`)).ok, 20_000);
  const version =
    /version ([\d.]+)/.exec(execFileSync(program, [...args, '--version'], { encoding: 'utf8' }))?.[1] ?? 'unknown';
  return {
    port,
    pid: child.pid,
    version,
    async stop() {
      await child.stop();
      rmSync(own, { recursive: true, force: true });
    },
  };
}
