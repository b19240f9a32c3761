import { rollingRestart } from './scenarios/rolling-restart.js';
import { serviceNames } from './system.js';

it('a replica of each service is restarted at 200 requests a second: no request fails, no event is lost', async () => {
  const { failures, exitCodes, accepted, sent } = await rollingRestart(200, ({ name }) => name.endsWith('-0'));
  expect(failures).toEqual({});
  expect(exitCodes).toEqual(serviceNames.map(() => 0));
  expect(accepted).toBeGreaterThan(sent / 2);
});
