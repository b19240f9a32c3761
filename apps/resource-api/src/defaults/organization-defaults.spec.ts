import {
  deleteWorkflow,
  listWorkflows,
  newUuid,
  publicId,
  uuidOf,
  type AuditRecord,
  type Principal,
  type Workflow,
} from '@ams/contracts';
import { Database } from '@ams/database';
import {
  defaultWorkflow,
  formerWorkflowName,
  normalizedPolicy,
  normalizedWorkflow,
  onCallAt,
  validatePolicy,
  validateSchedule,
  type OnCallSchedule,
  type PolicyLevel,
} from '@ams/domain';
import { eventually, insertSchedule, pageOf } from '@ams/testing';
import { startResourceApi, type TestResourceApi } from '../../testing/support.js';
import { entities } from '../entities.js';
import { ensureDefaults } from './organization-defaults.js';

let api: TestResourceApi;
let database: Database;
const audit: AuditRecord[] = [];

/** The first tests run without a service, because it would make the defaults before the tests do. */
beforeAll(async () => {
  api = await startResourceApi({ replicas: 0 });
  const { databaseUrl: url } = api;
  database = await Database.open({ service: 'resource-api', url, poolSize: 10, connectTimeoutMs: 30_000, entities });
  api.nats.subscribe('evt.audit', { callback: (_error, message) => void audit.push(message.json<AuditRecord>()) });
});
afterAll(async () => {
  await database.close();
  await api.stop();
});

/** UUIDs. */
async function newOrganization(): Promise<string> {
  const id = newUuid();
  await api.admin.query(`INSERT INTO auth.organizations (id, name, slug) VALUES ($1::uuid, 'New', $1::text)`, [id]);
  return id;
}

async function newMember(organizationId: string, { role = 'owner', status = 'active' } = {}): Promise<string> {
  const id = newUuid();
  await api.admin.query(
    `INSERT INTO auth.members (id, organization_id, name, email, role, status)
     VALUES ($1::uuid, $2, 'Mira', $1::text, $3, $4)`,
    [id, organizationId, role, status],
  );
  return id;
}

interface ScheduleRow extends Pick<OnCallSchedule, 'timezone' | 'layers'> {
  id: string;
  environment: string;
  name: string;
  /** Of the first layer. */
  members: string[];
}

const schedulesOf = async (organizationId: string): Promise<ScheduleRow[]> =>
  (
    await api.admin.query<ScheduleRow>(
      `SELECT id, environment, name, timezone, layers,
         ARRAY(SELECT jsonb_array_elements_text(layers->0->'members')::uuid) AS members
       FROM resources.schedules s WHERE organization_id = $1 ORDER BY environment`,
      [organizationId],
    )
  ).rows;

interface WorkflowRow {
  id: string;
  environment: string;
  version: number;
  events: string[];
  conditions: object;
  steps: object[];
  schedules: string[] | null;
}

const workflowsOf = async (organizationId: string, name = defaultWorkflow.name): Promise<WorkflowRow[]> =>
  (
    await api.admin.query<WorkflowRow>(
      `SELECT id, environment, version, events, conditions, steps, (SELECT array_agg(schedule_id)
       FROM resources.workflow_references r WHERE r.workflow_id = w.id) AS schedules
     FROM resources.workflows w WHERE organization_id = $1 AND enabled
     AND name = $2 ORDER BY environment`,
      [organizationId, name],
    )
  ).rows;

interface PolicyRow {
  id: string;
  environment: string;
  levels: PolicyLevel[];
  repeat: number;
  isCatchAll: boolean;
}

const policiesOf = async (organizationId: string): Promise<PolicyRow[]> =>
  (
    await api.admin.query<PolicyRow>(
      `SELECT p.id, p.environment, p.levels, p.repeat, EXISTS (
         SELECT 1 FROM resources.organization_settings s
         WHERE s.organization_id = p.organization_id AND s.environment = p.environment AND s.catch_all_policy_id = p.id
       ) AS "isCatchAll"
       FROM resources.escalation_policies p WHERE organization_id = $1 AND name = 'Default' ORDER BY environment`,
      [organizationId],
    )
  ).rows;

