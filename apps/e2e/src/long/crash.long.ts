import { chaos, longChaos } from '../scenarios/chaos.js';

it('loses nothing that was accepted and applies nothing twice in a minute of kills, every second another', async () => {
  const report = await chaos({ blows: longChaos, everyMs: 1000, recoveryMs: 10_000 });
  console.info(`accepted ${report.accepted} events; well again (ms): ${report.recoveries.join(', ')}`);
  expect(report.faults).toEqual([]);
  expect(report.accepted).toBeGreaterThan(1000);
});
