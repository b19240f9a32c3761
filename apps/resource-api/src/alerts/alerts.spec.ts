import {
  exportAlerts,
  getAlert,
  getAlertFacets,
  getAlertTimeline,
  listAlerts,
  newUuid,
  operationsOf,
  publicId,
  type Alert,
  type AlertFilter,
  type Answer,
  type Facets,
  type Operation,
  type Page,
  type Principal,
  type TimelineEntry,
} from '@ams/contracts';
import { severityOfRank, severityRank } from '@ams/alerting';
import { alertStatuses, labelFilterLimits, severities, type AlertStatus } from '@ams/domain';
import fc from 'fast-check';
import { dataOf, insertAlerts, insertIncidents, pageOf } from '@ams/testing';
import { startResourceApi, type TestResourceApi } from '../../testing/support.js';

let api: TestResourceApi;
let me: Principal;

interface Seeded {
  id: string;
  title: string;
  severity: number;
  status: AlertStatus;
  source: string | null;
  fingerprint: string;
  labels: Record<string, string>;
  client_id: string | null;
  integration_id: string;
  incident_id: string | null;
  assignee_id: string | null;
  last_occurred_at: string;
  created_at: string;
}

const clients = [newUuid(), newUuid()];
const integrations = [newUuid(), newUuid(), newUuid()];
const incidents = [newUuid(), newUuid()];
const members = [newUuid()];
const start = Date.parse('2026-03-01T00:00:00Z');
const minute = 60_000;
const day = 24 * 60 * minute;
let serial = 0;

/** Pseudo-random numbers, equal in every run. */
let state = 42;
const random = (below: number): number => {
  state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
  return Math.floor((state / 2_147_483_648) * below);
};
const oneOf = <T>(list: readonly T[]): T => list[random(list.length)] as T;

function newAlert(more: Partial<Seeded> = {}): Seeded {
  const createdAt = start + random(500) * minute;
  const status = oneOf(['firing', 'acknowledged', 'suppressed', 'resolved', 'resolved', 'resolved'] as const);
  return {
    id: newUuid(createdAt),
    title: `${oneOf(['High CPU', 'Disk full', '100% of quota', 'Lag_of replica', 'ÜBERLAST'])} on web-${random(20)}`,
    severity: random(5),
    status,
    source: oneOf([null, 'prometheus', 'zabbix', 'sensor']),
    fingerprint: `fp-${serial++ % 40}-${status === 'resolved' ? '' : serial}`,
    labels: {
      region: oneOf(['eu', 'us']),
      host: `web-${random(50)}`,
      ...(random(20) === 0 ? { note: 'a,b:c"d' } : {}),
    },
    client_id: oneOf([null, ...clients]),
    integration_id: oneOf(integrations),
    incident_id: oneOf([null, null, ...incidents]),
    assignee_id: oneOf([null, ...members]),
    // Many have the same time: only the id makes the order total.
    last_occurred_at: new Date(createdAt + random(60) * minute).toISOString(),
    created_at: new Date(createdAt).toISOString(),
    ...more,
  };
}

const insert = async (alerts: Seeded[], tenant: Principal): Promise<void> => {
  const seeds = alerts.map(({ id, title, status, source, fingerprint, labels, ...alert }) => ({
    ...{ id, title, status, source, fingerprint, labels },
    severity: severityOfRank(alert.severity),
    clientId: alert.client_id,
    integrationId: alert.integration_id,
    incidentId: alert.incident_id,
    assigneeId: alert.assignee_id,
    lastOccurredAt: alert.last_occurred_at,
    createdAt: alert.created_at,
  }));
  await insertAlerts(api.admin, tenant, seeds);
};

let seeded: Seeded[];

beforeAll(async () => {
  api = await startResourceApi();
  me = await api.newPrincipal();
  // Alerts cannot name incidents that do not exist.
  const named = incidents.map((id) => ({ id }));
  await insertIncidents(api.admin, me, named);
  seeded = Array.from({ length: 1500 }, () => newAlert());
  await insert(seeded, me);
  for (const stranger of [
    await api.newPrincipal(),
    await api.newPrincipal({ organizationId: me.organizationId, environment: 'test' }),
  ]) {
    await insert(
      Array.from({ length: 300 }, () => newAlert()),
      stranger,
    );
  }
});
afterAll(() => api.stop());

// --- The naive model -------------------------------------------------------------------------------------------------

