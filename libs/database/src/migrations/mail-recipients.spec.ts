/** The upgrade of a database whose workflows and policies name addresses: these are verified, and no others. */
import { newUuid } from '@ams/contracts';
import { createDatabase, testPasswords as passwords, type TestDatabase } from '@ams/testing';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { migrations } from '../migrate.js';
import { ensureRoles } from '../roles.js';
import { MailRecipients1700000041000 } from './1700000041000-mail-recipients.js';

const at = migrations.indexOf(MailRecipients1700000041000);

let own: TestDatabase;
let admin: pg.Client;
let organizationId: string;
let other: string;

async function run(of: typeof migrations): Promise<void> {
  const source = await new DataSource({
    type: 'postgres',
    url: own.url,
    migrations: of,
    migrationsTableName: 'ams_migrations',
  }).initialize();
  await source.runMigrations();
  await source.destroy();
}

const mailTo = (address: unknown) => ({
  id: newUuid(),
  type: 'notify',
  params: { targets: [{ type: 'email', address }] },
});

const insertWorkflow = (organization: string, steps: unknown[], enabled = true) =>
  admin.query(
    `INSERT INTO resources.workflows (id, organization_id, environment, name, enabled, events, steps)
     VALUES ($1, $2, 'live', 'Notify', $3, '{alert.created}', $4)`,
    [newUuid(), organization, enabled, JSON.stringify(steps)],
  );

async function insertOrganization(): Promise<string> {
  const id = newUuid();
  await admin.query('INSERT INTO auth.organizations (id, name, slug) VALUES ($1, $2, $2)', [id, id]);
  return id;
}

const insertPolicy = (organization: string, levels: unknown[]) =>
  admin.query(
    `INSERT INTO resources.escalation_policies (id, organization_id, environment, name, levels, repeat)
     VALUES ($1, $2, 'live', 'Escalate', $3, 0)`,
    [newUuid(), organization, JSON.stringify(levels)],
  );

beforeAll(async () => {
  own = await createDatabase();
  admin = new pg.Client({ connectionString: own.url });
  await admin.connect();
  await ensureRoles(admin, passwords);
  await run(migrations.slice(0, at));
  organizationId = await insertOrganization();
  other = await insertOrganization();
  await insertWorkflow(organizationId, [
    mailTo('Ops@Example.com'),
    {
      id: 'two',
      type: 'notify',
      params: {
        targets: [
          { type: 'user', userId: 'usr_1' },
          { type: 'email', address: 'noc@münchen.example' },
        ],
      },
    },
    mailTo('{{ labels.owner }}'),
    { id: 'page', type: 'page', params: { escalationPolicyId: 'esc_1' } },
  ]);
  await insertWorkflow(organizationId, [mailTo('ops@EXAMPLE.com')]);
  await insertWorkflow(organizationId, [mailTo('disabled@example.com')], false);
  await insertPolicy(organizationId, [
    {
      delaySeconds: 0,
      targets: [
        { type: 'email', address: 'level@example.com' },
        { type: 'schedule', scheduleId: 'sch_1' },
      ],
    },
    { delaySeconds: 60, targets: [{ type: 'webhook', url: 'https://example.com', address: 'url@example.com' }] },
  ]);
  await insertWorkflow(other, [mailTo('noc@example.org')]);
  await insertWorkflow(newUuid(), [mailTo('nobody@example.org')]);
  await run(migrations.slice(0, at + 1));
});
afterAll(async () => {
  await admin?.end();
  await own?.drop();
});

const recipientsOf = async (organization: string) =>
  (
    await admin.query<{ key: string; kind: string; status: string; verified_by: string }>(
      'SELECT key, kind, status, verified_by FROM auth.mail_recipients WHERE organization_id = $1 ORDER BY key COLLATE "C"',
      [organization],
    )
  ).rows;

const verified = (key: string) => ({ key, kind: 'address', status: 'verified', verified_by: 'earlier_use' });

test('addresses of enabled workflows and of policies are verified, each once and as they are compared', async () => {
  expect(await recipientsOf(organizationId)).toEqual(
    ['level@example.com', 'noc@xn--mnchen-3ya.example', 'ops@example.com'].map(verified),
  );
  expect(await recipientsOf(other)).toEqual([verified('noc@example.org')]);
});

test('a text that is no address, and an organization that does not exist any more, are left out', async () => {
  const { rows } = await admin.query<{ n: number }>('SELECT count(*)::int AS n FROM auth.mail_recipients');
  expect(rows).toEqual([{ n: 4 }]);
});
