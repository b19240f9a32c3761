import { publicId, getAlert } from '@ams/contracts';
import { serviceRoles } from '@ams/database';
import { connect } from '@nats-io/transport-node';
import pg from 'pg';
import {
  callOperation,
  createTestDatabase,
  dataOf,
  insertAlert,
  insertAlerts,
  insertApiKey,
  insertClient,
  insertIncident,
  insertIncidents,
  insertIntegration,
  insertMember,
  insertSchedule,
  insertScheduleOverride,
  insertSuppressionWindow,
  insertWorkflow,
  type MigratedDatabase,
  startTestNats,
  testPrincipal,
} from './index.js';

let database: MigratedDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const rows = async (text: string, values: unknown[]): Promise<Record<string, unknown>[]> =>
  (await database.admin.query<Record<string, unknown>>(text, values)).rows;

describe('createTestDatabase', () => {
  it('copies one migrated template for each caller, and each service may connect', async () => {
    const others = await Promise.all([createTestDatabase(), createTestDatabase()]);
    const templates = await rows(
      `SELECT datname FROM pg_database WHERE datname LIKE 'template\\_%' AND datname <> ALL($1)`,
      [['template0', 'template1']],
    );
    expect(templates).toHaveLength(1);
    for (const [service, url] of Object.entries(others[0]?.urls ?? {})) {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      const { rows: found } = await client.query('SELECT current_user AS role');
      expect(found).toEqual([{ role: serviceRoles[service as keyof typeof serviceRoles] }]);
      await client.end();
    }
    await Promise.all(others.map((other) => other.drop()));
  });
});

describe('the seeds', () => {
  it('have defaults for values that a test does not set', async () => {
    const { principal } = await insertApiKey(database.admin);
    const clientId = await insertClient(database.admin, principal, { slug: 'acme', aliases: ['Acme-EU'] });
    const integrationId = await insertIntegration(database.admin, principal, { clientId });
    const memberId = await insertMember(database.admin, principal);
    const scheduleId = await insertSchedule(database.admin, principal);
    await insertScheduleOverride(database.admin, principal, { scheduleId, memberId });
    await insertSuppressionWindow(database.admin, principal, { clientIds: [clientId] });
    const workflowId = await insertWorkflow(database.admin, principal);
    const incidentId = await insertIncident(database.admin, principal, { workflowId, assigneeIds: [memberId] });
    const alertId = await insertAlert(database.admin, principal, { integrationId, clientId, incidentId });
    expect(await rows('SELECT status, severity, incident_id FROM alerts.alerts WHERE id = $1', [alertId])).toEqual([
      { status: 'firing', severity: 3, incident_id: incidentId },
    ]);
    expect(await rows('SELECT name FROM resources.client_names WHERE client_id = $1 ORDER BY 1', [clientId])).toEqual([
      { name: 'acme' },
      { name: 'acme-eu' },
    ]);
  });

  it('count alerts, and satisfy the constraints of the tables', async () => {
    const tenant = testPrincipal();
    const integrationId = await insertIntegration(database.admin, tenant);
    await insertAlerts(database.admin, tenant, [
      { integrationId },
      { integrationId },
      { integrationId, status: 'resolved', severity: 'critical' },
      { integrationId, status: 'suppressed' },
    ]);
    const counts = await rows(
      'SELECT status, severity, n::int FROM alerts.counts WHERE integration_id = $1 ORDER BY status',
      [integrationId],
    );
    expect(counts).toEqual([
      { status: 'firing', severity: 3, n: 2 },
      { status: 'resolved', severity: 4, n: 1 },
      { status: 'suppressed', severity: 3, n: 1 },
    ]);
  });

  it('take the number of an incident from the counter of the organization', async () => {
    const tenant = testPrincipal();
    const ids = [
      ...(await insertIncidents(database.admin, tenant, [{}, { number: 7 }, {}])),
      await insertIncident(database.admin, tenant, { status: 'resolved' }),
    ];
    const found = await rows('SELECT id, number FROM alerts.incidents WHERE organization_id = $1', [
      tenant.organizationId,
    ]);
    expect(ids.map((id) => found.find((row) => row['id'] === id)?.['number'])).toEqual([8, 7, 9, 10]);
  });
});

describe('callOperation', () => {
  it('sends what the gateway would send', async () => {
    const nats = await startTestNats();
    const connection = await connect({ servers: nats.url });
    connection.subscribe('rpc.>', {
      callback: (_error, message) => {
        const body = { data: { subject: message.subject, ...message.json<object>() } };
        message.respond(JSON.stringify({ ok: true, status: 200, body, version: null }));
      },
    });
    const principal = testPrincipal({ scopes: ['alerts:read'] });
    const id = publicId('alert', principal.id);
    const answer = await callOperation(connection, principal, getAlert, { params: { id } });
    expect(dataOf(answer)).toMatchObject({ subject: `rpc.${getAlert.id}`, principal, params: { id }, ifMatch: null });
    expect(() => dataOf({ ok: false, code: 'NOT_FOUND', message: 'no', details: null })).toThrow('NOT_FOUND');
    await connection.close();
    await nats.stop();
  });
});