const among = (filter: string[] | undefined, value: string | null, prefix = ''): boolean => {
  if (filter === undefined) return true;
  if (value === null) return filter.includes('!') || (filter[0] ?? '').startsWith('!');
  const shown = prefix === '' ? value : `${prefix}_${value.replaceAll('-', '')}`;
  return filter[0] !== '!' && filter[0]?.startsWith('!') ? !filter.includes(`!${shown}`) : filter.includes(shown);
};

const hasLabel = (filter: string, labels: Record<string, string>): boolean => {
  const [, absent, key = '', negated, pattern, value] = /^(!?)([^:!~]+)(!?)(~?)(?::([^]*))?$/.exec(filter) ?? [];
  const present = labels[key];
  if (value === undefined) return (present === undefined) === (absent === '!');
  const isMatch = present !== undefined && (pattern ? new RegExp(value).test(present) : present === value);
  return isMatch !== (negated === '!');
};

const matches = (alert: Seeded, f: AlertFilter): boolean =>
  among(f.status, alert.status) &&
  among(f.severity, severityOfRank(alert.severity)) &&
  among(f.source, alert.source) &&
  among(f.fingerprint, alert.fingerprint) &&
  among(f.clientId, alert.client_id, 'cli') &&
  among(f.integrationId, alert.integration_id, 'int') &&
  among(f.incidentId, alert.incident_id, 'inc') &&
  among(f.assigneeId, alert.assignee_id, 'usr') &&
  (f.label ?? []).every((label) => hasLabel(label, alert.labels)) &&
  (f.q === undefined || alert.title.toLowerCase().includes(f.q.toLowerCase())) &&
  (f.since === undefined || Date.parse(alert.last_occurred_at) >= Date.parse(f.since)) &&
  (f.until === undefined || Date.parse(alert.last_occurred_at) < Date.parse(f.until)) &&
  (f.createdSince === undefined || Date.parse(alert.created_at) >= Date.parse(f.createdSince)) &&
  (f.createdUntil === undefined || Date.parse(alert.created_at) < Date.parse(f.createdUntil));

const text = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const compare: Record<string, (a: Seeded, b: Seeded) => number> = {
  lastOccurredAt: (a, b) => text(a.last_occurred_at, b.last_occurred_at) || text(a.id, b.id),
  createdAt: (a, b) => text(a.created_at, b.created_at) || text(a.id, b.id),
  severity: (a, b) => a.severity - b.severity || text(a.last_occurred_at, b.last_occurred_at) || text(a.id, b.id),
};

const expected = (filter: AlertFilter, sort: string): string[] => inOrder(seeded, filter, sort);

function inOrder(alerts: readonly Seeded[], filter: AlertFilter, sort: string): string[] {
  const order = compare[sort.replace('-', '')] as (a: Seeded, b: Seeded) => number;
  const found = alerts.filter((alert) => matches(alert, filter)).sort(order);
  return (sort.startsWith('-') ? found.reverse() : found).map(({ id }) => publicId('alert', id));
}

/** The value as text in a query string. */
const queryOf = (filter: AlertFilter): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(filter)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, Array.isArray(value) ? (name === 'label' ? value : value.join(',')) : value]),
  );

async function everyPage(
  query: Record<string, string | string[]>,
  limit: number,
  seen?: (page: Page<Alert>) => Promise<void>,
  reader = me,
): Promise<Page<Alert>[]> {
  const pages: Page<Alert>[] = [];
  let cursor: string | null = null;
  do {
    const page: Page<Alert> = pageOf<Alert>(
      await api.callAs(reader, listAlerts, {
        query: { ...query, limit: String(limit), ...(cursor === null ? {} : { cursor }) },
      }),
    );
    pages.push(page);
    await seen?.(page);
    cursor = page.meta.nextCursor;
    expect(page.meta.hasMore).toBe(cursor !== null);
  } while (cursor !== null);
  return pages;
}

const idsOf = (pages: Page<Alert>[]): string[] => pages.flatMap(({ data }) => data.map(({ id }) => id));

const someOf = <T>(values: readonly T[], max = 3) =>
  fc.option(fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: max }), { nil: undefined, freq: 2 });