/** As a release before the policies left it. */
const asOfEarlierRelease = (organizationId: string) =>
  api.admin.query('INSERT INTO resources.defaults_made (organization_id) VALUES ($1)', [organizationId]);

const makeDefaults = (organizationId: string, at = new Date()) =>
  database.asService((tx) => ensureDefaults(tx, organizationId, at));

describe('a new organization', () => {
  it('has in each environment a schedule with everybody in turn, and a workflow that pages the team of an alert', async () => {
    const organizationId = await newOrganization();
    const everybody = [await newMember(organizationId, { role: 'admin' }), await newMember(organizationId)];
    await newMember(organizationId, { role: 'viewer' });
    await newMember(organizationId, { status: 'disabled' });
    everybody.push(await newMember(organizationId, { role: 'responder', status: 'invited' }));
    await makeDefaults(organizationId, new Date('2026-11-20T14:00:00Z'));

    const schedules = await schedulesOf(organizationId);
    expect(
      schedules.map(({ environment, name, timezone, members }) => ({ environment, name, timezone, members })),
    ).toEqual(
      ['live', 'test'].map((environment) => ({ environment, name: 'Default', timezone: 'UTC', members: everybody })),
    );
    const workflows = await workflowsOf(organizationId);
    const { name: _name, trigger, conditions, steps } = defaultWorkflow;
    expect(workflows).toEqual(
      ['live', 'test'].map((environment) => ({
        id: expect.any(String),
        environment,
        version: 1,
        events: trigger.events,
        conditions,
        steps,
        schedules: null,
      })),
    );

    for (const { timezone, layers } of schedules) {
      const schedule = { timezone, layers, overrides: [] };
      expect(validateSchedule(schedule)).toEqual([]);
      expect(layers).toMatchObject([
        {
          name: 'Everybody in turn',
          everybody: true,
          rotation: { unit: 'week', interval: 1, handoffTime: '09:00', handoffDay: 1 },
          startsAt: '2026-11-16T00:00:00.000Z',
          endsAt: null,
        },
      ]);
      const turns = ['2026-11-23T10:00:00Z', '2026-11-30T10:00:00Z', '2026-12-07T10:00:00Z'];
      expect(turns.map((at) => onCallAt(schedule, at).shifts[0]?.userId).toSorted()).toEqual(everybody.toSorted());
    }
  });

  it('has in each environment a policy that pages the schedule, then the next on call, as the catch-all', async () => {
    const organizationId = await newOrganization();
    await newMember(organizationId);
    await makeDefaults(organizationId);
    const schedules = await schedulesOf(organizationId);
    const policies = await policiesOf(organizationId);
    expect(policies).toHaveLength(2);
    for (const [index, { levels, repeat, isCatchAll }] of policies.entries()) {
      const id = publicId('schedule', schedules[index]?.id as string);
      expect({ levels, repeat, isCatchAll }).toEqual({
        levels: [
          { id: 'level-1', targets: [{ type: 'schedule', id }], escalateAfterSeconds: 600 },
          { id: 'level-2', targets: [{ type: 'schedule', id, who: 'next' }], escalateAfterSeconds: 600 },
        ],
        repeat: 1,
        isCatchAll: true,
      });
      expect(validatePolicy({ levels, repeat })).toEqual([]);
      expect(normalizedPolicy({ levels, repeat }).levels).toEqual(levels);
    }
  });

  it.each([
    ['a Monday, at its first instant', '2026-11-16T00:00:00.000Z', '2026-11-16'],
    ['a Monday, at its last', '2026-11-16T23:59:59.999Z', '2026-11-16'],
    ['a Sunday, at its last instant', '2026-11-22T23:59:59.999Z', '2026-11-16'],
    ['a leap day', '2028-02-29T12:00:00.000Z', '2028-02-28'],
    ['the change of the year', '2027-01-01T00:00:00.000Z', '2026-12-28'],
  ])('made on %s has a schedule that begins with the week', async (_what, at, monday) => {
    const organizationId = await newOrganization();
    await newMember(organizationId);
    await makeDefaults(organizationId, new Date(at));
    expect((await schedulesOf(organizationId)).map(({ layers }) => layers[0]?.startsAt)).toEqual([
      `${monday}T00:00:00.000Z`,
      `${monday}T00:00:00.000Z`,
    ]);
  });

  it('gets its defaults once, also when several replicas find it', async () => {
    const organizationId = await newOrganization();
    await newMember(organizationId);
    await Promise.all(Array.from({ length: 10 }, () => makeDefaults(organizationId)));
    expect(await schedulesOf(organizationId)).toHaveLength(2);
    expect(await workflowsOf(organizationId)).toHaveLength(2);
  });

  it.each([
    ['none at all', []],
    ['an admin', [{ role: 'admin' }]],
    ['owners who are invited and disabled', [{ status: 'invited' }, { status: 'disabled' }]],
  ])('that has %s waits for an active owner', async (_who, members) => {
    const organizationId = await newOrganization();
    for (const member of members) await newMember(organizationId, member);
    await makeDefaults(organizationId);
    expect(await schedulesOf(organizationId)).toEqual([]);
    const owner = await newMember(organizationId);
    await makeDefaults(organizationId);
    expect((await schedulesOf(organizationId)).map(({ members: named }) => named)).toEqual([
      expect.arrayContaining([owner]),
      expect.arrayContaining([owner]),
    ]);
  });
});

