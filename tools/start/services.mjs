// The services as processes of their own: started in an order that lets each find what it needs, started again when they
// fall, stopped together. Their logs go to files; a launcher that is killed leaves none of them behind.
import { openSync, closeSync, readFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../lib/workspace.mjs';

/** Restarts come after 0.1 s, 0.2 s, … up to this. */
const longestPauseMs = 2000;

/**
 * Beside the environment that is told the process gets HTTP_PORT, on which it answers /readyz. `semiSpaceMegabytes`: a
 * larger one takes a tenth of the CPU from who is busy, and some twenty megabytes from the machine for good.
 */
export function supervise({
  name,
  script = join(root, 'apps', name, 'dist/main.js'),
  env,
  port,
  semiSpaceMegabytes = 16,
  nodeArguments = [],
  logDir,
  spawnGuarded,
  report,
}) {
  mkdirSync(logDir, { recursive: true });
  const logFile = join(logDir, `${name}.log`);
  let child = null;
  let stopping = false;
  let pause = 100;
  let finished = Promise.resolve();

  const launch = async () => {
    const log = openSync(logFile, 'a');
    try {
      child = await spawnGuarded(
        process.execPath,
        [`--max-semi-space-size=${semiSpaceMegabytes}`, '--enable-source-maps', ...nodeArguments, script],
        {
          cwd: root,
          env: {
            PATH: process.env.PATH,
            HOME: process.env.HOME,
            NODE_ENV: 'production',
            ...env,
            HTTP_PORT: String(port),
          },
          output: log,
          graceMs: 8000,
        },
      );
    } finally {
      closeSync(log);
    }
  };

  const watch = async () => {
    while (!stopping) {
      const began = Date.now();
      const { code, signal } = await child.exited;
      if (stopping) return;
      if (Date.now() - began > 5000) pause = 100;
      report.line(`          ${name} ended (${signal ?? `code ${code}`}); starting it again`);
      await sleep(pause);
      pause = Math.min(pause * 2, longestPauseMs);
      if (!stopping) await launch();
    }
  };

  return {
    name,
    port,
    logFile,
    get pid() {
      return child?.pid ?? null;
    },
    async start() {
      stopping = false;
      await launch();
      finished = watch();
    },
    async stop() {
      stopping = true;
      await child?.stop();
      await finished;
    },
    /** Waits until it says that it is ready; the reason why not is what the log's last lines say. */
    async ready(timeoutMs) {
      const until = Date.now() + timeoutMs;
      let last = 'no answer';
      while (Date.now() < until) {
        try {
          const response = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(2000) });
          if (response.ok) return;
          last = (await response.json()).troubles?.join(', ') ?? `status ${response.status}`;
        } catch {
          last = 'it does not answer yet';
        }
        if (child && !child.running && !stopping) await sleep(50);
        await sleep(60);
      }
      throw new Error(
        `${name} did not become ready: ${last}. The end of its log (${logFile}):\n${readFileSync(logFile, 'utf8').trim().split('\n').slice(-5).join('\n')}`,
      );
    },
  };
}
