/** Refused requests in the audit log: counted, and limited in number under a flood. */
import { listAuditLog, newUuid, publicId, type AuditEntry, type Principal } from '@ams/contracts';
import { eventually, pageOf } from '@ams/testing';
import { Replicas } from '../../testing/replicas.js';

let replicas: Replicas;
beforeAll(async () => {
  replicas = await Replicas.start(1, { AUDIT_REFUSALS_SECONDS: '1' });
});
afterAll(() => replicas?.stop());

const entriesOf = async (principal: Principal): Promise<AuditEntry[]> =>
  pageOf<AuditEntry>(
    await replicas.call(listAuditLog, principal, { query: { type: 'api_key.refused,request.refused', limit: '100' } }),
  ).data;

const countOf = (entries: AuditEntry[]): number =>
  entries.reduce((sum, { changes }) => sum + Number(changes.find(({ field }) => field === 'count')?.after), 0);

const changeOf = (entry: AuditEntry | undefined, field: string): unknown =>
  entry?.changes.find((change) => change.field === field)?.after;

it('of a revoked and of an expired key are in the log of their organization, with a count', async () => {
  const reader = await replicas.newOrganizationKey();
  const { organizationId } = reader.principal;
  const revoked = await replicas.newKey(organizationId, { name: 'old bot' });
  await replicas.sql.query('UPDATE auth.api_keys SET revoked_at = now() WHERE id = $1', [revoked.principal.id]);
  const expired = await replicas.newKey(organizationId, { expiresInMs: -1000 });
  const unknown = `${revoked.key.slice(0, -1)}_`;
  const tries = [...Array<string>(20).fill(revoked.key), ...Array<string>(3).fill(expired.key), unknown];
  for (const reply of await Promise.all(tries.map((key) => replicas.admit(key))))
    expect(reply.kind).toBe('unauthorized');

  await eventually(async () => expect(countOf(await entriesOf(reader.principal))).toBe(23));
  const entries = await entriesOf(reader.principal);
  expect(entries.length).toBeLessThan(12);
  const ofRevoked = entries.filter(({ actor }) => actor.id === publicId('apiKey', revoked.principal.id));
  expect(countOf(ofRevoked)).toBe(20);
  expect(ofRevoked[0]).toMatchObject({ type: 'api_key.refused', actor: { name: 'old bot' }, ip: '192.0.2.7' });
  expect(changeOf(ofRevoked[0], 'reason')).toBe('revoked');
  expect(entries.map((entry) => changeOf(entry, 'reason'))).toContain('expired');
});

it('for a missing scope name the operation', async () => {
  const { principal, key } = await replicas.newOrganizationKey({ scopes: ['audit:read'] });
  const replies = await Promise.all(
    Array.from({ length: 7 }, () => replicas.admit(key, { scope: 'workflows:write', operation: 'createWorkflow' })),
  );
  expect(new Set(replies.map(({ kind }) => kind))).toEqual(new Set(['insufficientScope']));
  await eventually(async () => expect(countOf(await entriesOf(principal))).toBe(7));
  const [entry] = await entriesOf(principal);
  expect(entry).toMatchObject({
    type: 'request.refused',
    actor: { type: 'api_key', id: publicId('apiKey', principal.id) },
    resource: { type: 'operation', id: 'createWorkflow' },
  });
});

it('from very many addresses and with very many unknown keys are few entries, and none is missing in the count', async () => {
  const reader = await replicas.newOrganizationKey();
  const { principal, key } = await replicas.newKey(reader.principal.organizationId);
  await replicas.sql.query('UPDATE auth.api_keys SET revoked_at = now() WHERE id = $1', [principal.id]);
  const replies = await Promise.all(
    Array.from({ length: 200 }, async (_, i) => {
      await replicas.admit(`svc_${newUuid()}`);
      return replicas.admit(key, { ip: `198.51.100.${i}` });
    }),
  );
  const refused = replies.filter(({ kind }) => kind === 'unauthorized').length;
  expect(refused).toBeGreaterThan(100);
  // The list has pages; these are all entries.
  const entries = (): Promise<{ count: number; at: Date }[]> =>
    replicas.database.query(
      `SELECT (changes->0->>'after')::int AS count, occurred_at AS at FROM auth.audit_log
       WHERE organization_id = $1 AND type = 'api_key.refused'`,
      [reader.principal.organizationId],
    );
  await eventually(async () => expect((await entries()).reduce((sum, { count }) => sum + count, 0)).toBe(refused));
  const rounds = new Set((await entries()).map(({ at }) => at.getTime())).size;
  expect((await entries()).length).toBeLessThanOrEqual(51 * rounds);
});
