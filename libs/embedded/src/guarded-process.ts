// A child process that does not outlive its parent, even when the parent is killed by SIGKILL.
//
// The command is started through `sh`, which first forks a watcher and then becomes the command (exec): process id,
// exit code and signals are those of the command. The watcher reads a pipe that only the parent holds open. A line on
// the pipe means that the child has ended and the watcher can exit. The end of the pipe without a line means that the
// parent has ended: the watcher stops the child, and kills it after the grace time.
//
// - The child has its own session: Ctrl-C in a terminal reaches only the parent, which decides the order.
// - The watcher is forked twice, so that it is not a child of the command: PostgreSQL would treat the kill of a child
//   that it does not know as a crash.
// - When the watcher is killed by SIGKILL, the child continues and its parent stops it as usual; only the guard is
//   lost. The watcher uses a megabyte and is an unlikely target of the kernel's out-of-memory killer.
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
  /** The signal that stops the child; default SIGTERM. */
  stopSignal?: NodeJS.Signals;
  /** The time in which it must stop before it is killed; default 10 s. */
  graceMs?: number;
  /**
   * The destination of its output: our output (default), none, a file descriptor (which survives this process), or a
   * function for each line.
   */
  output?: 'inherit' | 'ignore' | number | ((line: string, stream: 'stdout' | 'stderr') => void);
}

export interface GuardedProcess {
  readonly pid: number;
  /** Resolves when the child has ended for any reason; never rejects. */
  readonly exited: Promise<Exit>;
  /** False after the child has ended. */
  readonly running: boolean;
  signal(signal: NodeJS.Signals): void;
  /** Stops the child, kills it after the grace time, and waits for its end. May be called twice. */
  stop(): Promise<Exit>;
  /** Sends SIGKILL. */
  kill(): Promise<Exit>;
}

/** Starts a command under the guard. Throws when it cannot be started; a command that is not found exits with 127. */
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
  leash?.on('error', () => undefined); // the watcher may have ended before it reads this line
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
