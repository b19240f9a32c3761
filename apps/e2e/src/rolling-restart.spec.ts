import { rollingRestart } from './scenarios/rolling-restart.js';

const restarted = ['alert-pipeline-0', 'resource-api-0', 'ingest-gateway-0', 'api-gateway-0'];

// `npm run test:long` restarts all replicas of all services, at twenty times the load. Here other tests keep the machine
// busy, too.
it('a replica of a service is restarted under load: no request fails, no event is lost', async () => {
  const { failures, warnings, exitCodes, accepted, sent } = await rollingRestart(25, ({ name }) => restarted.includes(name));
  expect({ failures, warnings }).toEqual({ failures: {}, warnings: [] });
  expect(exitCodes).toEqual(restarted.map(() => 0));
  expect(accepted).toBeGreaterThan(sent / 2);
});
