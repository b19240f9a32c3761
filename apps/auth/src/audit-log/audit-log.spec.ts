import {
  auditSubject,
  listAuditLog,
  newUuid,
  publicId,
  type Page,
  type AuditEntry,
  type AuditRecord,
  type Principal,
} from '@ams/contracts';
import { eventually, pageOf } from '@ams/testing';
import { jetstream } from '@nats-io/jetstream';
import { Replicas } from '../../testing/replicas.js';
import { addAuditEntries } from './audit-entries.js';

let replicas: Replicas;
beforeAll(async () => {
  replicas = await Replicas.start(2);
});
afterAll(() => replicas.stop());

const list = async (principal: Principal, query: Record<string, string> = {}): Promise<Page<AuditEntry>> =>
  pageOf<AuditEntry>(await replicas.call(listAuditLog, principal, { query }));

const recordOf = (organizationId: string, more: Partial<AuditRecord> = {}): AuditRecord => {
  const occurredAt = more.occurredAt ?? new Date().toISOString();
  return {
    id: newUuid(Date.parse(occurredAt)),
    organizationId,
    environment: 'live',
    type: 'integration.updated',
    occurredAt,
    actor: { type: 'api_key', id: 'key_1', name: 'bot' },
    ip: null,
    userAgent: null,
    requestId: 'r1',
    resource: { type: 'integration', id: 'int_1' },
    changes: [{ field: 'name', before: 'a', after: 'b' }],
    ...more,
  };
};

const entriesOf = (organizationId: string) =>
  replicas.database.query<{ id: string }>('SELECT id FROM auth.audit_log WHERE organization_id = $1', [organizationId]);

describe('entries from other services', () => {
  const publish = (record: unknown) => jetstream(replicas.nats).publish(auditSubject, JSON.stringify(record));

  it('are stored once, also when they arrive twice, over all replicas', async () => {
    const { principal } = await replicas.newOrganizationKey();
    const records = Array.from({ length: 300 }, () => recordOf(principal.organizationId));
    await Promise.all([...records, ...records].map(publish));
    await eventually(async () => expect(await entriesOf(principal.organizationId)).toHaveLength(300));
    const { data, meta } = await list(principal, { limit: '1' });
    expect(meta.total).toBe(300);
    const shown = records.find(({ id }) => publicId('auditEntry', id) === data[0]?.id) as AuditRecord;
    const { organizationId: _organization, environment: _environment, ...rest } = shown;
    expect(data[0]).toEqual({ ...rest, id: publicId('auditEntry', shown.id) });
  });

  it('show the member for whom a key acted, and the key', async () => {
    const { principal } = await replicas.newOrganizationKey();
    const via = { type: 'api_key', id: 'key_1', name: 'chat' } as const;
    const actor = { type: 'user', id: 'usr_1', name: 'Mira', via } as const;
    await publish(recordOf(principal.organizationId, { actor }));
    await eventually(async () => expect((await list(principal)).data.map((entry) => entry.actor)).toEqual([actor]));
  });

  it('are stored although another one cannot be stored', async () => {
    const organizationId = await replicas.newOrganization();
    const bad = [
      { nonsense: true },
      'text',
      recordOf(organizationId, { occurredAt: 'yesterday' }),
      recordOf('no-uuid'),
      recordOf(organizationId, { occurredAt: '+275760-09-13T00:00:00.000Z' }),
    ];
    await Promise.all(
      [
        recordOf(organizationId),
        ...bad,
        recordOf(organizationId, {
          type: 'nul \0',
          changes: [{ field: 'a\0', before: '\ud800', after: { 'k\0': 1 } }],
        }),
      ].map(publish),
    );
    await jetstream(replicas.nats).publish(auditSubject, 'no json');
    await eventually(async () => expect(await entriesOf(organizationId)).toHaveLength(2));
    const waiting = () =>
      replicas.database.query<{ payload: string }>('SELECT payload FROM auth.set_aside WHERE replayed_at IS NULL');
    await eventually(async () => expect(await waiting()).toHaveLength(6));
    expect((await waiting()).map(({ payload }) => payload)).toEqual(
      expect.arrayContaining(['no json', ...bad.map((record) => JSON.stringify(record))]),
    );
    expect(replicas.log.filter((line) => line.includes('was set aside'))).toHaveLength(6);
  });

  it('contain no credential, for entries of any service', async () => {
    const { principal, key } = await replicas.newOrganizationKey();
    const leaks = [
      key,
      `Bearer ${key}`,
      `https://alerts.example/api/inbound/webhook/0123456789abcdefghijABCDEFGHIJKL`,
      'postgres://user:secret@host/db',
    ];
    await publish(
      recordOf(principal.organizationId, {
        userAgent: leaks[0] as string,
        requestId: leaks[1] as string,
        changes: leaks.map((leak) => ({ field: 'x', before: leak, after: { deep: [`"${leak}"`] } })),
      }),
    );
    await replicas.admit(key, { userAgent: leaks.join(' '), requestId: leaks[2] as string });
    await eventually(async () => expect(await entriesOf(principal.organizationId)).toHaveLength(2));
    const text = JSON.stringify(
      await replicas.database.query('SELECT t::text FROM auth.audit_log t WHERE organization_id = $1', [
        principal.organizationId,
      ]),
    );
    for (const secret of [key, key.slice(9), '0123456789abcdefghijABCDEFGHIJKL', ':secret@'])
      expect(text).not.toContain(secret);
  });
});

