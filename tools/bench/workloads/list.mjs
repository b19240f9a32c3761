// The first page of 50 among very many alerts of one tenant, with and without filters, and a late page; compared with
// the SQL query of the page. The rate limit is higher here, because there is only one organization; requests
// are still counted.
import { publicId } from '@ams/contracts';
import { pageByApi, pageByQuery } from '../first-page.mjs';
import { alternate, pluck } from '../measure.mjs';
import { atLeast, atMost, under } from '../report.mjs';
import { seedAlerts, seedOrganizations } from '../seed.mjs';

export const name = 'list';
export const about =
  'the first page of 50 of 100 thousand and (by name) 1 million alerts; compared with the query alone';

const latePage = 200;

export async function run(context) {
  const { quick, brief, large } = context.options;
  const sizes = [100_000, ...(quick || brief ? [] : [1_000_000]), ...(large ? [5_000_000] : [])];
  for (const size of sizes) await ofSize(size, context);
}

async function ofSize(size, { options, start, report, results }) {
  const ours = await start((service) => (service === 'auth' ? { API_LIMIT_PER_MINUTE: '1000000' } : {}));
  const [organization] = await seedOrganizations(ours, 1);
  report.line(`          creating ${size.toLocaleString('en')} alerts`);
  const { integrations } = await seedAlerts(ours, [organization], size);
  const headers = { authorization: `Bearer ${organization.key}` };
  const integration = publicId('integration', integrations[3]);
  const filters = [
    ['no filter', '', {}],
    ['status', 'status=firing', { status: ['firing'] }],
    ['label, common', 'label=region:eu', { label: ['region:eu'] }],
    ['q, rare', `q=web-${size - 7}`, { q: `web-${size - 7}` }],
    ['severity', 'severity=critical', { severity: ['critical'] }],
    ['label, rare', 'label=host:web-4711', { label: ['host:web-4711'] }],
    ['q, common', 'q=Disk', { q: 'Disk' }],
    ['integrationId', `integrationId=${integration}`, { integrationId: [integration] }],
  ];
  const about = size.toLocaleString('en');
  const page = (query) => pageByApi(ours, organization.key, query, options);
  for (const [what, query, filter] of options.brief ? filters.slice(0, 4) : filters) {
    report.line(`          ${about}: ${what}`);
    try {
      const samples = await alternate(options.rounds, [
        { name: 'ours', run: page(query) },
        { name: 'query', run: pageByQuery(ours, organization.id, filter, options) },
      ]);
      const reference = (key) => ({ name: 'query alone', values: pluck(samples.query, key) });
      results.add({
        workload: name,
        what: `first page of ${about}, ${what}`,
        unit: 'pages/s',
        ours: pluck(samples.ours, 'rate'),
        reference: reference('rate'),
        target: atLeast(0.25),
        facts: samples,
      });
      results.add({
        workload: name,
        what: `first page of ${about}, ${what}, p99`,
        unit: 'ms',
        ours: pluck(samples.ours, 'p99'),
        reference: reference('p99'),
        target: under(30, 'ms'),
      });
    } catch (error) {
      results.note(`list of ${about}, ${what}: ${error.message}`);
    }
  }

  report.line(`          ${about}: page ${latePage} compared with page 2`);
  const second = await cursorOf(ours, headers, 1);
  const late = await cursorOf(ours, headers, latePage - 1);
  const samples = await alternate(options.rounds, [
    { name: 'late', run: page(`cursor=${late}`) },
    { name: 'second', run: page(`cursor=${second}`) },
  ]);
  results.add({
    workload: name,
    what: `page ${latePage} of ${about}, p50`,
    unit: 'ms',
    ours: pluck(samples.late, 'p50'),
    reference: { name: 'page 2', values: pluck(samples.second, 'p50') },
    target: atMost(1.2),
    facts: samples,
  });
  await ours.stop();
}

/** The cursor to the page after `pages` pages of 50. */
async function cursorOf(ours, headers, pages) {
  let cursor = '';
  for (let i = 0; i < pages; i++) {
    const response = await fetch(`${ours.baseUrl}/api/v1/alerts?limit=50${cursor && `&cursor=${cursor}`}`, { headers });
    const answer = await response.json();
    if (!response.ok) throw new Error(`page ${i + 1}: ${response.status} ${answer.code}`);
    cursor = answer.meta.nextCursor;
  }
  return cursor;
}