/** Values, or `!` in front of each, or for a field that may have no value, `!` alone. */
const chosenOf = <T extends string>(values: readonly T[], mayBeNone = false): fc.Arbitrary<never> =>
  fc
    .tuple(someOf(values), fc.nat(3))
    .map(([some, form]) =>
      some === undefined
        ? undefined
        : form === 0
          ? some.map((value) => `!${value}`)
          : form === 1 && mayBeNone
            ? ['!', ...some.slice(1)]
            : some,
    ) as fc.Arbitrary<never>;
const rarely = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 1 });
const instant = fc.integer({ min: -10, max: 580 }).map((n) => new Date(start + n * minute).toISOString());

const filters: fc.Arbitrary<AlertFilter> = fc.record({
  status: chosenOf(alertStatuses),
  severity: chosenOf(severities),
  source: chosenOf(['prometheus', 'zabbix', 'nobody'], true),
  fingerprint: rarely(
    fc.uniqueArray(fc.constantFrom(...Array.from({ length: 40 }, (_, i) => `fp-${i}-`)), {
      minLength: 1,
      maxLength: 5,
    }),
  ),
  clientId: rarely(
    fc.constantFrom(
      [publicId('client', clients[0] as string)],
      [publicId('client', clients[1] as string), 'cli_nonsense'],
      ['nonsense'],
      ['!nonsense'],
      ['!'],
      [`!${publicId('client', clients[0] as string)}`],
    ),
  ),
  integrationId: chosenOf(integrations.map((id) => publicId('integration', id))),
  incidentId: rarely(fc.constantFrom(...incidents.map((id) => [publicId('incident', id)]))),
  assigneeId: chosenOf(
    members.map((id) => publicId('member', id)),
    true,
  ),
  label: rarely(
    fc.uniqueArray(
      fc.constantFrom(
        ...['region:eu', 'region:us', 'host:web-7', 'note:a,b:c"d', 'nope:', "x:'; DROP TABLE"],
        ...['region!:eu', 'host!:web-7', 'note', '!note', 'nope!:x', 'host~:^web-1', 'host~:7$', 'host!~:[0-4]'],
        ...['nope~:.', 'nope!~:.'],
      ),
      { minLength: 1, maxLength: 2 },
    ),
  ),
  q: rarely(fc.constantFrom('cpu', 'on WEB-1', '100%', '_', 'ü', 'web-19', 'zzz', '\\')),
  since: rarely(instant),
  until: rarely(instant),
  createdSince: rarely(instant),
  createdUntil: rarely(instant),
});
const sorts = ['lastOccurredAt', '-lastOccurredAt', 'createdAt', '-createdAt', 'severity', '-severity'] as const;

