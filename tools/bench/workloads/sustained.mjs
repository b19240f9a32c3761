// The complete path: accepted, applied and visible, with a stable backlog. The rate is raised until the backlog grows,
// and the highest stable rate, or a lower one, is then held for a long time. The reference is plain Fastify with the
// same client: its rate and its CPU time.
import { alertsAt } from '../alerts-at.mjs';
import { ownPayload } from '../bodies.mjs';
import { followBacklog } from '../backlog.mjs';
import { load, requireSuccess } from '../client.mjs';
import { median } from '../measure.mjs';
import { withCpu, writtenBytes } from '../processes.mjs';
import { atLeast, atMost } from '../report.mjs';
import { startReference } from '../references/start.mjs';
import { seedIntegrations, seedOrganizations } from '../seed.mjs';

export const name = 'sustained';
export const about = 'the highest rate with a stable backlog, and its CPU time; compared with plain Fastify';

const lowest = 400;
const step = 1.2;
/** The search begins this many steps above the lowest rate, and lower when this is too much. */
const firstStep = 8;

export async function run({ options, start, report, results, cleanUp }) {
  const ours = await start();
  const { generic } = await seedIntegrations(ours, await seedOrganizations(ours, 100), [
    { type: 'generic', count: options.quick ? 6000 : 10_000 },
  ]);
  const fastify = cleanUp(await startReference('fastify-server.mjs'));

  const bare = async () => {
    const { result, total } = await withCpu({ fastify: fastify.pid }, () =>
      load({
        method: 'POST',
        port: fastify.port,
        targets: [{ path: '/alerts' }],
        body: ownPayload,
        expected: 202,
        seconds: options.seconds,
        warmup: 1,
      }),
    );
    requireSuccess('Fastify', result);
    return { rate: result.rate, cpuPer1000: (1000 * total) / result.succeeded };
  };
  const hold = async (rate, seconds) => {
    const backlog = await followBacklog(ours);
    const written = await writtenSince(ours);
    const {
      result: { result: figures, cpu, total },
      seen,
    } = await backlog.during(() => withCpu(ours.pids(), () => alertsAt(ours, generic, rate, seconds)));
    const behind = (await backlog.since()).backlog;
    const drainMs = await backlog.drained(120_000);
    const bytes = await written();
    // Stable: in the last third the median backlog is at most half a second of events, and all requests were accepted
    // within a second.
    const late = seen.slice(-Math.ceil(seen.length / 3)).map(({ backlog: n }) => n);
    const kept = figures.succeeded >= 0.99 * rate * seconds && figures.p99 < 1000;
    const flat = median(late) <= rate * 0.5 && behind <= rate;
    return {
      rate,
      kept,
      flat,
      holds: kept && flat,
      accepted: figures.succeeded,
      statuses: figures.statuses,
      p50: figures.p50,
      p99: figures.p99,
      behind,
      drainMs,
      cpuPer1000: (1000 * total) / figures.succeeded,
      cpu: Object.fromEntries(Object.entries(cpu).map(([part, used]) => [part, (1000 * used) / figures.succeeded])),
      bytes: Object.fromEntries(Object.entries(bytes).map(([what, n]) => [what, n / figures.succeeded])),
      backlog: seen.map(({ backlog: n }) => n),
    };
  };

  const references = [await bare()];
  const tried = [];
  let best = null;
  for (let rate = lowest * step ** firstStep; options.rate === null; rate *= step) {
    const held = await hold(Math.round(rate), Math.max(5, options.seconds));
    tried.push(held);
    report.line(
      `          ${held.rate}/s: ` +
        `${held.holds ? 'stable' : held.kept ? 'the backlog grows' : 'not all accepted'} (p99 ` +
        `${held.p99?.toFixed(0)} ms, backlog ${held.behind}, CPU ${held.cpuPer1000.toFixed(2)} s per 1,000)`,
    );
    if (!held.holds && best === null && rate > lowest) rate /= step * step * step;
    else if (!held.holds) break;
    else best = held;
  }
  references.push(await bare());
  // What holds for some seconds rarely holds for a minute: the workflows and the log of requests finish later.
  let rate = options.rate ?? (best ? best.rate / step : lowest);
  let soak;
  for (;;) {
    report.line(`          holding ${Math.round(rate)}/s for ${options.soak} s`);
    soak = await hold(Math.round(rate), options.soak);
    references.push(await bare());
    if (soak.holds || rate < lowest || options.rate !== null) break;
    report.line(
      `          ${soak.kept ? 'the backlog grows' : `not all accepted (p99 ${soak.p99?.toFixed(0)} ms)`}, CPU ` +
        `${soak.cpuPer1000.toFixed(2)} s per 1,000`,
    );
    rate /= step;
  }
  const reference = { name: 'plain Fastify', values: references.map((one) => one.rate) };
  if (best)
    results.add({
      workload: name,
      what: `highest rate in steps of ${Math.max(5, options.seconds)} s`,
      unit: 'alerts/s',
      ours: [best.rate],
      reference,
      facts: { tried },
    });
  results.add({
    workload: name,
    what: `held for ${options.soak} s, stable backlog`,
    unit: 'alerts/s',
    ours: [soak.holds ? soak.rate : 0],
    reference,
    target: atLeast(0.12, '≥ 0.12 (first 0.08)'),
    facts: { soak },
  });
  results.add({
    workload: name,
    what: 'CPU of all processes per 1,000 alerts',
    unit: 's',
    ours: [soak.cpuPer1000],
    reference: { name: 'plain Fastify', values: references.map((one) => one.cpuPer1000) },
    target: atMost(15, '< 15 times (first 20)'),
    facts: { byProcess: soak.cpu },
  });
  results.note(
    `sustained, CPU seconds per 1,000 alerts by process: ${Object.entries(soak.cpu)
      .map(([part, used]) => `${part} ${used.toFixed(3)}`)
      .join(', ')}.`,
  );
  results.note(
    `sustained, bytes for an alert: ${Object.entries(soak.bytes)
      .map(([what, bytes]) => `${what} ${bytes.toFixed(0)}`)
      .join(', ')}.`,
  );
  await verify(ours, results);
}

/** Begins to count what is written to disks; the answer counts until it is called. */
async function writtenSince(ours) {
  const read = async () => {
    const [{ wal, tables }] = await ours.query(
      `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 AS wal,
        pg_database_size(current_database())::float8 AS tables`,
    );
    const { NATS } = ours.pids();
    return {
      WAL: wal,
      'growth of the database': tables,
      'written by NATS': writtenBytes([NATS]),
    };
  };
  const before = await read();
  return async () => {
    const after = await read();
    return Object.fromEntries(Object.entries(after).map(([what, n]) => [what, n - before[what]]));
  };
}

/** Every accepted alert exists exactly once. */
async function verify(ours, results) {
  const stored = await ours.counter('ingest-gateway', 'ams_ingest_events_total');
  const [{ events, occurrences }] = await ours.query(
    `SELECT (SELECT count(*)::int FROM alerts.events) AS events,
      (SELECT sum(occurrence_count)::int FROM alerts.alerts) AS occurrences`,
  );
  if (events !== stored || occurrences !== stored)
    results.note(
      `sustained: ${stored} events were accepted, ${events} are in the database and ${occurrences} counted.`,
    );
}
