// 20,000 alerts in ten seconds, nine of ten duplicates: none may be lost, and the backlog must be processed soon
// afterwards.
import { ownPayload } from '../bodies.mjs';
import { followBacklog } from '../backlog.mjs';
import { load } from '../client.mjs';
import { pluck } from '../measure.mjs';
import { seedIntegrations, seedOrganizations, targetsOf } from '../seed.mjs';

export const name = 'storm';
export const about = '20,000 alerts in 10 s, 90 % duplicates: none lost, processed soon afterwards';

const seconds = 10;
const alerts = 20_000;

export async function run({ options, start, results }) {
  const ours = await start();
  // A fingerprint repeats within one integration: a few integrations, whose limit is above 20,000 requests.
  const { generic } = await seedIntegrations(ours, await seedOrganizations(ours, 100), [
    { type: 'generic', count: 6000 },
  ]);
  const count = async () =>
    (
      await ours.query(
        `SELECT (SELECT count(*)::int FROM alerts.events) AS events,
          (SELECT coalesce(sum(occurrence_count), 0)::int FROM alerts.alerts) AS occurrences`,
      )
    )[0];
  const rounds = [];
  for (let round = 0; round < options.rounds; round++) {
    const before = await count();
    const backlog = await followBacklog(ours);
    const figures = await load({
      method: 'POST',
      port: ours.services['ingest-gateway'].port,
      targets: targetsOf(generic),
      body: ownPayload,
      duplicates: 0.9,
      expected: 202,
      rate: alerts / seconds,
      seconds,
      connections: 64,
    });
    const drainMs = await backlog.drained(120_000);
    const after = await count();
    rounds.push({
      accepted: figures.succeeded,
      refused: figures.sent - figures.succeeded,
      statuses: figures.statuses,
      p99: figures.p99,
      drainSeconds: drainMs / 1000,
      // A rejected request may have been stored nevertheless: more events than accepted requests is not a loss.
      lost: Math.max(
        0,
        figures.succeeded - Math.min(after.events - before.events, after.occurrences - before.occurrences),
      ),
    });
  }
  results.add({
    workload: name,
    what: 'accepted and lost',
    unit: 'alerts',
    ours: pluck(rounds, 'lost'),
    target: { text: '0', reached: ({ worst, ours: middle }) => worst === 0 && middle === 0 },
    facts: rounds,
  });
  results.add({
    workload: name,
    what: 'not accepted',
    unit: 'alerts',
    ours: rounds.map(({ accepted }) => alerts - accepted),
    target: { text: '0', reached: ({ worst }) => worst === 0 },
  });
  results.add({
    workload: name,
    what: 'processed after',
    unit: 's',
    ours: pluck(rounds, 'drainSeconds'),
    target: { text: '≤ 10 s', reached: ({ worst }) => worst <= 10 },
  });
  results.add({ workload: name, what: 'p99 meanwhile', unit: 'ms', ours: pluck(rounds, 'p99') });
}
