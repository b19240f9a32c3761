// Ingest, lists, the vacuum and the retention with very many alerts and events stored, compared with an empty
// installation. Both run at the same time, and are measured in turn.
import { pageByApi, pageByQuery } from '../first-page.mjs';
import { alternate, median, pluck } from '../measure.mjs';
import { atLeast, under } from '../report.mjs';
import { seedAlerts, seedHistory, seedIntegrations, seedOrganizations } from '../seed.mjs';
import { until } from '../until.mjs';
import { drainedBacklog } from './pipeline.mjs';

export const name = 'stored';
export const about =
  'ingest, lists, vacuum and retention with millions of alerts and events, against empty (--large: 5 and 20)';

const organizations = 10;
const eventsOfAlert = 4;
/** The events are distributed over these months; the oldest goes. */
const months = 3;

export async function run(context) {
  const { options, start, report, results } = context;
  const alerts = options.quick ? 50_000 : options.large ? 5_000_000 : 1_000_000;
  const about = `${alerts.toLocaleString('en')} alerts and ${(alerts * eventsOfAlert).toLocaleString('en')} events`;
  const empty = await withTenants(await start(unlimited));
  const full = await withTenants(await start(unlimited));
  report.line(`          creating ${about}`);
  await seedAlerts(full.ours, full.tenants, alerts / organizations);
  await seedHistory(full.ours, { eventsOfAlert, months });
  const [size] = await full.ours.query(
    `SELECT pg_size_pretty(pg_database_size(current_database())) AS database,
       pg_size_pretty(pg_total_relation_size('alerts.alerts')) AS alerts`,
  );
  results.note(`stored: ${about} are ${size.database} of PostgreSQL, of which the table of alerts has ${size.alerts}.`);

  const events = options.quick ? 10_000 : 50_000;
  for (const [what, duplicates] of [
    ['unique', 0],
    ['90 % duplicates', 0.9],
  ]) {
    report.line(`          a backlog of ${events} events, ${what}`);
    const drain = (place) => () => drainedBacklog(place.ours, place.generic, { events, duplicates });
    const samples = await alternate(options.rounds, [
      { name: 'full', run: drain(full) },
      { name: 'empty', run: drain(empty) },
    ]);
    results.add({
      workload: name,
      what: `processing events, ${what}, with ${about}`,
      unit: 'events/s',
      ours: pluck(samples.full, 'rate'),
      reference: { name: 'empty', values: pluck(samples.empty, 'rate') },
      target: atLeast(0.85),
      facts: samples,
    });
  }
  await empty.ours.stop(); // its workflow engine has work left, which the lists would notice
  report.line('          waiting until the workflows have seen the events');
  await until(
    'the workflow engine has processed the events',
    async () =>
      (await full.ours.counter('workflow-engine', 'ams_workflow_unprocessed_messages')) === 0 &&
      (await full.ours.query('SELECT FROM alerts.outbox LIMIT 1')).length === 0,
    600_000,
    1000,
  );
  await lists(full, context, about);
  await vacuum(full, results, about);
  await retention(full, results, about);
  await full.ours.stop();
}

const unlimited = (service) => (service === 'auth' ? { API_LIMIT_PER_MINUTE: '1000000' } : {});

async function withTenants(ours) {
  const tenants = await seedOrganizations(ours, organizations);
  const { generic } = await seedIntegrations(ours, tenants, [{ type: 'generic', count: 6000 }]);
  return { ours, tenants, generic };
}

/** First pages of one organization, and the query of the same page alone. */
async function lists({ ours, tenants }, { options, report, results }, about) {
  const [{ id, key }] = tenants;
  for (const [what, query, filter] of [
    ['no filter', '', {}],
    ['label, common', 'label=region:eu', { label: ['region:eu'] }],
    ['q, rare', 'q=web-4711', { q: 'web-4711' }],
  ]) {
    report.line(`          first page, ${what}`);
    const samples = await alternate(options.rounds, [
      { name: 'ours', run: pageByApi(ours, key, query, options) },
      { name: 'query', run: pageByQuery(ours, id, filter, options) },
    ]);
    results.add({
      workload: name,
      what: `first page of one of ${organizations} organizations, ${what}, p99, with ${about}`,
      unit: 'ms',
      ours: pluck(samples.ours, 'p99'),
      reference: { name: 'query alone', values: pluck(samples.query, 'p99') },
      target: under(30, 'ms'),
      facts: samples,
    });
  }
}

/** After the backlogs, which changed and added rows. */
async function vacuum({ ours }, results, about) {
  const [{ dead }] = await ours.query(
    `SELECT n_dead_tup::int AS dead FROM pg_stat_user_tables WHERE relid = 'alerts.alerts'::regclass`,
  );
  const seconds = await secondsOf(() => ours.query('VACUUM (ANALYZE) alerts.alerts'));
  results.add({
    workload: name,
    what: `VACUUM of the alerts, with ${about}`,
    unit: 's',
    ours: [seconds],
    facts: { dead },
  });
}

/** The oldest month of events goes, while alerts are read: how long it takes, and what a reader notices. */
async function retention({ ours, tenants }, results, about) {
  const [{ key }] = tenants;
  const headers = { authorization: `Bearer ${key}` };
  const reads = [];
  let ended = false;
  const reader = (async () => {
    while (!ended) {
      const begun = performance.now();
      const response = await fetch(`${ours.baseUrl}/api/v1/alerts?limit=50`, { headers });
      await response.arrayBuffer();
      if (response.status !== 200) throw new Error(`a read during the retention: ${response.status}`);
      reads.push(performance.now() - begun);
    }
  })();
  const [{ before }] = await ours.query(
    `SELECT date_trunc('month', now() AT TIME ZONE 'UTC') - make_interval(months => $1) AS before`,
    [months - 2],
  );
  const seconds = await secondsOf(async () => {
    for (;;) {
      const [{ months: dropped, deleted }] = await ours.query('SELECT * FROM alerts.drop_old_events($1)', [before]);
      if (dropped === 0 && deleted === 0) return;
    }
  });
  ended = true;
  await reader;
  results.add({
    workload: name,
    what: `dropping old months of events, with ${about}`,
    unit: 's',
    ours: [seconds],
    facts: { slowestReadMs: Math.max(...reads), medianReadMs: median(reads) },
  });
}

async function secondsOf(work) {
  const begun = performance.now();
  await work();
  return (performance.now() - begun) / 1000;
}