describe('the list of alerts', () => {
  it('equals the result of a simple search and sort, page by page, with the total on the first page', async () => {
    await fc.assert(
      fc.asyncProperty(
        filters,
        fc.constantFrom(...sorts),
        fc.integer({ min: 20, max: 150 }),
        async (filter, sort, limit) => {
          const pages = await everyPage({ ...queryOf(filter), sort }, limit);
          const wanted = expected(filter, sort);
          expect(idsOf(pages)).toEqual(wanted);
          expect(pages.map(({ meta }) => meta.total)).toEqual([wanted.length, ...pages.slice(1).map(() => undefined)]);
          expect(pages.every(({ meta }) => meta.limit === Math.min(limit, 100))).toBe(true);
        },
      ),
      { numRuns: 50 },
    );
  });

  it.each(sorts)('sorts by %s, and without a sort by the newest occurrence first', async (sort) => {
    expect(idsOf(await everyPage({ sort }, 100))).toEqual(expected({}, sort));
    expect(idsOf(await everyPage({}, 100))).toEqual(expected({}, '-lastOccurredAt'));
  });

  it('shows each alert once while new alerts arrive', async () => {
    const before = new Set(expected({}, '-lastOccurredAt'));
    for (const sort of sorts) {
      const ids = idsOf(
        await everyPage({ sort }, 97, async () => {
          const fresh = Array.from({ length: 5 }, () => newAlert());
          await insert(fresh, me);
          seeded.push(...fresh);
        }),
      );
      expect(new Set(ids).size).toBe(ids.length);
      expect([...before].filter((id) => !ids.includes(id))).toEqual([]);
    }
  });

  it('finds the alerts of a page also when matches are very rare', async () => {
    const rare = Array.from({ length: 150 }, (_, i) =>
      newAlert({
        labels: { rare: 'yes' },
        title: i % 2 ? 'quixotic' : 'plain',
        created_at: new Date(start).toISOString(),
        last_occurred_at: new Date(start - i * minute).toISOString(),
        id: newUuid(start),
      }),
    );
    const many = Array.from({ length: 8000 }, () => newAlert({ labels: {}, status: 'resolved', fingerprint: 'many' }));
    await insert([...rare, ...many], me);
    seeded.push(...rare, ...many);
    for (const sort of sorts) {
      for (const filter of [
        { label: ['rare:yes'] },
        { q: 'quixo' },
        { label: ['rare:yes'], status: ['firing', 'resolved'] as AlertStatus[] },
        { label: ['rare:yes'], q: 'IXOT', severity: ['critical', 'info'] as never },
      ]) {
        const wanted = expected(filter, sort);
        const pages = await everyPage({ ...queryOf(filter), sort }, 50);
        expect(idsOf(pages)).toEqual(wanted);
        expect(pages[0]?.meta.total).toBe(wanted.length);
      }
    }
  });

  it('finds the alerts of a page also when very many match, and none of the newest', async () => {
    const old = Array.from({ length: 300 }, (_, i) =>
      newAlert({
        labels: { age: 'old' },
        title: i % 2 ? 'ancient' : 'plain',
        created_at: new Date(start - day).toISOString(),
        last_occurred_at: new Date(start - day - (i % 60) * minute).toISOString(),
        id: newUuid(start - day),
      }),
    );
    const newer = Array.from({ length: 7000 }, () => newAlert({ labels: {} }));
    const reader = await api.newPrincipal();
    await insert([...old, ...newer], reader);
    // A thousand times as many, for the planner.
    await api.admin.query('ANALYZE alerts.alerts');
    await api.admin.query(`UPDATE pg_class SET reltuples = 1000 * reltuples WHERE oid = 'alerts.alerts'::regclass`);
    for (const sort of ['-lastOccurredAt', '-severity'])
      for (const filter of [
        { label: ['age:old'] },
        { label: ['age:old'], q: 'anci' },
        { label: ['age:old'], status: ['firing', 'resolved'] as AlertStatus[] },
      ]) {
        const pages = await everyPage({ ...queryOf(filter), sort }, 50, undefined, reader);
        expect(idsOf(pages)).toEqual(inOrder(old, filter, sort));
      }
  });

  it('answers the complete record', async () => {
    const [alert] = seeded as [Seeded];
    const answer = await api.callAs(me, getAlert, { params: { id: publicId('alert', alert.id) } });
    expect(answer).toMatchObject({ ok: true, version: 1 });
    const got = dataOf<Alert>(answer);
    expect(got).toMatchObject({
      id: publicId('alert', alert.id),
      title: alert.title,
      severity: severityOfRank(alert.severity),
      status: alert.status,
      labels: alert.labels,
      clientId: publicId('client', alert.client_id),
      integrationId: publicId('integration', alert.integration_id),
      lastOccurredAt: alert.last_occurred_at,
      occurrenceCount: 1,
      version: 1,
    });
    expect(Object.keys(got).sort()).toEqual(Object.keys((getAlert.example.reply as { data: object }).data).sort());
    expect(severityRank('critical')).toBe(4);
  });

  it.each([
    [{ limit: '0' }],
    [{ limit: 'x' }],
    [{ limit: '1.5' }],
    [{ status: 'burning' }],
    [{ severity: 'worst' }],
    [{ sort: 'title' }],
    [{ since: 'yesterday' }],
    [{ since: '2026-13-01T00:00:00Z' }],
    [{ until: '2026-01-01T23:59:60Z' }],
    [{ label: '' }],
    [{ label: ':value' }],
    [{ label: '!service:db' }],
    [{ label: 'service~:(' }],
    [{ label: ['a~:x', 'b~:x', 'c~:x', 'd~:x'] }],
    [{ severity: 'low,!high' }],
    [{ severity: '!worst' }],
    [{ severity: '!' }],
    [{ status: '' }],
    [{ integrationId: '!' }],
    [{ clientId: '!,!cli_1' }],
    [{ createdSince: 'yesterday' }],
    [{ q: 'x'.repeat(201) }],
    [{ q: 'a\0' }],
    [{ label: 'a:\0' }],
    [{ source: '\ud800' }],
    [{ tpyo: '1' }],
    [{ cursor: '\0' }],
  ])('refuses %j', async (query) => {
    expect(await api.callAs(me, listAlerts, { query: query as never })).toMatchObject({
      ok: false,
      code: 'VALIDATION_ERROR',
    });
  });

  it.each([
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999Z',
    '2026-02-28T12:00:00.123456789+14:00',
    '2026-02-28t12:00:00z',
  ])('accepts the time %s', async (since) => {
    expect(await api.callAs(me, listAlerts, { query: { since, limit: '1' } })).toMatchObject({ ok: true });
    expect(
      await api.callAs(me, listAlerts, { query: { until: since, status: 'firing', label: 'region:eu', limit: '1' } }),
    ).toMatchObject({ ok: true });
  });

  it('refuses a filter by the path of its parameter, never with an empty list', async () => {
    const answer = await api.callAs(me, listAlerts, { query: { label: 'host~:(', severity: 'low,!high' } });
    expect(answer).toMatchObject({ ok: false, code: 'VALIDATION_ERROR' });
    const { fields } = (answer as Extract<Answer, { ok: false }>).details as {
      fields: { path: string; message: string }[];
    };
    expect(fields.map(({ path }) => path).sort()).toEqual(['label', 'severity']);
    expect(fields.find(({ path }) => path === 'label')?.message).toMatch(/^label has a pattern that cannot be read: /);
  });

  it('has the alerts without a label when a value of the label is excluded', async () => {
    const stranger = await api.newPrincipal();
    await insertAlerts(api.admin, stranger, [
      { title: 'db', labels: { service: 'db' } },
      { title: 'web', labels: { service: 'web' } },
      { title: 'bare', labels: {} },
    ]);
    const titles = async (label: string): Promise<string[]> =>
      pageOf<Alert>(await api.callAs(stranger, listAlerts, { query: { label } }))
        .data.map(({ title }) => title)
        .sort();
    expect(await titles('service!:db')).toEqual(['bare', 'web']);
    expect(await titles('service')).toEqual(['db', 'web']);
    expect(await titles('!service')).toEqual(['bare']);
    expect(await titles('service~:^d')).toEqual(['db']);
    expect(await titles('service!~:^d')).toEqual(['bare', 'web']);
  });

  it('refuses a pattern when the label has too many values, until other filters leave fewer', async () => {
    const stranger = await api.newPrincipal();
    const values = Array.from({ length: labelFilterLimits.values + 1 }, (_, n) => ({
      title: 'many',
      labels: { host: `host-${n}`, half: n % 2 ? 'a' : 'b' },
    }));
    await insertAlerts(api.admin, stranger, values);
    expect(await api.callAs(stranger, listAlerts, { query: { label: 'host~:^host-1' } })).toMatchObject({
      ok: false,
      code: 'VALIDATION_ERROR',
      details: { fields: [{ path: 'label', rule: 'max' }] },
    });
    const narrowed = await api.callAs(stranger, listAlerts, { query: { label: ['half:a', 'host~:^host-1'] } });
    const wanted = values.filter(({ labels }) => labels.half === 'a' && labels.host.startsWith('host-1'));
    expect(pageOf<Alert>(narrowed).meta.total).toBe(wanted.length);
  });

  it('lowers a limit that is too large, and answers an empty list when since is after until', async () => {
    expect(pageOf<Alert>(await api.callAs(me, listAlerts, { query: { limit: '5000' } })).meta.limit).toBe(100);
    expect(
      pageOf(
        await api.callAs(me, listAlerts, { query: { since: '2026-03-02T00:00:00Z', until: '2026-03-01T00:00:00Z' } }),
      ),
    ).toMatchObject({ data: [], meta: { total: 0, hasMore: false, nextCursor: null } });
  });
});

