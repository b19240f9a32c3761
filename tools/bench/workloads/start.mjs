// `npm start` with dependencies installed and everything compiled: from the command to the first 202, with a new folder
// and with an existing one.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, spawnGuarded } from '@ams/embedded';
import { root } from '../../lib/workspace.mjs';
import { remove } from '../installation.mjs';
import { pluck } from '../measure.mjs';
import { under } from '../report.mjs';
import { until } from '../until.mjs';

export const name = 'start';
export const about = '`npm start` to the first 202, with new and existing state';

export async function run({ options, dir, report, results, cleanUp }) {
  const rounds = [];
  for (let round = 0; round < options.rounds; round++) {
    const state = join(dir, `start-${round}`);
    rounds.push({
      anew: await firstAccepted(state, report, cleanUp),
      again: await firstAccepted(state, report, cleanUp),
    });
    remove(state);
  }
  results.add({
    workload: name,
    what: 'to the first 202, new folder',
    unit: 's',
    ours: pluck(rounds, 'anew'),
    target: under(8, 's'),
  });
  results.add({
    workload: name,
    what: 'to the first 202, existing folder',
    unit: 's',
    ours: pluck(rounds, 'again'),
    target: under(4, 's'),
  });
}

async function firstAccepted(state, report, cleanUp) {
  const file = join(state, 'credentials.json');
  const port = await freePort();
  const lines = [];
  const began = performance.now();
  const child = cleanUp(
    await spawnGuarded(process.execPath, [join(root, 'tools/start.mjs'), '--state', state, '--port', String(port)], {
      cwd: root,
      env: process.env,
      graceMs: 60_000,
      output: (line) => lines.push(line),
    }),
  );
  try {
    await until(
      'npm start returns its first 202',
      async () => {
        if (!child.running) throw new Error(`npm start ended: ${lines.slice(-3).join(' ')}`);
        if (!existsSync(file)) return false;
        const { ingestUrl } = JSON.parse(readFileSync(file, 'utf8'));
        if (!ingestUrl) return false;
        const url = `http://127.0.0.1:${port}${new URL(ingestUrl).pathname}`;
        return (
          (
            await fetch(url, {
              method: 'POST',
              headers: { 'content-type': 'application/json' },
              body: '{"title":"First","severity":"low"}',
            })
          ).status === 202
        );
      },
      90_000,
      30,
    );
    const seconds = (performance.now() - began) / 1000;
    report.line(`          ${seconds.toFixed(1)} s`);
    return seconds;
  } finally {
    await child.stop();
  }
}