describe('an organization of an earlier release', () => {
  it('gets a policy for its initial schedule once, and nothing else', async () => {
    const organizationId = await newOrganization();
    await newMember(organizationId);
    await asOfEarlierRelease(organizationId);
    await insertSchedule(api.admin, { organizationId, environment: 'live' }, { name: 'Backend' });
    const initial = await insertSchedule(api.admin, { organizationId, environment: 'live' }, { name: 'Default' });
    const only = await insertSchedule(api.admin, { organizationId, environment: 'test' }, { name: 'Renamed' });
    await Promise.all(Array.from({ length: 5 }, () => makeDefaults(organizationId)));
    await makeDefaults(organizationId);
    const policies = await policiesOf(organizationId);
    expect(policies.map(({ levels, isCatchAll }) => [levels[0]?.targets, isCatchAll])).toEqual([
      [[{ type: 'schedule', id: publicId('schedule', initial) }], true],
      [[{ type: 'schedule', id: publicId('schedule', only) }], true],
    ]);
    expect(await schedulesOf(organizationId)).toHaveLength(3);
    expect(await workflowsOf(organizationId)).toEqual([]);
  });

  it('that has no schedule gets a policy that pages its owner, and keeps a catch-all policy that it has set', async () => {
    const organizationId = await newOrganization();
    const owner = await newMember(organizationId);
    await asOfEarlierRelease(organizationId);
    await api.admin.query(
      `WITH own AS (
         INSERT INTO resources.escalation_policies (id, organization_id, environment, name, levels, repeat)
         VALUES ($1, $2, 'live', 'Own', '[]', 0) RETURNING id, organization_id, environment
       )
       INSERT INTO resources.organization_settings
         (organization_id, environment, catch_all_policy_id, high_urgency_severities, flap, default_window_seconds)
       SELECT organization_id, environment, id, '{critical}', '{}', 900 FROM own`,
      [newUuid(), organizationId],
    );
    await makeDefaults(organizationId);
    const targets = [{ type: 'user', id: publicId('member', owner) }];
    expect(
      (await policiesOf(organizationId)).map(({ levels, isCatchAll }) => [
        levels.map((level) => level.targets),
        isCatchAll,
      ]),
    ).toEqual([
      [[targets], false],
      [[targets], true],
    ]);
  });
});

