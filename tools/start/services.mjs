// The services as separate processes: started in the order of their dependencies, restarted when they end, stopped
// together. Their logs are files. No service outlives its launcher, even when that is killed.
import { openSync, closeSync, readFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../lib/workspace.mjs';

/**
 * For glibc: free memory goes back to the system, and threads share two heaps. It would keep what the start needed
 * once, 10 MB of a service. docker/Dockerfile has the same.
 */
const memorySettings = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
};

/** The delay before a restart: 0.1 s, 0.2 s, … up to this. */
const longestPauseMs = 2000;

/**
 * In addition to the given environment, the process gets HTTP_PORT, and a gateway MANAGEMENT_PORT, on which it serves
 * /readyz and /metrics. `semiSpaceMegabytes`: a larger value saves a tenth of the CPU of a busy service, and uses up to
 * 30 MB more after it was busy.
 */
export function supervise({
  name,
  script,
  env,
  port,
  managementPort = port,
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
        [`--max-semi-space-size=${semiSpaceMegabytes}`, ...nodeArguments, script],
        {
          cwd: root,
          env: {
            PATH: process.env.PATH,
            HOME: process.env.HOME,
            NODE_ENV: 'production',
            ...memorySettings,
            ...env,
            HTTP_PORT: String(port),
            ...(managementPort === port ? {} : { MANAGEMENT_PORT: String(managementPort) }),
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
      report.line(`          ${name} ended (${signal ?? `code ${code}`}); restarting it`);
      await sleep(pause);
      pause = Math.min(pause * 2, longestPauseMs);
      if (!stopping) await launch();
    }
  };

  return {
    name,
    port,
    managementPort,
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
    /** Waits until /readyz succeeds; otherwise throws with the failing checks and the end of the log. */
    async ready(timeoutMs) {
      const until = Date.now() + timeoutMs;
      let last = 'no response';
      while (Date.now() < until) {
        try {
          const response = await fetch(`http://127.0.0.1:${managementPort}/readyz`, {
            signal: AbortSignal.timeout(2000),
          });
          if (response.ok) return;
          last = failingChecks(await response.json()) || `status ${response.status}`;
        } catch {
          last = 'no response';
        }
        if (child && !child.running && !stopping) await sleep(50);
        await sleep(60);
      }
      throw new Error(
        `${name} did not become ready: ${last}. The end of its log ` +
          `(${logFile}):\n${readFileSync(logFile, 'utf8').trim().split('\n').slice(-5).join('\n')}`,
      );
    },
  };
}

/** The failing checks in a body of Terminus: "name: message" of each. */
function failingChecks({ error = {} }) {
  return Object.entries(error)
    .map(([check, { message, status }]) => `${check}: ${message ?? status}`)
    .join(', ');
}
