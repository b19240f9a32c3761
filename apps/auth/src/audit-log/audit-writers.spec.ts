/** Entries from NATS are stored when the service that writes entries of their type has signed them, else set aside. */
import {
  auditEntryOf,
  auditSubject,
  exportAuditLog,
  newUuid,
  type AuditChainLine,
  type AuditRecord,
  type Principal,
} from '@ams/contracts';
import { entrySignatureFault, entrySigner, writerKeys, type AuditWriter } from '@ams/domain';
import { placeOf } from '@ams/persistence';
import { auditWriterFiles, eventually, pageOf } from '@ams/testing';
import { jetstream } from '@nats-io/jetstream';
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Replicas } from '../../testing/replicas.js';
import { admitRefused } from './operator-refused.js';

const { privateKeys, publicKeysFile } = auditWriterFiles();
/** NATS has received everything of this test before it. */
const upgradeEnds = '2990-01-01T00:00:00Z';

let strict: Replicas;
let upgrading: Replicas;
beforeAll(async () => {
  [strict, upgrading] = await Promise.all([
    Replicas.start(2, { AUDIT_WRITERS_FILE: publicKeysFile }),
    Replicas.start(1, { AUDIT_WRITERS_FILE: publicKeysFile, AUDIT_UNSIGNED_UNTIL: upgradeEnds }),
  ]);
});
afterAll(() => Promise.all([strict?.stop(), upgrading?.stop()]));

const recordOf = (organizationId: string, type: string): AuditRecord => ({
  id: newUuid(),
  organizationId,
  environment: 'live',
  type,
  occurredAt: new Date().toISOString(),
  actor: { type: 'user', id: 'usr_1', name: 'Mira' },
  ip: '192.0.2.7',
  userAgent: null,
  requestId: 'r1',
  resource: { type: 'client', id: 'cli_1' },
  changes: [{ field: 'name', before: { z: 1, a: [1e21, 'ü'] }, after: null }],
});

const signedBy = (service: AuditWriter, record: AuditRecord, key = privateKeys[service]): AuditRecord => ({
  ...record,
  writer: entrySigner(service, key)(placeOf(record), auditEntryOf(record)),
});

const publish = (replicas: Replicas, records: unknown) =>
  jetstream(replicas.nats).publish(auditSubject, JSON.stringify(records));

const storedTypes = async (replicas: Replicas, { organizationId }: Principal): Promise<string[]> =>
  (
    await replicas.database.query<{ type: string }>(
      `SELECT type FROM auth.audit_log WHERE organization_id = $1 AND type NOT LIKE 'api_key.%' ORDER BY type`,
      [organizationId],
    )
  ).map(({ type }) => type);

const setAsideOf = (replicas: Replicas, { organizationId }: Principal) =>
  replicas.database.query<{ id: string; payload: string; error: string }>(
    'SELECT id, payload, error FROM auth.set_aside WHERE organization_id = $1 AND replayed_at IS NULL ORDER BY error',
    [organizationId],
  );

const metricsOf = async ({ services }: Replicas): Promise<string> =>
  (await Promise.all(services.map(async ({ port }) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()))).join(
    '\n',
  );

const linesOf = async (replicas: Replicas, principal: Principal): Promise<AuditChainLine[]> =>
  pageOf<AuditChainLine>(await replicas.call(exportAuditLog, principal, {})).data;

