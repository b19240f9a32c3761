import { chaos, shortChaos } from './scenarios/chaos.js';

it('loses nothing that was accepted and applies nothing twice when processes are killed under load', async () => {
  // The machine of the quick tests may be busy: the long one holds it to ten seconds.
  const report = await chaos({ blows: shortChaos, everyMs: 700, recoveryMs: 30_000 });
  console.info(`accepted ${report.accepted} events; well again (ms): ${report.recoveries.join(', ')}`);
  expect(report.faults).toEqual([]);
  expect(report.accepted).toBeGreaterThan(100);
});