describe('cursors', () => {
  it('belong to their filters and sort', async () => {
    const page = pageOf<Alert>(await api.callAs(me, listAlerts, { query: { status: 'firing', limit: '5' } }));
    const cursor = page.meta.nextCursor as string;
    expect(await api.callAs(me, listAlerts, { query: { status: 'firing', cursor, limit: '7' } })).toMatchObject({
      ok: true,
    });
    for (const query of [
      {},
      { status: 'resolved' },
      { status: 'firing', sort: 'createdAt' },
      { status: 'firing', q: 'x' },
    ]) {
      expect(await api.callAs(me, listAlerts, { query: { ...query, cursor } as never })).toMatchObject({
        ok: false,
        code: 'INVALID_CURSOR',
      });
    }
  });

  it('that are invented or changed are refused or answered, and never cause an internal error', async () => {
    const never500 = (answer: Answer) =>
      expect(answer.ok || ['INVALID_CURSOR', 'VALIDATION_ERROR'].includes(answer.code)).toBe(true);
    const real: Record<string, unknown[]> = {};
    for (const sort of sorts)
      real[sort] = JSON.parse(
        Buffer.from(
          pageOf<Alert>(await api.callAs(me, listAlerts, { query: { sort, limit: '3' } })).meta.nextCursor as string,
          'base64url',
        ).toString(),
      ) as unknown[];
    const value = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.integer(),
      fc.constant(null),
      fc.constantFrom(
        '0000-01-01T00:00:00.000Z',
        '2026-02-30T00:00:00.000Z',
        '2026-01-01T24:00:00.000Z',
        '9999-12-31T23:59:59.999Z',
        '4 2026-01-01T00:00:00.000Z',
        '9 2026-01-01T00:00:00.000Z',
        '4 0000-01-01T00:00:00.000Z',
        '4',
        '-1',
        "'; SELECT 1 --",
      ),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...sorts),
        fc.option(value, { nil: undefined }),
        fc.option(fc.oneof(value, fc.uuid()), { nil: undefined }),
        async (sort, changedValue, changedId) => {
          const parts = [...(real[sort] as unknown[])];
          if (changedValue !== undefined) parts[2] = changedValue;
          if (changedId !== undefined) parts[3] = changedId;
          never500(
            await api.callAs(me, listAlerts, {
              query: { sort, limit: '3', cursor: Buffer.from(JSON.stringify(parts)).toString('base64url') },
            }),
          );
        },
      ),
      { numRuns: 80 },
    );
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (cursor) =>
        never500(await api.callAs(me, listAlerts, { query: { cursor } })),
      ),
      { numRuns: 50 },
    );
  });
});

