// A child process that does not outlive its parent, even one killed by -9.
//
// The command is started through `sh`, which first forks a watcher and then becomes the command itself (exec): the
// process id, the exit code and the signals are the command's own. The watcher reads a pipe that only the parent holds
// open. A line on it means that the child has ended and there is nothing left to do; its end without a line means that
// the parent is gone: the child is then asked to stop, and killed when it has not after the grace time.
//
// - The child has a session of its own: Ctrl-C in a terminal reaches the parent only, which decides the order.
// - The watcher is forked twice, so the command has no child it does not know (PostgreSQL would treat the violent
//   death of an unknown child as a crash).
// - When the watcher itself is killed by -9, the child goes on and is stopped by its parent as ever; only the guard is
//   lost. It takes a megabyte and is no candidate for the kernel's out-of-memory killer.
// - Windows has no `sh`: there the command runs without a guard.
import { spawn, type ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { createInterface } from 'node:readline';

const GUARD = `
signal=$1 grace=$2
shift 2
(
  (
    if read -r _ <&3; then exit 0; fi
    kill -s "$signal" $$
    while [ "$grace" -gt 0 ]; do
      sleep 1
      kill -0 $$ || exit 0
      grace=$((grace - 1))
    done
    kill -s KILL $$
  ) </dev/null >/dev/null 2>&1 &
)
exec "$@" 3<&-
`;

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface GuardedOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  uid?: number;
  gid?: number;
  /** How the child is asked to stop; SIGTERM unless told. */
  stopSignal?: NodeJS.Signals;
  /** How long it may take to stop before it is killed; 10 s unless told. */
  graceMs?: number;
  /**
   * Where its output goes: on to ours (the default), nowhere, to a file descriptor (which survives this process), or
   * line by line to a function.
   */
  output?: 'inherit' | 'ignore' | number | ((line: string, stream: 'stdout' | 'stderr') => void);
}

export interface GuardedProcess {
  readonly pid: number;
  /** Fulfilled when the child has ended, however it did; never rejected. */
  readonly exited: Promise<Exit>;
  /** False as soon as it has ended. */
  readonly running: boolean;
  signal(signal: NodeJS.Signals): void;
  /** Asks it to stop, kills it after the grace time, and waits until it has ended. May be called twice. */
  stop(): Promise<Exit>;
  /** SIGKILL, at once. */
  kill(): Promise<Exit>;
}

/** Starts a command under the guard. Throws when it cannot be started at all; a command not found exits with 127. */
export function spawnGuarded(
  command: string,
  args: readonly string[],
  options: GuardedOptions = {},
): Promise<GuardedProcess> {
  const { cwd, env, uid, gid, stopSignal = 'SIGTERM', graceMs = 10_000, output = 'inherit' } = options;
  const sink = typeof output === 'function' ? 'pipe' : output;
  const guarded = process.platform !== 'win32';
  const [file, argv] = guarded
    ? [
        '/bin/sh',
        ['-c', GUARD, 'guard', stopSignal.replace(/^SIG/, ''), String(Math.ceil(graceMs / 1000)), command, ...args],
      ]
    : [command, [...args]];
  const child = spawn(file, argv, {
    cwd,
    env,
    uid,
    gid,
    detached: guarded,
    stdio: ['ignore', sink, sink, guarded ? 'pipe' : 'ignore'],
  });
  const leash = child.stdio[3] as Writable | null;
  leash?.on('error', () => undefined); // the watcher may be gone before our line reaches it
  const exited = new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) => {
      leash?.end('ended\n');
      resolve({ code, signal });
    });
  });
  if (typeof output === 'function') {
    createInterface({ input: child.stdout as Readable }).on('line', (line) => output(line, 'stdout'));
    createInterface({ input: child.stderr as Readable }).on('line', (line) => output(line, 'stderr'));
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('spawn', () => {
      child.off('error', reject);
      child.on('error', () => undefined);
      resolve(handle(child, exited, stopSignal, graceMs));
    });
  });
}

function handle(
  child: ChildProcess,
  exited: Promise<Exit>,
  stopSignal: NodeJS.Signals,
  graceMs: number,
): GuardedProcess {
  const running = () => child.exitCode === null && child.signalCode === null;
  return {
    pid: child.pid as number,
    exited,
    get running() {
      return running();
    },
    signal: (signal) => void child.kill(signal),
    async stop() {
      if (running()) child.kill(stopSignal);
      const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
      try {
        return await exited;
      } finally {
        clearTimeout(timer);
      }
    },
    async kill() {
      if (running()) child.kill('SIGKILL');
      return exited;
    },
  };
}
