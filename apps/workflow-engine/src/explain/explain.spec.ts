import { explainAlert, newUuid, publicId, simulate, uuidOf, type Explanation, type Simulation } from '@ams/contracts';
import type { Condition, FieldSources } from '@ams/domain';
import { eventually, insertApiKey, insertClient, insertRows, insertSuppressionWindow } from '@ams/testing';
import { cutToFit, type ExplanationParts } from './explanation-size.js';
import { pagingRecords } from '../../testing/paging-records.js';
import { dataOf, email, notify, startWorld, type Tenant, type TestWorld } from '../../testing/support.js';

let world: TestWorld;
let tenant: Tenant;

beforeAll(async () => {
  world = await startWorld();
  await world.startReplica();
});
afterAll(() => world.stop());
beforeEach(async () => {
  world.answerSends(null);
  tenant = await world.newTenant();
});

const { newPolicy, newTeam, setCatchAll } = pagingRecords(
  () => world,
  () => tenant,
);

const ask = (alertId: string, as = tenant) =>
  world.ask(as.principal, explainAlert, { params: { id: publicId('alert', alertId) } });
const explain = async (alertId: string): Promise<Explanation> => dataOf<Explanation>(await ask(alertId));

/** An event as the pipeline stores it. */
async function keep(
  alertId: string,
  values: { outcome?: string; provenance?: FieldSources; windows?: object[]; fingerprintSource?: string } = {},
): Promise<string> {
  const { outcome = 'opened', fingerprintSource = 'explicit', provenance, windows } = values;
  const id = newUuid();
  const event = {
    title: 'High CPU',
    severity: 'critical',
    status: 'firing',
    source: 'probe',
    description: null,
    fingerprint: 'cpu',
    fingerprintSource,
    labels: {},
    annotations: {},
    dedupScope: 'integration',
    provenance,
    windows,
  };
  await world.admin.query(
    `INSERT INTO alerts.events (id, organization_id, environment, integration_id, alert_id, outcome, received_at, event)
     VALUES ($1, $2, $3, $4, $5, $6, now(), $7)`,
    [id, tenant.organizationId, tenant.environment, tenant.integrationId, alertId, outcome, JSON.stringify(event)],
  );
  return publicId('event', id);
}

describe('events of the sender', () => {
  test('are explained by the data that is stored with each event, oldest first', async () => {
    const alertId = await world.newAlert(tenant);
    const window = {
      windowId: publicId('suppressionWindow', newUuid()),
      name: 'Maintenance',
      matched: false,
      until: '2026-11-20T15:00:00.000Z',
    };
    const first = await keep(alertId, {
      provenance: { title: 'm0:check.name', 'severity=': 'map:P1', fingerprint: 's:dedup_key' },
      windows: [window],
    });
    const second = await keep(alertId, {
      outcome: 'occurred',
      provenance: { fingerprint: 'g' },
      fingerprintSource: 'generated',
    });
    const before = await keep(alertId, { outcome: 'unchanged' });
    const { events, alertId: id } = await explain(alertId);
    expect(id).toBe(publicId('alert', alertId));
    expect(events).toMatchObject([
      {
        id: first,
        outcome: 'opened',
        windows: [window],
        fingerprint: { value: 'cpu', source: 'explicit', inputs: { dedup_key: 'cpu' }, scope: 'integration' },
        mapping: {
          title: { from: 'mapping', entry: 0, path: 'check.name' },
          severity: { from: 'standard', path: 'severity', raw: 'P1', via: 'severityMap' },
          source: { from: 'standard', path: 'source' },
        },
      },
      {
        id: second,
        outcome: 'occurred',
        windows: [],
        fingerprint: { source: 'generated', inputs: { title: 'High CPU', source: 'probe' } },
      },
      { id: before, outcome: 'unchanged', mapping: null },
    ]);
  });

  test('are limited to the newest fifty, and the summary says that there are more', async () => {
    const alertId = await world.newAlert(tenant);
    const ids: string[] = [];
    for (let i = 0; i < 52; i++) ids.push(await keep(alertId));
    const { events, summary } = await explain(alertId);
    expect(events.map(({ id }) => id)).toEqual(ids.slice(-50));
    expect(summary).toContain('Older and very large records are not included.');
  });
});

