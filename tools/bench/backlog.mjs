// The backlog of the pipeline, by the counters of both services: events stored in NATS, events applied.
import { setTimeout as sleep } from 'node:timers/promises';

/** Counts from now on, because the counters start at zero with each service. */
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
    /** Samples the backlog regularly while `work` runs. */
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
    /** Milliseconds until every stored event is applied. */
    async drained(timeoutMs) {
      const began = performance.now();
      while ((await since()).backlog > 0) {
        if (performance.now() - began > timeoutMs)
          throw new Error(
            `the backlog was not applied within ${timeoutMs / 1000} s: ${(await since()).backlog} events remain`,
          );
        await sleep(20);
      }
      return performance.now() - began;
    },
  };
}
