import { rollingRestart } from '../scenarios/rolling-restart.js';

it('all replicas of all services are restarted at 500 requests a second: no failure, no lost event', async () => {
  const { failures, exitCodes, accepted, sent } = await rollingRestart(500, () => true);
  expect(failures).toEqual({});
  expect(new Set(exitCodes)).toEqual(new Set([0]));
  expect(accepted).toBeGreaterThan(sent / 2);
});