describe('workflows', () => {
  const high: Condition = { field: 'severity', op: 'gte', value: 'high' };
  const low: Condition = { all: [high, { field: 'labels.team', op: 'eq', value: 'sre' }] };

  test('are explained node by node with their runs and recipients, and the summary shows it', async () => {
    const member = await world.newMember(tenant);
    const schedule = await world.newSchedule(tenant, [member]);
    const runs = await world.newWorkflow(
      tenant,
      [
        notify([{ type: 'schedule', id: schedule }]),
        notify([email('later@example.com')], { id: 'later', delaySeconds: 600 }),
      ],
      { name: 'Page', conditions: high },
    );
    const not = await world.newWorkflow(tenant, [notify([email('ops@example.com')])], {
      name: 'Team',
      conditions: low,
    });
    const alertId = await world.newAlert(tenant);
    const event = await world.publishEvent(tenant, 'alert.created', alertId);
    await eventually(async () =>
      expect((await world.notificationsOf(tenant)).map(({ status }) => status)).toEqual(['sent']),
    );
    await world.run(tenant, 'waiting');
    const { decisions, runs: shown, notifications, summary } = await explain(alertId);
    expect(decisions).toMatchObject([
      {
        eventId: event.id,
        event: 'alert.created',
        workflows: [
          {
            workflowId: publicId('workflow', runs),
            name: 'Page',
            version: 1,
            outcome: 'run',
            trace: { holds: true, actual: 'critical' },
            runId: expect.stringMatching(/^run_/),
          },
          {
            workflowId: publicId('workflow', not),
            outcome: 'conditions',
            trace: { holds: false, children: [{ holds: true }, { holds: false, actual: null }] },
            runId: null,
          },
        ],
      },
    ]);
    expect(shown).toMatchObject([
      {
        workflowName: 'Page',
        status: 'waiting',
        steps: [
          {
            id: 'page',
            outcome: 'done',
            detail: {
              notifications: [{ target: 'mira@example.com', onCall: { scheduleName: 'Primary', source: 'layer' } }],
            },
          },
          { id: 'later', outcome: 'pending' },
        ],
      },
    ]);
    expect(notifications).toMatchObject([
      { target: 'mira@example.com', status: 'sent', why: 'You are on call in "Primary".' },
    ]);
    expect(summary).toMatch(/^Opened by "sender" on \d{4}-\d\d-\d\d at \d\d:\d\d:\d\d UTC\. It is firing\./);
    expect(summary).toContain(
      '"Page" ran on alert.created. "Team" did not run on alert.created, because of one condition only: ' +
        'labels.team is missing, but must be "sre". Notified: mira@example.com (email) on 20',
    );
    expect(summary).toMatch(/ Pending: the step "later" of "Page" on \d{4}-\d\d-\d\d at \d\d:\d\d:\d\d UTC\.$/);
  });

  test('that did not run are in the order of how near they were, in the list and in the summary', async () => {
    const leaf = (key: string): Condition => ({ field: `labels.${key}`, op: 'eq', value: 'x' });
    const steps = [notify([email('ops@example.com')])];
    for (const [name, conditions] of [
      ['Far', { all: [leaf('a'), leaf('b'), leaf('c')] }],
      ['Two', { all: [leaf('a'), leaf('b'), high] }],
      ['One', { all: [high, { any: [leaf('a'), { all: [leaf('b'), leaf('c')] }] }] }],
      ['Ran', high],
    ] as const)
      await world.newWorkflow(tenant, steps, { name, conditions });
    const alertId = await world.newAlert(tenant);
    await world.publishEvent(tenant, 'alert.created', alertId);
    await world.run(tenant, 'completed');
    const { decisions, summary } = await explain(alertId);
    const names = ['Ran', 'One', 'Two', 'Far'];
    expect(decisions[0]?.workflows.map((workflow) => (workflow as { name: string }).name)).toEqual(names);
    expect([...summary.matchAll(/"(\w+)" (?:ran|did not run) on/g)].map(([, name]) => name)).toEqual(names);
    expect(summary).toContain('"One" did not run on alert.created, because of one condition only: none of 2');
    expect(summary).toContain('"Two" did not run on alert.created: labels.a is missing');
  });

  test('of the team of the alert come first among the misses that are equally near, and before those that are far', async () => {
    const leaf = (key: string): Condition => ({ field: `labels.${key}`, op: 'eq', value: 'x' });
    const far = { all: [leaf('a'), leaf('b'), leaf('c')] };
    const [mine, other] = [await newTeam('payments', null), await newTeam('search', null)];
    for (const [name, conditions, teamId] of [
      ['FarOfOthers', { all: [leaf('a'), leaf('b')] }, other],
      ['NearOfOthers', leaf('a'), other],
      ['FarOfMine', far, mine],
      ['NearOfMine', leaf('b'), mine],
    ] as const) {
      const id = await world.newWorkflow(tenant, [notify([email('ops@example.com')])], { name, conditions });
      await world.admin.query('UPDATE resources.workflows SET team_id = $2 WHERE id = $1', [
        id,
        uuidOf('team', teamId),
      ]);
    }
    const alertId = await world.newAlert(tenant, { labels: { team: 'payments' } });
    await world.publishEvent(tenant, 'alert.created', alertId);
    const { decisions, summary } = await eventually(async () => {
      const explanation = await explain(alertId);
      expect(explanation.decisions).toHaveLength(1);
      return explanation;
    });
    const names = ['NearOfMine', 'NearOfOthers', 'FarOfMine', 'FarOfOthers'];
    expect(decisions[0]?.workflows.map((workflow) => (workflow as { name: string }).name)).toEqual(names);
    expect([...summary.matchAll(/"(\w+)" did not run on/g)].map(([, name]) => name)).toEqual(names);
  });

  test('that find the alert suppressed say so, and the summary says that nobody was notified', async () => {
    await world.newWorkflow(tenant, [notify([email('ops@example.com')])], { name: 'Page' });
    const windowId = publicId('suppressionWindow', newUuid());
    const alertId = await world.newAlert(tenant, { status: 'suppressed' });
    await world.admin.query('UPDATE alerts.alerts SET suppression = $2 WHERE id = $1', [
      alertId,
      JSON.stringify({ windowId, until: '2026-11-20T15:00:00.000Z', priorStatus: 'firing' }),
    ]);
    await keep(alertId, {
      windows: [{ windowId, name: 'Maintenance', matched: true, until: '2026-11-20T15:00:00.000Z' }],
    });
    await world.publishEvent(tenant, 'alert.created', alertId);
    await eventually(async () => expect(await world.consideredOf(tenant)).toHaveLength(1));
    expect((await explain(alertId)).summary).toContain(
      'The suppression window "Maintenance" suppresses it until 2026-11-20 at 15:00:00 UTC. ' +
        'Active suppression windows: "Maintenance" matched. ' +
        '"Page" did not run on alert.created: the alert was not firing. No notification was sent.',
    );
  });

  test('whose notification failed say why', async () => {
    const nobody = await world.newSchedule(tenant, []);
    await world.newWorkflow(tenant, [notify([{ type: 'schedule', id: nobody }])], { name: 'Page' });
    const alertId = await world.newAlert(tenant);
    await world.publishEvent(tenant, 'alert.created', alertId);
    await world.run(tenant, 'completed');
    const { summary } = await explain(alertId);
    expect(summary).toContain('The step "page" of "Page" was skipped: nobody is on call in Primary.');
    expect(summary).toContain('Not notified: nobody is on call in Primary.');
  });

  test('for its incident are part of it, those for other alerts are not', async () => {
    await world.newWorkflow(tenant, [notify([email('lead@example.com')])], {
      name: 'Lead',
      events: ['incident.created'],
    });
    const incidentId = await world.newIncident(tenant);
    const [mine, other] = [await world.newAlert(tenant, { incidentId }), await world.newAlert(tenant)];
    await world.newWorkflow(tenant, [notify([email('ops@example.com')])], { name: 'Page' });
    await world.publishEvent(tenant, 'incident.created', incidentId);
    await world.publishEvent(tenant, 'alert.created', other);
    await eventually(async () =>
      expect((await world.notificationsOf(tenant)).map(({ status }) => status)).toEqual(['sent', 'sent']),
    );
    expect((await explain(mine)).notifications.map(({ target }) => target)).toEqual(['lead@example.com']);
    expect((await explain(other)).notifications.map(({ target }) => target)).toEqual(['ops@example.com']);
  });
});