/** A workflow as it was made by releases whose workflows could not page. */
async function formerWorkflow(
  organizationId: string,
  environment: string,
  { scheduleId = '', ...changes }: { scheduleId?: string; steps?: object[]; version?: number; enabled?: boolean } = {},
): Promise<string> {
  const id = newUuid();
  const targets = [{ type: 'schedule', id: publicId('schedule', scheduleId) }];
  const { trigger, conditions, steps } = normalizedWorkflow({
    trigger: { events: ['alert.created', 'alert.resumed', 'alert.severityChanged'] },
    conditions: { field: 'severity', op: 'gte', value: 'high' },
    steps: [
      { id: 'incident', type: 'openIncident', params: { groupBy: ['fingerprint'], autoResolve: true } },
      { id: 'page', type: 'notify', params: { targets } },
      { id: 'escalate', type: 'notify', params: { targets }, delaySeconds: 600, unless: ['acknowledged', 'resolved'] },
    ],
  });
  const { version = 1, enabled = true } = changes;
  await api.admin.query(
    `INSERT INTO resources.workflows
       (id, organization_id, environment, name, events, conditions, steps, version, enabled)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      id,
      organizationId,
      environment,
      formerWorkflowName,
      trigger.events,
      JSON.stringify(conditions),
      JSON.stringify(changes.steps ?? steps),
      version,
      enabled,
    ],
  );
  await api.admin.query(
    `INSERT INTO resources.workflow_references (organization_id, environment, workflow_id, schedule_id)
     VALUES ($1, $2, $3, $4)`,
    [organizationId, environment, id, scheduleId],
  );
  return id;
}

describe('the workflow of an earlier release', () => {
  let organizationId: string;
  let scheduleId: string;

  beforeEach(async () => {
    organizationId = await newOrganization();
    await newMember(organizationId);
    scheduleId = await insertSchedule(api.admin, { organizationId, environment: 'live' }, { name: 'Default' });
  });

  it('that nobody has changed becomes the one that pages, once, in each environment', async () => {
    await asOfEarlierRelease(organizationId);
    const inTest = await insertSchedule(api.admin, { organizationId, environment: 'test' }, { name: 'Default' });
    const ids = [
      await formerWorkflow(organizationId, 'live', { scheduleId }),
      await formerWorkflow(organizationId, 'test', { scheduleId: inTest }),
    ];
    await Promise.all(Array.from({ length: 5 }, () => makeDefaults(organizationId)));
    await makeDefaults(organizationId);
    const { trigger, conditions, steps } = defaultWorkflow;
    expect(await workflowsOf(organizationId, formerWorkflowName)).toEqual(
      ['live', 'test'].map((environment, index) => ({
        id: ids[index],
        environment,
        version: 2,
        events: trigger.events,
        conditions,
        steps,
        schedules: null,
      })),
    );
    // The policy that it pages by was made before.
    expect((await policiesOf(organizationId)).map(({ isCatchAll }) => isCatchAll)).toEqual([true, true]);
  });

  it('becomes it also where the policies were made by the release before', async () => {
    await formerWorkflow(organizationId, 'live', { scheduleId });
    await makeDefaultsOfLastRelease();
    await makeDefaults(organizationId);
    expect(await workflowsOf(organizationId, formerWorkflowName)).toMatchObject([{ version: 2, schedules: null }]);
    expect(await policiesOf(organizationId)).toHaveLength(2);
    expect(await workflowsOf(organizationId)).toEqual([]);
  });

  it.each<[string, { steps?: object[]; version?: number; enabled?: boolean }]>([
    ['was changed', { version: 2 }],
    ['has other steps', { steps: [{ id: 'page', type: 'resolve', params: {} }] }],
    ['is disabled', { enabled: false }],
  ])('stays as it is when it %s', async (_what, changes) => {
    await asOfEarlierRelease(organizationId);
    const id = await formerWorkflow(organizationId, 'live', { scheduleId, ...changes });
    const stored = () => api.admin.query('SELECT * FROM resources.workflows WHERE id = $1', [id]);
    const before = (await stored()).rows;
    await makeDefaults(organizationId);
    expect((await stored()).rows).toEqual(before);
  });

  it('stays as it is when the organization has no catch-all policy, because only its owners would be paged', async () => {
    await formerWorkflow(organizationId, 'live', { scheduleId });
    await makeDefaultsOfLastRelease();
    await api.admin.query(
      'UPDATE resources.organization_settings SET catch_all_policy_id = NULL WHERE organization_id = $1',
      [organizationId],
    );
    await makeDefaults(organizationId);
    expect(await workflowsOf(organizationId, formerWorkflowName)).toMatchObject([{ version: 1 }]);
  });

  /** The release that had policies already, and workflows that could not page. */
  async function makeDefaultsOfLastRelease(): Promise<void> {
    await asOfEarlierRelease(organizationId);
    const before = await workflowsOf(organizationId, formerWorkflowName);
    await api.admin.query('UPDATE resources.workflows SET version = 9 WHERE organization_id = $1', [organizationId]);
    await makeDefaults(organizationId);
    for (const { id } of before)
      await api.admin.query('UPDATE resources.workflows SET version = 1 WHERE id = $1', [id]);
    await api.admin.query('UPDATE resources.defaults_made SET pages = false WHERE organization_id = $1', [
      organizationId,
    ]);
  }
});

describe('the service', () => {
  it('makes defaults once, on start and for new organizations, with entries in the audit log', async () => {
    const organizations = [await newOrganization(), await newOrganization(), await newOrganization()] as const;
    const [early, late, without] = organizations;
    await newMember(early);
    await Promise.all([api.startReplica(), api.startReplica(), api.startReplica()]);
    await eventually(async () => expect(await workflowsOf(early)).toHaveLength(2));
    await newMember(late);
    await eventually(async () => expect(await workflowsOf(late)).toHaveLength(2));
    // At least one run has ended since this organization was created.
    expect(await schedulesOf(without)).toEqual([]);
    const entries = await eventually(() => {
      const found = audit.filter(({ organizationId }) => organizationId === late);
      expect(found.length).toBeGreaterThanOrEqual(8);
      return found;
    });
    expect(entries.map(({ environment, type }) => `${environment} ${type}`).sort()).toEqual([
      'live escalation_policy.created',
      'live organization.updated',
      'live schedule.created',
      'live workflow.created',
      'test escalation_policy.created',
      'test organization.updated',
      'test schedule.created',
      'test workflow.created',
    ]);
    const [workflow] = await workflowsOf(late);
    expect(entries.find(({ resource }) => resource?.id === publicId('workflow', workflow?.id as string))).toMatchObject(
      {
        actor: { type: 'service', id: null, name: 'setup' },
        requestId: null,
        changes: expect.arrayContaining([{ field: 'name', before: null, after: 'Page the team' }]),
      },
    );
  });

  it('says in the audit log that it has replaced the workflow of an earlier release', async () => {
    const organizationId = await newOrganization();
    const scheduleId = await insertSchedule(api.admin, { organizationId, environment: 'live' }, { name: 'Default' });
    await asOfEarlierRelease(organizationId);
    const id = await formerWorkflow(organizationId, 'live', { scheduleId });
    await newMember(organizationId);
    const entry = await eventually(() => {
      const found = audit.find((one) => one.organizationId === organizationId && one.type === 'workflow.updated');
      expect(found).toBeDefined();
      return found;
    });
    expect(entry).toMatchObject({
      environment: 'live',
      actor: { type: 'service', id: null, name: 'setup' },
      resource: { type: 'workflow', id: publicId('workflow', id) },
      changes: [{ field: 'steps' }],
    });
  });

  it('does not make deleted defaults again', async () => {
    const organizationId = await newOrganization();
    await newMember(organizationId);
    await makeDefaults(organizationId);
    const me: Principal = await api.newPrincipal({ organizationId });
    const { data } = pageOf<Workflow>(await api.callAs(me, listWorkflows));
    expect(data.map(({ name, version }) => [name, version])).toEqual([['Page the team', 1]]);
    const { id } = data[0] as Workflow;
    expect(await api.callAs(me, deleteWorkflow, { params: { id } })).toMatchObject({ ok: true });
    // When a later organization has its defaults, a run over all organizations has ended.
    const next = await newOrganization();
    await newMember(next);
    await eventually(async () => expect(await workflowsOf(next)).toHaveLength(2));
    expect((await workflowsOf(organizationId)).map((row) => row.environment)).toEqual(['test']);
    expect((await workflowsOf(organizationId)).map((row) => row.id)).not.toContain(uuidOf('workflow', id));
  });
});
