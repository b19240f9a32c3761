import { storm } from '../scenarios/storm.js';

it('10,000 alerts in a minute are one incident and one page for each of 50 services; none is lost', async () => {
  const report = await storm({ alerts: 10_000, seconds: 60, services: 50, apiPerSecond: 20 });
  const { api, settledAfter, ...counts } = report;
  console.info(
    `API at the same time: ${api.requests} requests, p50 ${api.p50} ms, p99 ${api.p99} ms, worst ${api.worst} ms; ` +
      `the last run ended ${settledAfter} s after the last alert`,
  );
  expect(counts).toEqual({
    accepted: 10_000,
    alerts: 10_000,
    incidents: 50,
    alertsInIncidents: 10_000,
    pages: 50,
    runs: { completed: 10_000 },
    failures: 0,
  });
});