describe('the list', () => {
  const hour = 3_600_000;
  const noon = Date.parse('2026-11-10T12:00:00.000Z');
  let principal: Principal;
  beforeAll(async () => {
    ({ principal } = await replicas.newOrganizationKey());
    const other = await replicas.newKey(principal.organizationId, { environment: 'test' });
    const records = Array.from({ length: 60 }, (_, i) =>
      recordOf(principal.organizationId, {
        occurredAt: new Date(noon + i * hour).toISOString(),
        type: i % 3 === 0 ? 'api_key.used' : i % 3 === 1 ? 'alert.acknowledged' : 'integration.updated',
        actor: { type: 'user', id: `usr_${i % 2}`, name: 'someone' },
        resource: i % 5 === 0 ? null : { type: 'alert', id: `alr_${i % 5}` },
        requestId: String(i),
      }),
    );
    await addAuditEntries(replicas.database, [
      ...records,
      recordOf(other.principal.organizationId, { environment: 'test' }),
    ]);
  });

  const numbers = ({ data }: Page<AuditEntry>): number[] => data.map(({ requestId }) => Number(requestId));
  const those = (test: (i: number) => boolean): number[] =>
    Array.from({ length: 60 }, (_, i) => i)
      .filter(test)
      .reverse();

  it.each<[string, Record<string, string>, (i: number) => boolean]>([
    ['all', {}, () => true],
    ['a type', { type: 'alert.acknowledged' }, (i) => i % 3 === 1],
    ['types', { type: 'api_key.used,integration.updated' }, (i) => i % 3 !== 1],
    ['an actor', { actorId: 'usr_1' }, (i) => i % 2 === 1],
    ['a resource', { resourceId: 'alr_2,alr_3' }, (i) => i % 5 === 2 || i % 5 === 3],
    [
      'all of them',
      { type: 'alert.acknowledged', actorId: 'usr_0', resourceId: 'alr_4' },
      (i) => i % 3 === 1 && i % 2 === 0 && i % 5 === 4,
    ],
    ['from a time on', { since: new Date(noon + 10 * hour).toISOString() }, (i) => i >= 10],
    ['until a time', { until: '2026-11-10T23:00:00+01:00' }, (i) => i < 10],
    [
      'between',
      { since: new Date(noon + 30 * hour).toISOString(), until: new Date(noon + 31 * hour).toISOString() },
      (i) => i === 30,
    ],
    ['from the beginning of time', { since: '0001-01-01T00:00:00Z', until: '9999-12-31T23:59:59Z' }, () => true],
    ['before all time', { until: '1950-01-01T00:00:00Z' }, () => false],
    ['nothing', { actorId: 'usr_9' }, () => false],
  ])('gives %s', async (_what, query, test) => {
    const whole = await list(principal, { ...query, limit: '100' });
    expect(numbers(whole)).toEqual(those(test));
    expect(whole.meta.total).toBe(those(test).length);
    const walked: number[] = [];
    let cursor: string | null = null;
    do {
      const page: Page<AuditEntry> = await list(principal, {
        ...query,
        limit: '7',
        ...(cursor === null ? {} : { cursor }),
      });
      expect(page.meta.total === undefined).toBe(cursor !== null);
      walked.push(...numbers(page));
      cursor = page.meta.nextCursor;
    } while (cursor !== null);
    expect(walked).toEqual(those(test));
  });

  it('refuses a cursor of other filters', async () => {
    const { meta } = await list(principal, { limit: '5' });
    expect(
      await replicas.call(listAuditLog, principal, {
        query: { cursor: meta.nextCursor as string, type: 'api_key.used' },
      }),
    ).toMatchObject({ ok: false, code: 'INVALID_CURSOR' });
  });

  it('shows only the entries of one environment', async () => {
    expect((await list({ ...principal, environment: 'test' })).meta.total).toBe(1);
  });
});
