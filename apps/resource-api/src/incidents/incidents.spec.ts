import {
  createEscalationPolicy,
  createTeam,
  createWorkflow,
  getIncident,
  getIncidentFacets,
  getIncidentTimeline,
  listIncidentAlerts,
  listIncidents,
  newUuid,
  publicId,
  uuidOf,
  type Alert,
  type Facets,
  type Incident,
  type IncidentTimelineEntry,
  type Operation,
  type Page,
  type Principal,
  type Workflow,
} from '@ams/contracts';
import { severityRank } from '@ams/alerting';
import type { IncidentStatus, Severity } from '@ams/domain';
import { dataOf, insertAlert, insertIncident, insertMember, pageOf } from '@ams/testing';
import { startResourceApi, type TestResourceApi } from '../../testing/support.js';

let api: TestResourceApi;
let me: Principal;
let others: Principal[];

const minute = 60_000;
const start = Date.parse('2026-03-01T00:00:00Z');
const clients = [newUuid(), newUuid()];
const members = [newUuid(), newUuid(), newUuid()];

interface Seeded {
  id: string;
  number: number;
  title: string;
  severity: Severity;
  status: IncidentStatus;
  client: string | null;
  assignees: string[];
  createdAt: Date;
}

const oneOf = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;
const titles = ['Checkout is slow', 'Disk full', '100% of quota', 'DISK of replica'];

/** Many have the same time or severity: only the id makes the order total. */
const seeded: Seeded[] = Array.from({ length: 60 }, (_, index) => {
  const createdAt = new Date(start + Math.floor(index / 3) * minute);
  return {
    id: newUuid(createdAt.getTime()),
    number: index + 1,
    title: oneOf(titles, index),
    severity: oneOf(['critical', 'high', 'low', 'info'] as const, index >> 1),
    status: oneOf(['triggered', 'acknowledged', 'resolved'] as const, index),
    createdAt,
    client: oneOf([null, ...clients], index >> 2),
    assignees: oneOf([[], [members[0] as string], members.slice(0, 2)], index >> 1),
  };
});

const insert = async (principal: Principal, { client, assignees, ...incident }: Seeded): Promise<void> => {
  await insertIncident(api.admin, principal, { ...incident, clientId: client, assigneeIds: assignees });
};

async function insertAlertOf(principal: Principal, incident: Seeded, lastOccurredAt: Date): Promise<string> {
  const values = { title: 'An alert', incidentId: incident.id, createdAt: lastOccurredAt };
  return publicId('alert', await insertAlert(api.admin, principal, values));
}

async function insertEntry(principal: Principal, incident: Seeded, version: number, type: string): Promise<string> {
  const id = newUuid();
  await api.admin.query(
    `INSERT INTO alerts.incident_timeline
       (id, incident_id, organization_id, environment, type, occurred_at, actor, cause, changes, note, incident_version)
     VALUES ($1, $2, $3, $4, $5, $6, '{"type":"user","id":"usr_1","name":"Mira"}', '{"type":"request","id":"r1"}',
       '[{"field":"status","before":"triggered","after":"acknowledged"}]', 'on it', $7)`,
    [id, incident.id, principal.organizationId, principal.environment, type, new Date(start), version],
  );
  return publicId('timelineEntry', id);
}

beforeAll(async () => {
  api = await startResourceApi();
  me = await api.newPrincipal();
  others = [
    await api.newPrincipal(),
    await api.newPrincipal({ organizationId: me.organizationId, environment: 'test' }),
  ];
  for (const incident of seeded) await insert(me, incident);
  // Both environments of an organization share the sequence of numbers.
  for (const [index, other] of others.entries())
    await insert(other, { ...(seeded[0] as Seeded), id: newUuid(), number: 1000 + index });
});
afterAll(() => api.stop());

const idOf = ({ id }: Seeded): string => publicId('incident', id);

async function everyPage<R>(
  op: Operation,
  limit: number,
  call: { params?: Record<string, string>; query?: Record<string, string> } = {},
): Promise<Page<R>[]> {
  const pages: Page<R>[] = [];
  for (let cursor: string | null | undefined = undefined; cursor !== null; cursor = pages.at(-1)?.meta.nextCursor) {
    pages.push(
      pageOf<R>(
        await api.callAs(me, op, {
          ...call,
          query: { ...call.query, limit: String(limit), ...(cursor ? { cursor } : {}) },
        }),
      ),
    );
  }
  return pages;
}

const idsIn = (pages: Page<{ id: string }>[]): string[] => pages.flatMap(({ data }) => data.map(({ id }) => id));