describe('the timeline of an alert', () => {
  it('has every change in order, in pages', async () => {
    const alert = seeded.find(({ status }) => status === 'firing') as Seeded;
    const entries = Array.from({ length: 25 }, (_, i) => ({
      id: newUuid(Date.parse(alert.created_at) + 1000),
      version: i + 1,
    }));
    for (const { id, version } of [...entries].reverse()) {
      await api.admin.query(
        `INSERT INTO alerts.timeline
           (id, alert_id, organization_id, environment, type, occurred_at, actor, cause, changes, note, alert_version)
         VALUES ($1, $2, $3, 'live', 'alert.occurred', now(), '{"type":"integration","id":"int_x","name":"i"}',
           '{"type":"event","id":"evt_x"}', '[{"field":"title","before":"a","after":"b"}]', NULL, $4)`,
        [id, alert.id, me.organizationId, version],
      );
    }
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Page<TimelineEntry> = pageOf(
        await api.callAs(me, getAlertTimeline, {
          params: { id: publicId('alert', alert.id) },
          query: { limit: '10', ...(cursor ? { cursor } : {}) },
        }),
      );
      expect(page.meta.total).toBe(cursor === null ? 25 : undefined);
      expect(page.data[0]).toMatchObject({
        type: 'alert.occurred',
        actor: { name: 'i' },
        cause: { id: 'evt_x' },
        changes: [{ field: 'title', before: 'a', after: 'b' }],
        note: null,
      });
      found.push(...page.data.map(({ id }) => id));
      cursor = page.meta.nextCursor;
    } while (cursor);
    expect(found).toEqual(entries.map(({ id }) => publicId('timelineEntry', id)));
  });
});