describe('how pages ended', () => {
  /** A line of the ledger, as the engine stores it. Ids are UUIDs. */
  async function newLine(alertId: string, values: object): Promise<void> {
    const { organizationId, environment } = tenant;
    const line = { id: newUuid(), organizationId, environment, alertId, eventId: newUuid(), askedAt: new Date() };
    await insertRows(world.admin, 'workflows.page_requests', [
      { ...line, endedAt: new Date(), repairs: 0, notificationIds: [], ...values },
    ]);
  }

  /** A notification of a page of the incident. Returns its UUID. */
  async function newPageNotification(incidentId: string, alertId: string, target: string): Promise<string> {
    const { organizationId, environment } = tenant;
    const id = newUuid();
    const at = new Date();
    await insertRows(world.admin, 'workflows.notifications', [
      {
        id,
        organizationId,
        environment,
        incidentId,
        alertId,
        pageId: newUuid(),
        channel: 'email',
        target,
        destination: { channel: 'email', address: target, name: null },
        notice: { subject: 'Checkout is slow', message: null },
        stopWhen: [],
        why: 'Level 1 of the escalation policy "Payments" is told.',
        status: 'sent',
        attempts: 1,
        createdAt: at,
        updatedAt: at,
        waitsInOrder: false,
      },
    ]);
    return id;
  }

  test('is the end of an explanation: each line of the ledger, in one sentence, with the messages of the incident', async () => {
    const incidentId = await world.newIncident(tenant);
    const policyId = await newPolicy('Payments');
    await world.admin.query('UPDATE alerts.incidents SET number = 12, policy_id = $2 WHERE id = $1', [
      incidentId,
      uuidOf('escalationPolicy', policyId),
    ]);
    const [opener, joiner] = [
      await world.newAlert(tenant, { incidentId }),
      await world.newAlert(tenant, { incidentId, fingerprint: 'second' }),
    ];
    const told = await newPageNotification(incidentId, opener, 'mira@example.com');
    const workflow = { workflowId: newUuid(), workflowName: 'Page the team', incidentId, reason: null };
    await newLine(opener, { ...workflow, outcome: 'told', notificationIds: [told] });
    await newLine(joiner, { ...workflow, outcome: 'joined', notificationIds: [told] });
    const why = '"Page the team" ran, and mira@example.com was told by the escalation policy "Payments".';
    const first = await explain(opener);
    expect(first.pages).toMatchObject([{ outcome: 'told', why, notificationIds: [publicId('notification', told)] }]);
    expect(first.summary.endsWith(why)).toBe(true);
    const second = await explain(joiner);
    const joined = '"Page the team" ran, and the alert joined incident 12, whose people had been told.';
    expect(second.pages).toMatchObject([{ outcome: 'joined', why: joined }]);
    expect(second.summary.endsWith(joined)).toBe(true);
    for (const { notifications } of [first, second])
      expect(notifications).toMatchObject([{ id: publicId('notification', told), target: 'mira@example.com' }]);
  });

  test('names the event of an alert for which no workflow ran, from the records of the engine', async () => {
    await setCatchAll(await newPolicy('Default', await world.newMember(tenant)));
    const alertId = await world.newAlert(tenant);
    await world.publishEvent(tenant, 'alert.created', alertId);
    const { pages, summary } = await eventually(async () => {
      const explanation = await explain(alertId);
      expect(explanation.pages).toMatchObject([{ workflowId: null, incidentId: expect.any(String) }]);
      return explanation;
    });
    const why = 'No workflow ran on alert.created for the urgent alert and the catch-all policy was asked, ';
    expect(pages[0]?.why).toContain(why);
    expect(summary).toContain(why);
  });

  test('more often than the summary can tell, it tells the last times', async () => {
    const alertId = await world.newAlert(tenant);
    for (let i = 0; i < 12; i++)
      await newLine(alertId, {
        askedAt: new Date(Date.now() + i * 1000),
        workflowName: `Workflow ${i}`,
        workflowId: newUuid(),
        outcome: 'nobody',
        reason: null,
      });
    const { pages, summary } = await explain(alertId);
    expect(pages).toHaveLength(12);
    expect(summary).toContain('It asked for somebody 12 times, at last: "Workflow 2" ran');
    expect(summary).not.toContain('"Workflow 1" ran');
  });
});