describe('the list of incidents', () => {
  const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  const compare: Record<string, (a: Seeded, b: Seeded) => number> = {
    createdAt: (a, b) => a.createdAt.getTime() - b.createdAt.getTime() || byText(a.id, b.id),
    number: (a, b) => a.number - b.number,
    severity: (a, b) => severityRank(a.severity) - severityRank(b.severity) || byText(a.id, b.id),
  };
  const inOrder = (sort: string, list = seeded): string[] => {
    const sorted = [...list].sort(compare[sort.replace('-', '')]);
    return (sort.startsWith('-') ? sorted.reverse() : sorted).map(idOf);
  };

  it.each(['createdAt', '-createdAt', 'number', '-number', 'severity', '-severity'])(
    'is in the order of %s, page by page, with the total on the first',
    async (sort) => {
      const pages = await everyPage<Incident>(listIncidents, 7, { query: { sort } });
      expect(idsIn(pages)).toEqual(inOrder(sort));
      expect(pages.map(({ meta }) => meta.total)).toEqual([seeded.length, ...pages.slice(1).map(() => undefined)]);
    },
  );

  it('is newest first without a sort', async () => {
    expect(idsIn(await everyPage(listIncidents, 100))).toEqual(inOrder('-createdAt'));
  });

  const cli = (index: number): string => publicId('client', clients[index] as string);
  const usr = (index: number): string => publicId('member', members[index] as string);
  const at = (minutes: number): Date => new Date(start + minutes * minute);

  it.each<[Record<string, string>, (incident: Seeded) => boolean]>([
    [{ status: 'triggered,acknowledged' }, ({ status }) => status !== 'resolved'],
    [{ severity: 'critical,info' }, ({ severity }) => severity === 'critical' || severity === 'info'],
    [{ severity: 'medium' }, () => false],
    [{ clientId: cli(0) }, ({ client }) => client === clients[0]],
    [{ clientId: `${cli(0)},${cli(1)},nonsense` }, ({ client }) => client !== null],
    [{ clientId: 'nonsense' }, () => false],
    [{ assigneeId: usr(1) }, ({ assignees }) => assignees.length === 2],
    [{ assigneeId: `${usr(1)},${usr(0)}` }, ({ assignees }) => assignees.length > 0],
    [{ assigneeId: usr(2) }, () => false],
    [{ number: '2,5,nonsense' }, ({ number }) => number === 2 || number === 5],
    [{ number: '!2' }, ({ number }) => number !== 2],
    [{ number: '9999999999' }, () => false],
    [{ q: 'disk' }, ({ title }) => /disk/i.test(title)],
    [{ q: '100%' }, ({ title }) => title.includes('100%')],
    [{ since: at(5).toISOString() }, ({ createdAt }) => createdAt >= at(5)],
    [{ until: at(5).toISOString() }, ({ createdAt }) => createdAt < at(5)],
    [
      { since: at(5).toISOString(), until: at(9).toISOString(), status: 'resolved', q: 'disk', severity: 'critical' },
      (i) =>
        i.createdAt >= at(5) &&
        i.createdAt < at(9) &&
        i.status === 'resolved' &&
        /disk/i.test(i.title) &&
        i.severity === 'critical',
    ],
  ])('%j', async (query, matches) => {
    const wanted = inOrder('-createdAt', seeded.filter(matches));
    const pages = await everyPage<Incident>(listIncidents, 11, { query });
    expect(idsIn(pages)).toEqual(wanted);
    expect(pages[0]?.meta.total).toBe(wanted.length);
  });

  it.each([
    [{ sort: 'title' }],
    [{ status: 'firing' }],
    [{ severity: 'worst' }],
    [{ since: 'yesterday' }],
    [{ limit: '0' }],
    [{ tpyo: '1' }],
  ])('refuses %j', async (query) => {
    expect(await api.callAs(me, listIncidents, { query: query as never })).toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });

  it('has cursors that belong to their filters and sort', async () => {
    const cursor = pageOf(await api.callAs(me, listIncidents, { query: { limit: '2' } })).meta.nextCursor as string;
    for (const query of [{ sort: 'number' }, { status: 'resolved' }, { q: 'x' }]) {
      expect(await api.callAs(me, listIncidents, { query: { ...query, cursor } as never })).toMatchObject({
        code: 'INVALID_CURSOR',
      });
    }
  });
});

