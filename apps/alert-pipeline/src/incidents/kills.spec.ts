/**
 * The pipeline dies between any two statements of a decision: nothing of the decision is there, and when it is made
 * again, the incident, its alerts, timeline, pages and events are the same as without the failure. Each decision is made
 * for as many tenants as it has statements.
 */
import { newUuid, publicId, type Principal, type Tenant, type WorkflowCommand } from '@ams/contracts';
import { changeWithIncident } from '@ams/alerting';
import { Database, type Tx } from '@ams/database';
import {
  createTestDatabase,
  insertAlert,
  insertApiKey,
  insertMember,
  insertRows,
  insertWorkflow,
  type MigratedDatabase,
} from '@ams/testing';
import { runDying } from '../../testing/dying.js';
import { AlertChanges } from '../alerts/alert-changes.js';
import { lockAlerts } from '../alerts/locked-alerts.js';
import { executeLocked } from '../workflow-commands/workflow-commands.service.js';
import { goOn } from './escalation-watch.js';

let postgres: MigratedDatabase;
let database: Database;

beforeAll(async () => {
  postgres = await createTestDatabase();
  database = await Database.open({
    service: 'alert-pipeline',
    url: postgres.urls['alert-pipeline'],
    poolSize: 2,
    connectTimeoutMs: 30_000,
  });
});
afterAll(async () => {
  await database?.close();
  await postgres?.drop();
});

interface World {
  tenant: Principal;
  workflowId: string;
  policyId: string;
  alerts: string[];
}

const sql = async <R extends object>(text: string, params: unknown[] = []): Promise<R[]> =>
  (await postgres.admin.query<R>(text, params)).rows;

/** A policy with a level that nobody can be told between two that reach somebody; nobody but the owners is left then. */
async function newWorld(): Promise<World> {
  const { principal: tenant } = await insertApiKey(postgres.admin);
  const { organizationId, environment } = tenant;
  const member = (name: string, status: 'active' | 'disabled' = 'active', role: 'owner' | 'responder' = 'responder') =>
    insertMember(postgres.admin, tenant, { name, status, role });
  const people = [await member('first'), await member('second', 'disabled'), await member('third')];
  await member('owner', 'active', 'owner');
  const policyId = newUuid();
  const levels = people.map((id, index) => ({
    id: `level-${index + 1}`,
    targets: [{ type: 'user', id: publicId('member', id) }],
    escalateAfterSeconds: 600,
  }));
  await insertRows(postgres.admin, 'resources.escalation_policies', [
    {
      id: policyId,
      organizationId,
      environment,
      name: 'Policy',
      repeat: 0,
      levels,
      ackTimeoutSeconds: 60,
    },
  ]);
  const workflowId = await insertWorkflow(postgres.admin, tenant);
  const alerts = [await insertAlert(postgres.admin, tenant), await insertAlert(postgres.admin, tenant)];
  return { tenant, workflowId, policyId, alerts };
}

const page = ({ tenant, workflowId, policyId }: World, alertId: string | undefined): WorkflowCommand => ({
  organizationId: tenant.organizationId,
  environment: tenant.environment,
  workflow: { id: workflowId, name: 'Page' },
  runId: newUuid(),
  depth: 1,
  alertId: alertId ?? null,
  incidentId: null,
  body: {
    kind: 'openIncident',
    groupKey: 'g',
    windowSeconds: 900,
    autoResolve: true,
    title: 'Checkout is slow',
    severity: null,
    page: { policyId: publicId('escalationPolicy', policyId) },
  },
});

const incidentOf = async ({ tenant }: World): Promise<Tenant & { id: string }> => {
  const [found] = await sql<{ id: string }>('SELECT id FROM alerts.incidents WHERE organization_id = $1', [
    tenant.organizationId,
  ]);
  return { id: found?.id ?? '', organizationId: tenant.organizationId, environment: tenant.environment };
};

const open = (tx: Tx, world: World): Promise<unknown> =>
  executeLocked(
    tx,
    world.alerts.map((id) => page(world, id)),
  );
const openFirst = (tx: Tx, world: World): Promise<unknown> => executeLocked(tx, [page(world, world.alerts[0])]);
const due = async (tx: Tx, world: World): Promise<unknown> => goOn(tx, await incidentOf(world));

const person = { type: 'user', id: 'usr_1', name: 'Kim' } as const;

/** As a command for some alerts does it. */
const command =
  (action: 'acknowledge' | 'resolve', count: number) =>
  async (tx: Tx, { tenant, alerts }: World): Promise<void> => {
    const at = new Date().toISOString();
    const changes = new AlertChanges(at);
    const locked = await lockAlerts(tx, tenant, alerts.slice(0, count));
    const records = { changeAlert: changes.change.bind(changes) };
    changeWithIncident(records, newUuid(), locked, action, { actor: person, at });
    await changes.write(tx);
  };