it('a service cannot write an entry of another one: it is set aside, and the others of the message are stored', async () => {
  const { principal } = await strict.newOrganizationKey();
  const { organizationId } = principal;
  const of = (type: string) => recordOf(organizationId, type);
  const good = [
    signedBy('resource-api', of('client.updated')),
    signedBy('alert-pipeline', of('alert.acknowledged')),
    signedBy('workflow-engine', of('notification.tested')),
  ];
  const changed = { ...signedBy('resource-api', of('client.created')), ip: '192.0.2.8' };
  const own = generateKeyPairSync('ed25519').privateKey;
  const bad = [
    signedBy('resource-api', of('alert.resolved')),
    {
      ...of('alert.resolved'),
      writer: { ...signedBy('resource-api', of('alert.resolved')).writer!, service: 'alert-pipeline' },
    },
    signedBy('resource-api', of('api_key.created')),
    of('client.deleted'),
    changed,
    signedBy('resource-api', of('client.updated'), own),
  ];
  await publish(strict, [...good, ...bad]);
  await publish(strict, [...good, ...bad]);
  await eventually(async () => expect(await setAsideOf(strict, principal)).toHaveLength(bad.length));
  await eventually(async () =>
    expect(await storedTypes(strict, principal)).toEqual([
      'alert.acknowledged',
      'client.updated',
      'notification.tested',
    ]),
  );
  const refused = await setAsideOf(strict, principal);
  expect(refused.map(({ payload }) => JSON.parse(payload) as AuditRecord)).toEqual(expect.arrayContaining(bad));
  expect(refused.map(({ error }) => error.replace(/key \S+,/, 'key …,')).sort()).toEqual([
    'resource-api does not write entries of the type alert.resolved',
    'resource-api does not write entries of the type api_key.created',
    'the entry is not signed',
    'the entry is signed by the key …, which is not a known key of alert-pipeline',
    'the entry is signed by the key …, which is not a known key of resource-api',
    'the signature of the entry by resource-api is wrong',
  ]);
  await eventually(async () => {
    const metrics = await metricsOf(strict);
    expect(metrics).toMatch(/ams_audit_entries_total\{.*outcome="setAside".*\} [1-9]/);
    expect(metrics).toMatch(/ams_audit_set_aside_entries\{.*\} 6\n/);
  });
  expect(strict.log.filter((line) => line.includes('an audit entry was set aside')).length).toBeGreaterThanOrEqual(6);
});

it('the export has the signatures, and they fit what is exported', async () => {
  const { principal } = await strict.newOrganizationKey();
  const records = Array.from({ length: 60 }, () => recordOf(principal.organizationId, 'integration.updated'));
  await publish(
    strict,
    records.map((record) => signedBy('resource-api', record)),
  );
  await eventually(async () => expect(await linesOf(strict, principal)).toHaveLength(60));
  const keys = writerKeys(readFileSync(publicKeysFile, 'utf8'));
  for (const { entry, writer } of await linesOf(strict, principal))
    expect(entrySignatureFault(writer!, entry!, writer!, keys)).toBeNull();
});

it('during an upgrade, entries without a signature are stored, and entries with a wrong one are not', async () => {
  const { principal } = await upgrading.newOrganizationKey();
  const { organizationId } = principal;
  await publish(upgrading, [
    recordOf(organizationId, 'client.deleted'),
    signedBy('resource-api', recordOf(organizationId, 'client.updated')),
    signedBy('alert-pipeline', recordOf(organizationId, 'client.created')),
  ]);
  await eventually(async () =>
    expect(await storedTypes(upgrading, principal)).toEqual(['client.deleted', 'client.updated']),
  );
  expect(await setAsideOf(upgrading, principal)).toHaveLength(1);
  await eventually(async () =>
    expect((await linesOf(upgrading, principal)).map(({ writer }) => writer?.service).sort()).toEqual([
      'resource-api',
      undefined,
    ]),
  );
});

it('an operator admits an entry that was set aside: it is stored without a signature, and the log says so', async () => {
  const { principal } = await strict.newOrganizationKey();
  await publish(strict, signedBy('workflow-engine', recordOf(principal.organizationId, 'client.deleted')));
  await eventually(async () => expect(await setAsideOf(strict, principal)).toHaveLength(1));
  const [row] = await setAsideOf(strict, principal);
  expect(await admitRefused(strict.adminDatabase, row!.id, row!.payload)).toBe(true);
  expect(await setAsideOf(strict, principal)).toEqual([]);
  expect(await storedTypes(strict, principal)).toEqual(['audit_entry.admitted', 'client.deleted']);
  await eventually(async () => expect(await linesOf(strict, principal)).toHaveLength(2));
  expect((await linesOf(strict, principal)).map(({ writer }) => writer)).toEqual([undefined, undefined]);
  expect(await admitRefused(strict.adminDatabase, newUuid(), 'no json')).toBe(false);
});
