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
  normalizedPolicy,
  normalizedWorkflow,
  onCallAt,
  validatePolicy,
  validateSchedule,
  validateWorkflow,
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
  members: string[];
}

const schedulesOf = async (organizationId: string): Promise<ScheduleRow[]> =>
  (
    await api.admin.query<ScheduleRow>(
      `SELECT id, environment, name, timezone, layers, (SELECT array_agg(member_id) FROM resources.schedule_members m
       WHERE m.schedule_id = s.id) AS members
     FROM resources.schedules s WHERE organization_id = $1 ORDER BY environment`,
      [organizationId],
    )
  ).rows;

interface WorkflowRow {
  id: string;
  environment: string;
  events: string[];
  conditions: object;
  steps: object[];
  schedules: string[];
}

const workflowsOf = async (organizationId: string): Promise<WorkflowRow[]> =>
  (
    await api.admin.query<WorkflowRow>(
      `SELECT id, environment, events, conditions, steps, (SELECT array_agg(schedule_id)
       FROM resources.workflow_references r WHERE r.workflow_id = w.id) AS schedules
     FROM resources.workflows w WHERE organization_id = $1 AND enabled
     AND name = 'Open an incident and page' ORDER BY environment`,
      [organizationId],
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

/** As a release before this one left it. */
const asOfEarlierRelease = (organizationId: string) =>
  api.admin.query('INSERT INTO resources.defaults_made (organization_id) VALUES ($1)', [organizationId]);

const makeDefaults = (organizationId: string, at = new Date()) =>
  database.asService((tx) => ensureDefaults(tx, organizationId, at));

describe('a new organization', () => {
  it('has in each environment a schedule with its first owner, and a workflow that pages this schedule', async () => {
    const organizationId = await newOrganization();
    await newMember(organizationId, { role: 'admin' });
    const owner = await newMember(organizationId);
    await newMember(organizationId);
    await makeDefaults(organizationId, new Date('2026-11-20T14:00:00Z'));

    const schedules = await schedulesOf(organizationId);
    expect(
      schedules.map(({ environment, name, timezone, members }) => ({ environment, name, timezone, members })),
    ).toEqual(
      ['live', 'test'].map((environment) => ({ environment, name: 'Default', timezone: 'UTC', members: [owner] })),
    );
    const workflows = await workflowsOf(organizationId);
    expect(workflows.map(({ environment, schedules: named }) => [environment, named])).toEqual(
      schedules.map(({ environment, id }) => [environment, [id]]),
    );

    for (const [index, { timezone, layers, id }] of schedules.entries()) {
      const schedule = { timezone, layers, overrides: [] };
      expect(validateSchedule(schedule)).toEqual([]);
      expect(layers).toMatchObject([
        {
          name: 'Everybody in turn',
          rotation: { unit: 'week', interval: 1, handoffTime: '09:00', handoffDay: 1 },
          startsAt: '2026-11-16T00:00:00.000Z',
          endsAt: null,
        },
      ]);
      for (const at of ['2026-11-20T14:00:00Z', '2030-01-01T00:00:00Z'])
        expect(onCallAt(schedule, at)).toMatchObject({ shift: { userId: owner } });

      const { events, conditions, steps } = workflows[index] as WorkflowRow;
      const definition = { trigger: { events }, conditions, steps };
      expect(validateWorkflow(definition)).toEqual([]);
      expect(normalizedWorkflow(definition)).toEqual(definition);
      const targets = [{ type: 'schedule', id: publicId('schedule', id) }];
      expect(definition).toMatchObject({
        trigger: { events: ['alert.created', 'alert.resumed', 'alert.severityChanged'] },
        conditions: { field: 'severity', op: 'gte', value: 'high' },
        steps: [
          { type: 'openIncident', params: { groupBy: ['fingerprint'], autoResolve: true } },
          { type: 'notify', params: { targets }, delaySeconds: 0, unless: [] },
          { type: 'notify', params: { targets }, delaySeconds: 600, unless: ['acknowledged', 'resolved'] },
        ],
      });
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
    expect((await schedulesOf(organizationId)).map(({ members: named }) => named)).toEqual([[owner], [owner]]);
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
        changes: expect.arrayContaining([{ field: 'name', before: null, after: 'Open an incident and page' }]),
      },
    );
  });

  it('does not make deleted defaults again', async () => {
    const organizationId = await newOrganization();
    await newMember(organizationId);
    await makeDefaults(organizationId);
    const me: Principal = await api.newPrincipal({ organizationId });
    const { data } = pageOf<Workflow>(await api.callAs(me, listWorkflows));
    expect(data.map(({ name, version }) => [name, version])).toEqual([['Open an incident and page', 1]]);
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