/** What is due at a time is due now. */
const passes = async ({ tenant }: World): Promise<void> => {
  await sql(
    `UPDATE alerts.incidents SET due_at = now() - interval '1 s',
       escalation = jsonb_set(escalation, '{nextAt}', '"2026-01-01T00:00:00.000Z"')
     WHERE organization_id = $1`,
    [tenant.organizationId],
  );
};

/** Everything that the decisions have written, without ids and times. */
async function stateOf({ tenant: { organizationId } }: World): Promise<unknown> {
  const [state] = await sql(
    `SELECT
       ARRAY(SELECT jsonb_build_array(status, severity, urgency, alert_count, open_alert_count, version,
           escalation->'state', escalation->'episode', escalation->'round', escalation->'level',
           jsonb_array_length(escalation->'told'), due_at IS NOT NULL, paging - '{joined,refireAt,toldAt}'::text[])
         FROM alerts.incidents WHERE organization_id = $1) AS incidents,
       ARRAY(SELECT jsonb_build_array(status, version, incident_id IS NOT NULL)
         FROM alerts.alerts WHERE organization_id = $1 ORDER BY created_at, id) AS alerts,
       ARRAY(SELECT jsonb_build_array(kind, stage, episode, round, level, jsonb_array_length(recipients),
           (SELECT count(*) FROM jsonb_array_elements(recipients) r WHERE r->>'unreachable' IS NULL))
         FROM alerts.pages WHERE organization_id = $1 ORDER BY created_at, stage, episode, round, level) AS pages,
       ARRAY(SELECT type || ' ' || incident_version FROM alerts.incident_timeline
         WHERE organization_id = $1 ORDER BY incident_version) AS timeline,
       ARRAY(SELECT payload::jsonb->>'type' FROM alerts.outbox
         WHERE payload::jsonb->>'organizationId' = $1::text ORDER BY 1) AS events`,
    [organizationId],
  );
  return state;
}

type Work = (tx: Tx, world: World) => Promise<unknown>;

/** The work to be killed, what happened before it, and the pages after it: the kind or the level, and who was told. */
const decisions: [name: string, before: (Work | 'time')[], work: Work, pages: string[]][] = [
  ['a storm that opens an incident', [], open, ['1.1.1: 1']],
  ['an alert that joins', [openFirst], open, ['1.1.1: 1']],
  ['a level that passes one that nobody can be told', [open, 'time'], due, ['1.1.1: 1', '1.1.2: 0', '1.1.3: 1']],
  [
    'the owners after the last level',
    [open, 'time', due, 'time'],
    due,
    ['1.1.1: 1', '1.1.2: 0', '1.1.3: 1', 'owners: 1'],
  ],
  ['an acknowledgement of all alerts', [open], command('acknowledge', 2), ['1.1.1: 1']],
  ['the end of an acknowledgement', [open, command('acknowledge', 2), 'time'], due, ['1.1.1: 1', '2.1.1: 1']],
  ['a resolve of the last alert', [open], command('resolve', 2), ['1.1.1: 1']],
];

/** Who is told: the pages in their order. */
async function pagesOf({ tenant }: World): Promise<string[]> {
  const rows = await sql<{ page: string }>(
    `SELECT CASE kind WHEN 'level' THEN concat_ws('.', episode, round, level) ELSE kind END || ': ' ||
       (SELECT count(*) FROM jsonb_array_elements(recipients) r WHERE r->>'unreachable' IS NULL) AS page
     FROM alerts.pages WHERE organization_id = $1 ORDER BY episode, kind = 'owners', round, level`,
    [tenant.organizationId],
  );
  return rows.map(({ page: shown }) => shown);
}

async function arranged(before: readonly (Work | 'time')[]): Promise<World> {
  const world = await newWorld();
  for (const one of before) {
    if (one === 'time') await passes(world);
    else await database.asService((tx) => one(tx, world));
  }
  return world;
}

it.each(decisions)(
  '%s is made wholly or not at all, whenever the process dies, and made once',
  async (_name, before, work, pages) => {
    const whole = await arranged(before);
    const statements = await runDying(database, (tx) => work(tx, whole), null);
    const expected = await stateOf(whole);
    expect(await pagesOf(whole)).toEqual(pages);
    expect(statements).toBeGreaterThan(2);
    for (let n = 1; n <= statements + 1; n++) {
      const world = await arranged(before);
      const untouched = await stateOf(world);
      await expect(runDying(database, (tx) => work(tx, world), n)).rejects.toThrow();
      expect(await stateOf(world)).toEqual(untouched);
      await runDying(database, (tx) => work(tx, world), null);
      expect(await stateOf(world)).toEqual(expected);
    }
    await runDying(database, (tx) => work(tx, whole), null);
    expect(await stateOf(whole)).toEqual(expected);
  },
);
