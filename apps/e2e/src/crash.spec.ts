import { chaos, shortChaos } from './scenarios/chaos.js';

it('loses no accepted event and applies none twice when processes are killed under load', async () => {
  // The machine of the quick tests may be busy. The long test expects a recovery within ten seconds.
  const report = await chaos({ failures: shortChaos, everyMs: 700, recoveryMs: 30_000 });
  console.info(`accepted ${report.accepted} events; recovered after (ms): ${report.recoveries.join(', ')}`);
  expect(report.faults).toEqual([]);
  expect(report.accepted).toBeGreaterThan(100);
});
