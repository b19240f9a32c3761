import { rollingRestart } from '../scenarios/rolling-restart.js';

it('all replicas of all services are restarted at 500 requests a second: no failure, no lost event', async () => {
  const { failures, warnings, exitCodes, accepted, sent } = await rollingRestart(500, () => true);
  expect({ failures, warnings }).toEqual({ failures: {}, warnings: [] });
  expect(new Set(exitCodes)).toEqual(new Set([0]));
  expect(accepted).toBeGreaterThan(sent / 2);
});