it('an incident is answered completely', async () => {
  const incident = seeded[5] as Seeded;
  const by = { type: 'user', id: 'usr_01938f3a7c2e7d4ab1c2d3e4f5060030', name: 'Mira' };
  const definition = {
    name: 'w',
    trigger: { events: ['alert.created'] },
    steps: [{ id: 'incident', type: 'openIncident' }],
  };
  const { id: workflow } = dataOf<Workflow>(await api.callAs(me, createWorkflow, { body: definition }));
  await api.admin.query(
    `UPDATE alerts.incidents SET workflow_id = $2, group_key = 'g', summary = 'why', acknowledged_at = created_at,
     acknowledged_by = $3, resolved_by = $3, version = 4
     WHERE id = $1`,
    [incident.id, uuidOf('workflow', workflow), JSON.stringify(by)],
  );
  const answer = await api.callAs(me, getIncident, { params: { id: idOf(incident) } });
  expect(answer).toMatchObject({ ok: true, status: 200, version: 4 });
  const time = incident.createdAt.toISOString();
  expect(dataOf(answer)).toEqual({
    id: idOf(incident),
    number: 6,
    title: incident.title,
    summary: 'why',
    severity: incident.severity,
    severityBy: 'alerts',
    urgency: 'high',
    policyId: null,
    escalation: { state: 'stopped', episode: 0, round: 0, level: 0, nextAt: null, told: [] },
    snoozedUntil: null,
    status: 'resolved',
    clientId: publicId('client', incident.client),
    assigneeIds: incident.assignees.map((id) => publicId('member', id)),
    workflowId: workflow,
    groupKey: 'g',
    alertCount: 0,
    openAlertCount: 0,
    triggeredAt: time,
    acknowledgedAt: time,
    acknowledgedBy: by,
    resolvedAt: time,
    resolvedBy: by,
    mergedInto: null,
    createdAt: time,
    updatedAt: time,
    version: 4,
  });
});