describe('an export', () => {
  /** The pages, as the gateway asks for them. */
  async function exported(
    principal: Principal,
    query: Record<string, string | string[]>,
    between: (page: Page<Alert>) => Promise<void> = async () => undefined,
  ): Promise<Page<Alert>[]> {
    const pages: Page<Alert>[] = [];
    let after: string | undefined;
    do {
      const page: Page<Alert> = pageOf<Alert>(await api.callAs(principal, exportAlerts, { query, after }));
      pages.push(page);
      expect(page.meta).not.toHaveProperty('total');
      await between(page);
      after = page.meta.nextCursor ?? undefined;
    } while (after !== undefined);
    return pages;
  }

  it.each<[AlertFilter]>([
    [{}],
    [{ status: ['firing', 'acknowledged'] }],
    [{ severity: ['!low'], label: ['region:eu'] }],
    [{ label: ['host~:^web-1', '!note'] }],
    [{ clientId: ['!'], q: 'cpu' }],
    [{ createdSince: new Date(start + 200 * minute).toISOString() }],
  ])('has all alerts that the filter %j chooses, in each of its orders', async (filter) => {
    for (const sort of ['createdAt', '-createdAt'])
      expect(idsOf(await exported(me, { ...queryOf(filter), sort }))).toEqual(expected(filter, sort));
    expect(idsOf(await exported(me, queryOf(filter)))).toEqual(expected(filter, '-createdAt'));
  });

  it('has each alert once while alerts occur again and others are created', async () => {
    const other = await api.newPrincipal();
    const alerts = Array.from({ length: 1200 }, () => newAlert());
    await insert(alerts, other);
    for (const sort of ['createdAt', '-createdAt']) {
      const pages = await exported(other, { sort }, async ({ data }) => {
        await api.admin.query('UPDATE alerts.alerts SET last_occurred_at = now() WHERE id = ANY($1::uuid[])', [
          alerts.filter((_alert, n) => n % 3 === 0).map(({ id }) => id),
        ]);
        await insert([newAlert({ created_at: new Date().toISOString() }), newAlert()], other);
        expect(data.length).toBeLessThanOrEqual(500);
      });
      const found = idsOf(pages);
      expect(pages.length).toBeGreaterThan(2);
      expect(new Set(found).size).toBe(found.length);
      expect(found).toEqual(expect.arrayContaining(alerts.map(({ id }) => publicId('alert', id))));
    }
  });

  it('has smaller pages when alerts are large', async () => {
    const other = await api.newPrincipal();
    const alerts = Array.from({ length: 230 }, () => newAlert({ labels: { text: 'x'.repeat(8000) } }));
    await insert(alerts, other);
    const pages = await exported(other, {});
    expect(pages.length).toBeGreaterThan(2);
    for (const page of pages) expect(JSON.stringify(page).length).toBeLessThan(800 * 1024);
    expect(new Set(idsOf(pages)).size).toBe(alerts.length);
    expect(idsOf(pages)).toHaveLength(alerts.length);
  });

  it('is not sorted by what may change, and does not go on with other filters', async () => {
    expect(await api.callAs(me, exportAlerts, { query: { sort: 'severity' } })).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: [{ path: 'sort' }] },
    });
    const first = pageOf<Alert>(await api.callAs(me, exportAlerts));
    const after = first.meta.nextCursor as string;
    expect(await api.callAs(me, exportAlerts, { query: { severity: 'low' }, after })).toMatchObject({
      code: 'INVALID_CURSOR',
    });
  });
});

describe('tenants', () => {
  it('see no alerts of each other', async () => {
    const id = publicId('alert', (seeded[0] as Seeded).id);
    for (const stranger of [
      await api.newPrincipal(),
      await api.newPrincipal({ organizationId: me.organizationId, environment: 'test' }),
    ]) {
      for (const operation of operationsOf('resource-api').filter(({ path }) =>
        path.startsWith('/alerts/{id}'),
      ) as Operation[]) {
        for (const params of [{ id }, { id: publicId('alert', newUuid()) }, { id: 'nonsense' }, { id: '\0' }]) {
          const body: unknown = operation.example.body;
          expect(await api.callAs(stranger, operation, { params, body })).toEqual({
            ok: false,
            code: 'NOT_FOUND',
            message: expect.any(String),
            details: { resource: 'alert', id: params.id },
          });
        }
      }
      const mine = new Set(seeded.map((alert) => publicId('alert', alert.id)));
      for (const query of [{}, { status: 'firing' }, { label: 'region:eu' }, { q: 'cpu' }, { sort: 'severity' }]) {
        expect(
          pageOf<Alert>(await api.callAs(stranger, listAlerts, { query: query as never })).data.filter((alert) =>
            mine.has(alert.id),
          ),
        ).toEqual([]);
      }
    }
  });
});

