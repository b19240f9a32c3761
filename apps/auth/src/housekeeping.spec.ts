import { newUuid } from '@ams/contracts';
import { eventually } from '@ams/testing';
import { Replicas } from '../testing/replicas.js';

let replicas: Replicas;
beforeAll(async () => {
  replicas = await Replicas.start(0);
});
afterAll(() => replicas.stop());

it('runs on start, on several replicas at once, and keeps the rows that are still needed', async () => {
  const organizationId = await replicas.newOrganization();
  const { database } = replicas;
  await database.query(
    `INSERT INTO auth.api_key_creations
     SELECT $1, now() - make_interval(hours => h) FROM unnest(ARRAY[1, 23, 49, 200]) h`,
    [organizationId],
  );
  for (const [key, hours] of [
    ['new', 1],
    ['old', 25],
  ] as const) {
    await database.query(
      `INSERT INTO auth.idempotency (organization_id, environment, principal_id, key, fingerprint, created_at)
       VALUES ($1, 'live', $2, $3, 'f', now() - make_interval(hours => $4))`,
      [organizationId, newUuid(), key, hours],
    );
  }
  await Promise.all([replicas.startOne(), replicas.startOne(), replicas.startOne()]);
  await eventually(async () => {
    expect(await database.query('SELECT FROM auth.api_key_creations')).toHaveLength(2);
    expect(await database.query('SELECT key FROM auth.idempotency')).toEqual([{ key: 'new' }]);
  });
  const next = new Date();
  next.setUTCMonth(next.getUTCMonth() + 1, 1);
  const partitions = await database.query<{ name: string }>(
    `SELECT relname AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
     WHERE inhparent = 'auth.audit_log'::regclass`,
  );
  expect(partitions).toContainEqual({ name: `audit_log_${next.toISOString().slice(0, 7).replace('-', '')}` });
  expect(replicas.log.filter((line) => line.includes('housekeeping failed'))).toEqual([]);
});
