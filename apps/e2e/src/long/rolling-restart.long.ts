import { rollingRestart } from '../scenarios/rolling-restart.js';

it('every replica of every service is restarted at 500 requests a second: no request fails, no event is lost', async () => {
  const { failures, exitCodes, accepted, sent } = await rollingRestart(500, () => true);
  expect(failures).toEqual({});
  expect(new Set(exitCodes)).toEqual(new Set([0]));
  expect(accepted).toBeGreaterThan(sent / 2);
});
