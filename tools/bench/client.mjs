// Runs one job in a client process and returns its results.
import { fork } from 'node:child_process';
import { join } from 'node:path';

let runs = Math.floor(Math.random() * 36 ** 4);

/**
 * A job of client-process.mjs. Ids have a prefix that is unique to the job, so that no request repeats an earlier job.
 */
export function load(job, onSample) {
  const run = (runs++ % 36 ** 4).toString(36).padStart(4, '0');
  return new Promise((resolve, reject) => {
    const child = fork(join(import.meta.dirname, 'client-process.mjs'), {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const abandoned = () => child.kill('SIGKILL');
    process.once('exit', abandoned);
    let figures = null;
    child.on('message', (message) => {
      if (message.sample !== undefined) onSample?.(message);
      else if (message.failed) reject(new Error(`the client: ${message.failed}`));
      else figures = message.figures;
    });
    child.on('exit', (code) => {
      process.off('exit', abandoned);
      if (figures) resolve(figures);
      else reject(new Error(`the client ended with ${code}`));
    });
    child.send({ connections: 32, duplicates: 0, order: 'turn', body: null, ...job, run });
  });
}

/** Fails when more than a few responses were unexpected, because the results would be meaningless. */
export function requireSuccess(what, figures, part = 0.001) {
  const others = figures.sent - figures.succeeded;
  if (figures.succeeded === 0 || others > figures.sent * part)
    throw new Error(
      `${what}: ${others} of ${figures.sent} requests had unexpected responses: ${JSON.stringify(figures.statuses)}`,
    );
  return figures;
}
