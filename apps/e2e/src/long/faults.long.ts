import { detailsOf, isResult, problemsOf, tableOf } from '../faults/report.js';
import { runFaults, type FaultResult, type SkippedFault } from '../faults/run-faults.js';
import { faultsOf } from '../faults/table.js';

it('nothing that was accepted is lost or counted twice, and every page is sent once, after quick faults', async () => {
  const options = { seed: 1, perSecond: 25, maxSeconds: 15, patienceSeconds: 150, machine: {}, log: () => undefined };
  const results: (FaultResult | SkippedFault)[] = [];
  for await (const result of runFaults(
    faultsOf({}).filter(({ quick }) => quick),
    options,
  ))
    results.push(result);
  console.info(`${tableOf(results)}\n${results.filter(isResult).map(detailsOf).join('\n')}`);
  expect(results.flatMap(problemsOf)).toEqual([]);
});
