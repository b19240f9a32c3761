import { isResult, problemsOf } from './faults/report.js';
import { runFaults, type FaultResult, type SkippedFault } from './faults/run-faults.js';
import { faultsOf } from './faults/table.js';

/**
 * Shortened faults of the classes that need an installation. Of the others, `lifecycle.system.ts` has outages of NATS,
 * and `events/faults.spec.ts` of the pipeline has replicas without progress. `npm run test:long` restarts every replica
 * of every service under load, and `npm run faults` injects all faults.
 */
const chosen = ['kill-alert-pipeline', 'postgres-read-only-45', 'messages-poison'];

it('nothing that was accepted is lost or counted twice, and every page is sent once, after some faults', async () => {
  const options = { seed: 1, perSecond: 12, maxSeconds: 5, patienceSeconds: 150, machine: {}, log: () => undefined };
  const results: (FaultResult | SkippedFault)[] = [];
  const rows = faultsOf({}).filter(({ name }) => chosen.includes(name));
  for await (const result of runFaults(rows, options)) results.push(result);
  expect(results.flatMap(problemsOf)).toEqual([]);
  expect(results.filter(isResult)).toHaveLength(chosen.length);
  for (const { figures } of results.filter(isResult)) {
    expect(figures.accepted).toBeGreaterThan(50);
    expect(figures.pagesDue).toBeGreaterThan(20);
  }
});
