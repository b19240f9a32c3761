import { chaos, shortChaos } from './scenarios/chaos.js';

it('loses nothing that was accepted and applies nothing twice when processes are killed under load', async () => {
  const report = await chaos(shortChaos, 1000);
  console.info(`accepted ${report.accepted} events; well again after ${report.recoveryMs.join(', ')} ms`);
  expect(report.faults).toEqual([]);
  expect(report.accepted).toBeGreaterThan(100);
});
