import { storm } from '../scenarios/storm.js';

it('a storm of 10,000 alerts in a minute is one incident and one page for each of 50 services, and nothing is lost', async () => {
  const report = await storm({ alerts: 10_000, seconds: 60, services: 50, apiPerSecond: 20 });
  const { api, settledAfter, ...counts } = report;
  console.info(
    `API meanwhile: ${api.requests} requests, p50 ${api.p50} ms, p99 ${api.p99} ms, worst ${api.worst} ms; the last run was over ${settledAfter} s after the last alert`,
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
