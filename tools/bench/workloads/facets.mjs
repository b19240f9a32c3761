// The facets of a million alerts of one tenant, with and without filters. The rate limit is higher here, because there is
// only one organization; requests are still counted.
import { load, requireSuccess } from '../client.mjs';
import { pluck } from '../measure.mjs';
import { under } from '../report.mjs';
import { seedAlerts, seedOrganizations } from '../seed.mjs';

export const name = 'facets';
export const about = 'the facets of 100 thousand and 1 million alerts';

const clients = 4;

/** What the side of a list shows. */
const shown = 'facet=status,severity,source,clientId,integrationId,assigneeId';

export async function run(context) {
  const sizes = context.options.quick ? [100_000] : [100_000, 1_000_000];
  for (const size of sizes) await ofSize(size, context);
}

async function ofSize(size, { options, start, report, results }) {
  const ours = await start((service) => (service === 'auth' ? { API_LIMIT_PER_MINUTE: '1000000' } : {}));
  const [organization] = await seedOrganizations(ours, 1);
  report.line(`          creating ${size.toLocaleString('en')} alerts`);
  await seedAlerts(ours, [organization], size);
  const headers = { authorization: `Bearer ${organization.key}` };
  const port = Number(new URL(ours.baseUrl).port);
  const cases = [
    ['counters only', 'facet=status,severity,integrationId&status=firing'],
    ['no filter', shown],
    ['no filter, with two labels', `${shown},label:region,label:service`],
    ['status', `${shown}&status=firing,acknowledged`],
    ['status and severity', `${shown}&status=firing&severity=critical`],
    ['label, common', `${shown}&label=region:eu`],
    ['label, rare', `${shown}&label=host:web-4711`],
    ['label that no alert has', `${shown}&label=team`],
    ['q, common', `${shown}&q=Disk`],
    ['q, rare', `${shown}&q=web-${size - 7}`],
    ['the last hour', `${shown}&since=${new Date(Date.now() - 3_600_000).toISOString()}`],
  ];
  const about = size.toLocaleString('en');
  for (const [what, query] of cases) {
    report.line(`          ${about}: ${what}`);
    const samples = [];
    for (let round = 0; round < options.rounds; round++)
      samples.push(
        requireSuccess(
          `GET /alerts/facets?${query}`,
          await load({
            method: 'GET',
            port,
            targets: [{ path: `/api/v1/alerts/facets?${query}`, headers }],
            connections: clients,
            expected: 200,
            seconds: options.seconds,
            warmup: 1,
          }),
          0.02,
        ),
      );
    for (const part of ['p50', 'p99'])
      results.add({
        workload: name,
        what: `${about}, ${what}, ${part}`,
        unit: 'ms',
        ours: pluck(samples, part),
        target: part === 'p99' ? under(250, 'ms') : null,
        facts: samples,
      });
  }
  await ours.stop();
}