describe('each time that an alert was hidden', () => {
  const at = (minute: number) => new Date(Date.parse('2026-11-20T14:00:00.000Z') + minute * 60_000);

  /** The timeline of an alert, each entry with its changes. */
  async function timeline(alertId: string, entries: [type: string, changes: object[]][]): Promise<void> {
    for (const [index, [type, changes]] of entries.entries())
      await world.admin.query(
        `INSERT INTO alerts.timeline
           (id, alert_id, organization_id, environment, type, occurred_at, actor, cause, changes, alert_version)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
        [
          newUuid(),
          alertId,
          tenant.organizationId,
          tenant.environment,
          type,
          at(index),
          JSON.stringify({ type: 'service', id: null, name: 'suppression' }),
          JSON.stringify({ type: 'window', id: null }),
          JSON.stringify(changes),
          index + 1,
        ],
      );
  }

  test('and that this ended is shown with the window and its present name', async () => {
    const first = await insertSuppressionWindow(world.admin, tenant, { name: 'Night' });
    const [night, gone] = [publicId('suppressionWindow', first), publicId('suppressionWindow', newUuid())];
    const until = '2026-11-20T15:00:00.000Z';
    const by = (windowId: string | null) => ({ windowId, until: windowId && until, priorStatus: 'firing' });
    const change = (before: unknown, after: unknown) => [{ field: 'suppression', before, after }];
    const alertId = await world.newAlert(tenant);
    await timeline(alertId, [
      ['alert.created', [{ field: 'status', before: null, after: 'suppressed' }]],
      ['alert.suppressionChanged', change(by(night), by(gone))],
      ['alert.severityChanged', [{ field: 'severity', before: 'low', after: 'high' }]],
      ['alert.resumed', change(by(gone), null)],
      ['alert.suppressed', change(null, by(null))],
      ['alert.resolved', change(by(null), null)],
    ]);
    const { suppressions, summary } = await explain(alertId);
    expect(
      suppressions.map(({ event, occurredAt, isHidden, windowId, windowName }) => [
        event,
        occurredAt,
        isHidden,
        windowId,
        windowName,
      ]),
    ).toEqual([
      ['alert.created', at(0).toISOString(), true, night, 'Night'],
      ['alert.suppressionChanged', at(1).toISOString(), true, gone, null],
      ['alert.resumed', at(3).toISOString(), false, null, null],
      ['alert.suppressed', at(4).toISOString(), true, null, null],
      ['alert.resolved', at(5).toISOString(), false, null, null],
    ]);
    expect(summary).toContain(
      'It was hidden on 2026-11-20 at 14:00:00 UTC by the suppression window "Night" until 2026-11-20 at 15:00:00 ' +
        `UTC. From 2026-11-20 at 14:01:00 UTC, the suppression window "${gone}" hid it until 2026-11-20 at 15:00:00 ` +
        'UTC. This ended on 2026-11-20 at 14:03:00 UTC. It was hidden on 2026-11-20 at 14:04:00 UTC, because its ' +
        'sender suppressed it. This ended on 2026-11-20 at 14:05:00 UTC, when it was resolved.',
    );
  });

  test('more often than the summary can tell, it tells the last times', async () => {
    const alertId = await world.newAlert(tenant);
    const hidden = { windowId: null, until: null, priorStatus: 'firing' };
    await timeline(
      alertId,
      Array.from({ length: 60 }, (_, index): [string, object[]] =>
        index % 2 === 0
          ? ['alert.suppressed', [{ field: 'suppression', before: null, after: hidden }]]
          : ['alert.resumed', [{ field: 'suppression', before: hidden, after: null }]],
      ),
    );
    const { suppressions, summary } = await explain(alertId);
    expect(suppressions).toHaveLength(50);
    expect(summary).toContain('It was hidden and shown again several times, at last: It was hidden on');
    expect(summary).toContain('Older and very large records are not included.');
  });
});

test('an alert without matching workflows has a short explanation', async () => {
  const { summary, ...rest } = await explain(await world.newAlert(tenant));
  expect(rest).toMatchObject({ events: [], decisions: [], suppressions: [], runs: [], notifications: [] });
  expect(summary).toContain('No workflow has a trigger for its events. No notification was sent.');
});

test('an alert of another tenant or of the other environment, or a malformed id, is not found', async () => {
  const alertId = await world.newAlert(tenant);
  for (const as of [
    await world.newTenant(),
    await world.newTenant({ organizationId: tenant.organizationId, environment: 'test' }),
  ]) {
    expect(await ask(alertId, as)).toMatchObject({
      code: 'NOT_FOUND',
      details: { resource: 'alert', id: publicId('alert', alertId) },
    });
  }
  expect(await world.ask(tenant.principal, explainAlert, { params: { id: 'x' } })).toMatchObject({ code: 'NOT_FOUND' });
});

test('an explanation and a simulation show the same for an event', async () => {
  const answer = dataOf<Simulation>(
    await world.ask(tenant.principal, simulate, {
      body: { alert: { title: 'High CPU', severity: 'critical', source: 'probe', dedup_key: 'cpu', status: 'firing' } },
    }),
  );
  const alertId = await world.newAlert(tenant);
  await keep(alertId, { provenance: { fingerprint: 's:dedup_key' } });
  const [event] = (await explain(alertId)).events;
  expect(answer.items[0]).toMatchObject({ mapping: event?.mapping, fingerprint: event?.fingerprint });
});

describe('an explanation that is too large for one answer', () => {
  const parts = (values: Partial<ExplanationParts>): ExplanationParts => ({
    events: [],
    decisions: [],
    suppressions: [],
    runs: [],
    notifications: [],
    pages: [],
    ...values,
  });
  const event = (id: string, bytes: number) => ({
    id,
    receivedAt: '',
    outcome: 'opened',
    mapping: 'x'.repeat(bytes),
    fingerprint: {},
    windows: [],
  });

  test('loses the oldest records of its largest list', () => {
    const { parts: cut, leftOut } = cutToFit(
      parts({ events: [event('a', 500), event('b', 500), event('c', 500)], runs: [{ id: 'r' } as never] }),
      { room: 1300 },
    );
    expect(cut.events.map(({ id }) => id)).toEqual(['b', 'c']);
    expect(cut.runs).toHaveLength(1);
    expect(leftOut).toBe(true);
  });

  test('loses nothing when it fits', () => {
    const whole = parts({ events: [event('a', 10)] });
    expect(cutToFit(whole)).toEqual({ parts: whole, leftOut: false });
  });

  test('keeps the workflows that ran, when one decision has very many workflows', () => {
    const workflow = (index: number) => ({
      workflowId: `${index}`,
      name: 'x'.repeat(10_000),
      version: 1,
      outcome: index === 40 ? ('run' as const) : ('conditions' as const),
      trace: { path: '', kind: 'always' as const, holds: true as const },
      runId: null,
    });
    const { parts: cut, leftOut } = cutToFit(
      parts({
        decisions: [
          {
            eventId: 'e',
            event: 'alert.created',
            occurredAt: '',
            workflows: Array.from({ length: 50 }, (_, index) => workflow(index)),
          },
        ],
      }),
    );
    expect(cut.decisions[0]?.workflows[0]?.workflowId).toBe('40');
    expect(cut.decisions[0]?.workflows.length).toBeLessThan(20);
    expect(leftOut).toBe(true);
  });
});

describe('for a key that is restricted to a client', () => {
  const recorded = (id: string, name: string) => ({
    windowId: publicId('suppressionWindow', id),
    name,
    matched: true,
    until: '2026-11-20T15:00:00.000Z',
  });

  test('an alert of the client has no decisions about workflows and no windows of others; another is not found', async () => {
    const { organizationId } = tenant;
    const [mine, theirs] = [await insertClient(world.admin, tenant), await insertClient(world.admin, tenant)];
    const restrictedTo = { clientIds: [mine], teamIds: [] };
    const { principal } = await insertApiKey(world.admin, { organizationId, restrictedTo });
    await world.newWorkflow(tenant, [notify([email('ops@example.com')])], { name: 'A secret workflow' });
    const alertId = await world.newAlert(tenant);
    await world.admin.query('UPDATE alerts.alerts SET client_id = $2 WHERE id = $1', [alertId, mine]);
    const own = await insertSuppressionWindow(world.admin, tenant, { clientIds: [mine] });
    const foreign = await insertSuppressionWindow(world.admin, tenant, { clientIds: [theirs] });
    await keep(alertId, { windows: [recorded(own, 'Own'), recorded(foreign, 'A secret window')] });
    await world.publishEvent(tenant, 'alert.created', alertId);
    await eventually(async () =>
      expect((await world.notificationsOf(tenant)).map(({ status }) => status)).toEqual(['sent']),
    );

    await world.admin.query('UPDATE resources.suppression_windows SET name = $2 WHERE id = $1', [
      foreign,
      'A secret window',
    ]);
    const hiddenBy = publicId('suppressionWindow', foreign);
    const changes = [{ field: 'suppression', before: null, after: { windowId: hiddenBy, until: null } }];
    await world.admin.query(
      `INSERT INTO alerts.timeline
         (id, alert_id, organization_id, environment, type, occurred_at, actor, cause, changes, alert_version)
       VALUES ($1, $2, $3, $4, 'alert.suppressed', now(), '{}', '{}', $5, 2)`,
      [newUuid(), alertId, tenant.organizationId, tenant.environment, JSON.stringify(changes)],
    );

    const shown = dataOf<Explanation>(await ask(alertId, { ...tenant, principal }));
    expect(shown).toMatchObject({
      suppressions: [{ windowId: hiddenBy, windowName: null }],
      events: [{ windows: [recorded(own, 'Own')] }],
      decisions: [],
      runs: [],
      notifications: [{ target: 'o…@example.com', status: 'sent' }],
    });
    expect(shown.summary).toContain('The key of this request does not see workflows.');
    expect(JSON.stringify([shown.events, shown.suppressions, shown.summary])).not.toContain('A secret');
    expect(await explain(alertId)).toMatchObject({ suppressions: [{ windowName: 'A secret window' }] });
    expect((await explain(alertId)).decisions).toHaveLength(1);

    const other = await world.newAlert(tenant, { fingerprint: 'other' });
    expect(await ask(other, { ...tenant, principal })).toMatchObject({ code: 'NOT_FOUND' });
  });
});