describe('the alerts of an incident', () => {
  it('are its own, the newest occurrence first, page by page', async () => {
    const [one, two, none] = seeded as [Seeded, Seeded, Seeded];
    const wanted: string[] = [];
    for (let n = 0; n < 7; n++) wanted.unshift(await insertAlertOf(me, one, new Date(start + n * minute)));
    const ofOther = await insertAlertOf(me, two, new Date(start));
    const pages = await everyPage<Alert>(listIncidentAlerts, 3, { params: { id: idOf(one) } });
    expect(idsIn(pages)).toEqual(wanted);
    expect(pages.map(({ meta }) => meta.total)).toEqual([7, undefined, undefined]);
    expect(pages[0]?.data[0]).toMatchObject({ incidentId: idOf(one), title: 'An alert', severity: 'high' });
    expect(idsIn(await everyPage(listIncidentAlerts, 3, { params: { id: idOf(two) } }))).toEqual([ofOther]);
    expect(pageOf(await api.callAs(me, listIncidentAlerts, { params: { id: idOf(none) } }))).toEqual({
      data: [],
      meta: { limit: 50, hasMore: false, nextCursor: null, total: 0 },
    });

    const cursor = pages[0]?.meta.nextCursor as string;
    expect(await api.callAs(me, listIncidentAlerts, { params: { id: idOf(two) }, query: { cursor } })).toMatchObject({
      code: 'INVALID_CURSOR',
    });
    expect(
      await api.callAs(me, listIncidentAlerts, { params: { id: idOf(one) }, query: { status: 'firing' } }),
    ).toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});

describe('the timeline of an incident', () => {
  it('is in the order of its versions, page by page', async () => {
    const [one, two] = seeded as [Seeded, Seeded];
    const wanted: string[] = [];
    // Entries of one change share its version, and their ids say which was first.
    for (const [version, type] of [
      [1, 'incident.created'],
      [2, 'incident.alertAdded'],
      [2, 'incident.updated'],
      [3, 'incident.acknowledged'],
      [4, 'incident.noted'],
    ] as const) {
      wanted.push(await insertEntry(me, one, version, type));
    }
    const late = await insertEntry(me, one, 0, 'incident.created');
    await insertEntry(me, two, 1, 'incident.created');
    const pages = await everyPage<IncidentTimelineEntry>(getIncidentTimeline, 2, { params: { id: idOf(one) } });
    expect(idsIn(pages)).toEqual([late, ...wanted]);
    expect(pages.map(({ meta }) => meta.total)).toEqual([6, undefined, undefined]);
    expect(pages.flatMap(({ data }) => data)[4]).toEqual({
      id: wanted[3],
      type: 'incident.acknowledged',
      occurredAt: new Date(start).toISOString(),
      actor: { type: 'user', id: 'usr_1', name: 'Mira' },
      cause: { type: 'request', id: 'r1' },
      changes: [{ field: 'status', before: 'triggered', after: 'acknowledged' }],
      note: 'on it',
    });
  });
});

it.each<[string, Operation]>([
  ['get', getIncident],
  ['alerts', listIncidentAlerts],
  ['timeline', getIncidentTimeline],
])('%s: records of another organization or environment are not found', async (_name, op) => {
  const [incident] = seeded as [Seeded];
  for (const other of others) {
    expect(await api.callAs(other, op, { params: { id: idOf(incident) } })).toMatchObject({
      code: 'NOT_FOUND',
      details: { resource: 'incident', id: idOf(incident) },
    });
  }
  for (const id of ['nonsense', 'inc_1', publicId('incident', newUuid()), publicId('alert', incident.id)]) {
    expect(await api.callAs(me, op, { params: { id } })).toMatchObject({
      code: 'NOT_FOUND',
      details: { resource: 'incident', id },
    });
  }
});

describe('facets', () => {
  const valuesOf: Record<string, (incident: Seeded) => (string | null)[]> = {
    status: ({ status }) => [status],
    severity: ({ severity }) => [severity],
    clientId: ({ client }) => [publicId('client', client)],
    assigneeId: ({ assignees }) =>
      assignees.length === 0 ? [null] : assignees.map((member) => publicId('member', member)),
  };
  const read = async (query: Record<string, string>): Promise<Facets['facets']> =>
    dataOf<Facets>(await api.callAs(me, getIncidentFacets, { query })).facets;

  it('count the incidents of the list without the filter by their own field', async () => {
    const filter = { status: 'triggered,acknowledged', q: 'disk' };
    for (const { facet, values, exact, hasMore } of await read({ ...filter, facet: Object.keys(valuesOf).join(',') })) {
      const counts = new Map<string | null, number>();
      for (const incident of seeded) {
        if (!/disk/i.test(incident.title) || (facet !== 'status' && incident.status === 'resolved')) continue;
        for (const value of valuesOf[facet]?.(incident) ?? []) counts.set(value, (counts.get(value) ?? 0) + 1);
      }
      expect({ exact, hasMore }).toEqual({ exact: true, hasMore: false });
      expect(new Map(values.map(({ value, count }) => [value, count]))).toEqual(counts);
    }
  });

  it('of teams are those of the policies, and the list has the same filter', async () => {
    const team = dataOf<{ id: string }>(await api.callAs(me, createTeam, { body: { name: 'Night' } })).id;
    const member = publicId('member', await insertMember(api.admin, me, { name: 'Mira' }));
    const levels = [{ targets: [{ type: 'user', id: member }] }];
    const body = { name: 'Of the night', teamId: team, levels };
    const policy = dataOf<{ id: string }>(await api.callAs(me, createEscalationPolicy, { body })).id;
    const [first, second] = seeded;
    const ids = [first?.id, second?.id];
    await api.admin.query('UPDATE alerts.incidents SET policy_id = $1 WHERE id = ANY($2::uuid[])', [
      uuidOf('escalationPolicy', policy),
      ids,
    ]);
    const [facet] = await read({ facet: 'teamId' });
    expect(facet?.values).toEqual([
      { value: null, count: seeded.length - 2 },
      { value: team, count: 2 },
    ]);
    const { data, meta } = pageOf<Incident>(await api.callAs(me, listIncidents, { query: { teamId: team } }));
    expect([meta.total, data.map(({ id }) => uuidOf('incident', id)).sort()]).toEqual([2, [...ids].sort()]);
    const others = pageOf(await api.callAs(me, listIncidents, { query: { teamId: `!${team}` } }));
    expect(others.meta.total).toBe(seeded.length - 2);
  });

  it('of teams are those of the only team that uses the policy, when no team owns it', async () => {
    const member = publicId('member', await insertMember(api.admin, me, { name: 'Ada' }));
    const body = { name: 'Of nobody', levels: [{ targets: [{ type: 'user', id: member }] }] };
    const policyId = dataOf<{ id: string }>(await api.callAs(me, createEscalationPolicy, { body })).id;
    const teamWith = async (name: string) =>
      dataOf<{ id: string }>(await api.callAs(me, createTeam, { body: { name, policyId } })).id;
    await api.admin.query('UPDATE alerts.incidents SET policy_id = $1 WHERE id = $2', [
      uuidOf('escalationPolicy', policyId),
      seeded[0]?.id,
    ]);
    const incidentsOf = async (teamId: string) =>
      pageOf<Incident>(await api.callAs(me, listIncidents, { query: { teamId } })).data.map(({ id }) => id);
    const first = await teamWith('The first');
    expect(await incidentsOf(first)).toEqual([publicId('incident', seeded[0]?.id ?? null)]);
    await teamWith('The second');
    expect(await incidentsOf(first)).toEqual([]);
  });
});
