import { chaos, longChaos } from '../scenarios/chaos.js';

it('loses no accepted event and applies none twice while for a minute a process is killed every second', async () => {
  const report = await chaos({ failures: longChaos, everyMs: 1000, recoveryMs: 10_000 });
  console.info(`accepted ${report.accepted} events; recovered after (ms): ${report.recoveries.join(', ')}`);
  expect(report.faults).toEqual([]);
  expect(report.accepted).toBeGreaterThan(1000);
});
