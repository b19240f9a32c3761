// How far the pipeline is behind, by what the two services count themselves: events stored in the broker, events applied.
import { setTimeout as sleep } from 'node:timers/promises';

/** Counts from now on: services count from their own start. */
export async function followBacklog(installation) {
  const read = async () => {
    const [stored, applied] = await Promise.all([
      installation.counter('ingest-gateway', 'ams_ingest_events_total'),
      installation.counter('alert-pipeline', 'ams_pipeline_events_total'),
    ]);
    return { at: performance.now(), stored, applied };
  };
  const first = await read();
  const since = async () => {
    const { at, stored, applied } = await read();
    return {
      at,
      stored: stored - first.stored,
      applied: applied - first.applied,
      backlog: stored - first.stored - (applied - first.applied),
    };
  };
  return {
    since,
    /** Looks every so often while `work` lasts. */
    async during(work, everyMs = 500) {
      const seen = [];
      let over = false;
      const looking = (async () => {
        while (!over) {
          seen.push(await since());
          await sleep(everyMs);
        }
      })();
      try {
        return { result: await work(), seen };
      } finally {
        over = true;
        await looking;
      }
    },
    /** Milliseconds until everything that was stored has been applied. */
    async drained(timeoutMs) {
      const began = performance.now();
      while ((await since()).backlog > 0) {
        if (performance.now() - began > timeoutMs)
          throw new Error(
            `the backlog was not applied within ${timeoutMs / 1000} s: ${(await since()).backlog} events are left`,
          );
        await sleep(20);
      }
      return performance.now() - began;
    },
  };
}
