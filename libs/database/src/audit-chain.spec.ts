/** Entries that services of the previous release have stored are in the chain of the audit log, from its beginning. */
import { newUuid } from '@ams/contracts';
import { createTestDatabase, type MigratedDatabase } from '@ams/testing';
import { type QueryRunner } from 'typeorm';
import { AuditEntriesBeforeTheChain1700000039600 } from './migrations/1700000039600-audit-entries-before-the-chain.js';

let migrated: MigratedDatabase;
beforeAll(async () => {
  migrated = await createTestDatabase();
});
afterAll(() => migrated?.drop());

const insert = (ids: string[], organizationId: string, environment = 'live') =>
  migrated.admin.query(
    `INSERT INTO auth.audit_log (id, organization_id, environment, type, occurred_at, actor_type, actor_name)
     SELECT id, $2, $3, 'client.created', now(), 'service', 'setup' FROM unnest($1::uuid[]) AS id`,
    [ids, organizationId, environment],
  );

it('notes each entry that is not noted yet once, in the order of the ids', async () => {
  const [one, other] = [newUuid(), newUuid()];
  const old = Array.from({ length: 1203 }, () => newUuid());
  await migrated.admin.query('ALTER TABLE auth.audit_log DISABLE TRIGGER note_audit_entries');
  await insert(old.toReversed(), one);
  const [ofTest, ofOther] = [newUuid(), newUuid()];
  await insert([ofTest], one, 'test');
  await insert([ofOther], other);
  await migrated.admin.query('ALTER TABLE auth.audit_log ENABLE TRIGGER note_audit_entries');
  const later = [newUuid(), newUuid()];
  await insert(later, one);

  const runner = { query: (sql: string) => migrated.admin.query(sql) } as unknown as QueryRunner;
  const migration = new AuditEntriesBeforeTheChain1700000039600();
  await migration.up(runner);
  await migration.up(runner);

  const noted = async (organizationId: string, environment: string): Promise<unknown[]> => {
    const { rows } = await migrated.admin.query(
      `SELECT entry_ids AS ids FROM auth.audit_waiting WHERE organization_id = $1 AND environment = $2 ORDER BY id`,
      [organizationId, environment],
    );
    return (rows as { ids: string[] }[]).map(({ ids }) => ids);
  };
  expect(await noted(one, 'live')).toEqual([later, old.slice(0, 500), old.slice(500, 1000), old.slice(1000)]);
  expect([await noted(one, 'test'), await noted(other, 'live')]).toEqual([[[ofTest]], [[ofOther]]]);
});
