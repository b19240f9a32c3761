/**
 * Gives back what a start leaves behind. Modules and functions that ran once are garbage then, and the heap has holes:
 * 10 to 30 MB of a service. V8 keeps them, because a process at rest hardly allocates, and then it collects nothing. A
 * collection takes 0.1 s, in which nobody gets an answer: it waits until the service has nothing to do, and comes once.
 */
import { Session } from 'node:inspector';

export interface MemoryOfStartOptions {
  /** The first work is over by then: caches are filled, connections are open. */
  earliestMs?: number;
  lookMs?: number;
}

/** With a larger part of the time in the event loop, a service has work. */
const mostUtilization = 0.05;

/** Returns at once. `done`: after the collection, with its time; also when it fails, then with the error. */
export function giveBackMemoryOfStart(
  done: (error: Error | null, ms: number) => void,
  { earliestMs = 5000, lookMs = 1000 }: MemoryOfStartOptions = {},
): NodeJS.Timeout {
  const begun = performance.now();
  let before = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(before);
    before = performance.eventLoopUtilization();
    if (performance.now() - begun < earliestMs || utilization > mostUtilization) return;
    clearInterval(timer);
    try {
      collectGarbage(done);
    } catch (error) {
      done(error as Error, 0); // for example without an inspector, in another build of Node
    }
  }, lookMs);
  return timer.unref();
}

/** `global.gc` needs an option of Node, and gives no page back. */
function collectGarbage(done: (error: Error | null, ms: number) => void): void {
  const begun = performance.now();
  const session = new Session();
  session.connect();
  session.post('HeapProfiler.collectGarbage', (error) => {
    const ms = performance.now() - begun;
    // Within its own callback a session waits for itself, and the process stands still.
    setImmediate(() => {
      session.disconnect();
      done(error, ms);
    });
  });
}
