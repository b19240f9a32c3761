import { rollingRestart } from './scenarios/rolling-restart.js';
import { serviceNames } from './system.js';

// `npm run test:long` restarts all replicas, at ten times the load. Here other tests keep the machine busy, too.
it('a replica of each service is restarted under load: no request fails, no event is lost', async () => {
  const { failures, exitCodes, accepted, sent } = await rollingRestart(50, ({ name }) => name.endsWith('-0'));
  expect(failures).toEqual({});
  expect(exitCodes).toEqual(serviceNames.map(() => 0));
  expect(accepted).toBeGreaterThan(sent / 2);
});