describe('facets', () => {
  const valuesOf: Record<string, (alert: Seeded) => string | null> = {
    status: ({ status }) => status,
    severity: ({ severity }) => severityOfRank(severity),
    source: ({ source }) => source,
    clientId: ({ client_id: id }) => publicId('client', id),
    integrationId: ({ integration_id: id }) => publicId('integration', id),
    assigneeId: ({ assignee_id: id }) => publicId('member', id),
    'label:region': ({ labels }) => labels['region'] ?? null,
    'label:note': ({ labels }) => labels['note'] ?? null,
  };
  const facets = Object.keys(valuesOf);

  const withoutOwn = (filter: AlertFilter, facet: string): AlertFilter => {
    const label = filter.label?.filter((term) => !new RegExp(`^!?${facet.slice('label:'.length)}(?![a-z])`).test(term));
    return facet.startsWith('label:') ? { ...filter, label } : { ...filter, [facet]: undefined };
  };

  /** Each value with its number. */
  const counted = (filter: AlertFilter, facet: string): Map<string | null, number> => {
    const counts = new Map<string | null, number>();
    for (const alert of seeded.filter((one) => matches(one, withoutOwn(filter, facet)))) {
      const value = valuesOf[facet]?.(alert) ?? null;
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    return counts;
  };

  const read = async (query: Record<string, string | string[]>, principal = me): Promise<Facets['facets']> =>
    dataOf<Facets>(await api.callAs(principal, getAlertFacets, { query })).facets;

  const filters: fc.Arbitrary<AlertFilter> = fc.record(
    {
      status: fc.constantFrom<AlertFilter['status'][]>(['firing'], ['firing', 'resolved'], ['!resolved']),
      severity: fc.constantFrom<AlertFilter['severity'][]>(['critical', 'high'], ['!info']),
      source: fc.constantFrom(['prometheus'], ['!'], ['!zabbix', '!sensor']),
      clientId: fc.constantFrom([publicId('client', clients[0] as string)], ['!']),
      integrationId: fc.constantFrom([publicId('integration', integrations[1] as string)]),
      label: fc.constantFrom(['region:eu'], ['region!:eu', 'host~:^web-1'], ['note'], ['!note', 'region~:u']),
      q: fc.constantFrom('cpu', 'web-7'),
      since: fc.constant(new Date(start + 200 * minute).toISOString()),
    },
    { requiredKeys: [] },
  );

  it('count the alerts of the list without the filter by their own field', async () => {
    await fc.assert(
      fc.asyncProperty(filters, fc.uniqueArray(fc.constantFrom(...facets), { minLength: 1 }), async (filter, asked) => {
        const found = await read({ ...queryOf(filter), facet: asked.join(','), values: '50' });
        expect(found.map(({ facet }) => facet)).toEqual(asked);
        for (const { facet, values, hasMore, exact } of found) {
          expect({ exact, hasMore }).toEqual({ exact: true, hasMore: false });
          expect(new Map(values.map(({ value, count }) => [value, count]))).toEqual(counted(filter, facet));
          expect(values.map(({ count }) => count)).toEqual(values.map(({ count }) => count).sort((a, b) => b - a));
        }
      }),
      { numRuns: 25 },
    );
  });

  it('of a key that is restricted to a client count its alerts alone', async () => {
    const [clientId = ''] = clients;
    const restricted = { ...me, restrictedTo: { clientIds: [clientId], teamIds: [] } };
    await api.admin.query('UPDATE auth.api_keys SET client_ids = $2, team_ids = $3 WHERE id = $1', [
      me.id,
      [clientId],
      [],
    ]);
    try {
      const own = [publicId('client', clientId)];
      for (const { facet, values } of await read({ facet: facets.join(','), values: '50' }, restricted)) {
        const expectedCounts = facet === 'clientId' ? new Map([[own[0], counted({}, facet).get(own[0] ?? '')]]) : null;
        expect(new Map(values.map(({ value, count }) => [value, count]))).toEqual(
          expectedCounts ?? counted({ clientId: own }, facet),
        );
      }
    } finally {
      await api.admin.query('UPDATE auth.api_keys SET client_ids = NULL, team_ids = NULL WHERE id = $1', [me.id]);
    }
  });

  it('have as many values as asked for, and say whether there are more', async () => {
    const [host] = await read({ facet: 'label:host', values: '5' });
    expect(host).toMatchObject({ hasMore: true, exact: true });
    expect(host?.values).toHaveLength(5);
  });

  it.each([
    [{ facet: 'title' }, 'facet'],
    [{ facet: 'label:' }, 'facet'],
    [{ values: '0' }, 'values'],
    [{ values: '51' }, 'values'],
    [{ sort: 'severity' }, 'sort'],
    [{ status: 'burning' }, 'status'],
  ])('%j is refused', async (query, path) => {
    expect(await api.callAs(me, getAlertFacets, { query })).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: [expect.objectContaining({ path })] },
    });
  });
});
