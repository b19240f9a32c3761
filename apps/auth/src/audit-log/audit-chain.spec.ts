/** The chain of hashes of the audit log, from the insertion of an entry to the verified export. */
import {
  auditSubject,
  exportAuditLog,
  newUuid,
  type AuditChainLine,
  type AuditRecord,
  type Page,
  type Principal,
} from '@ams/contracts';
import { ExportVerifier, verificationKeys, type VerificationOutcome } from '@ams/domain';
import { type Tx } from '@ams/database';
import { readSigningKeys, type SigningKeys } from '@ams/service';
import { eventually, pageOf } from '@ams/testing';
import { jetstream } from '@nats-io/jetstream';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Replicas } from '../../testing/replicas.js';
import { addAuditEntries } from './audit-entries.js';
import { linkWaiting, signChains, type Signing, type Turn } from './audit-chains.js';
import { deleteOldEntries } from './audit-retention.js';

const folder = mkdtempSync(join(tmpdir(), 'audit-keys-'));
const keyFile = join(folder, 'keys.pem');
const pemOf = () => generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
writeFileSync(keyFile, pemOf() + pemOf());

let keys: SigningKeys;
let writing: Replicas;
let idle: Replicas;
beforeAll(async () => {
  keys = readSigningKeys(keyFile);
  writing = await Replicas.start(2, { AUDIT_SIGNING_KEYS_FILE: keyFile, AUDIT_CHECKPOINT_SECONDS: '1' });
  idle = await Replicas.start(0);
});
afterAll(async () => {
  await Promise.all([writing?.stop(), idle?.stop()]);
  rmSync(folder, { recursive: true });
});

const recordOf = (organizationId: string, more: Partial<AuditRecord> = {}, at = Date.now()): AuditRecord => ({
  id: newUuid(at),
  organizationId,
  environment: 'live',
  type: 'integration.updated',
  occurredAt: new Date(at).toISOString(),
  actor: { type: 'api_key', id: 'key_1', name: 'bot' },
  ip: null,
  userAgent: null,
  requestId: 'r1',
  resource: { type: 'integration', id: 'int_1' },
  changes: [{ field: 'name', before: { z: 1, a: [1e21, 'ü'] }, after: null }],
  ...more,
});

const recordsOf = (organizationId: string, count: number, at?: number): AuditRecord[] =>
  Array.from({ length: count }, () => recordOf(organizationId, {}, at));

async function exported(replicas: Replicas, principal: Principal): Promise<AuditChainLine[]> {
  const lines: AuditChainLine[] = [];
  for (let after: string | null | undefined; after !== null;) {
    const page: Page<AuditChainLine> = pageOf<AuditChainLine>(
      await replicas.call(exportAuditLog, principal, after === undefined ? {} : { after }),
    );
    lines.push(...page.data);
    after = page.meta.nextCursor;
  }
  return lines;
}

function verified(lines: readonly AuditChainLine[]): VerificationOutcome {
  const verifier = new ExportVerifier(verificationKeys(JSON.stringify(keys.published)));
  for (const line of lines) {
    const outcome = verifier.add(JSON.stringify(line));
    if (outcome) return outcome;
  }
  return verifier.finish();
}

/** The export when every entry is in it and signed. */
async function wholeExport(principal: Principal, count: number): Promise<AuditChainLine[]> {
  let lines: AuditChainLine[] = [];
  await eventually(async () => {
    lines = await exported(writing, principal);
    expect(verified(lines)).toMatchObject({
      kind: 'whole',
      result: { firstSequence: 1, lastSequence: count, signedSequence: count, deleted: 0 },
    });
  });
  return lines;
}

describe('two replicas', () => {
  it('link each entry once, from all places that store one, also when messages arrive twice', async () => {
    const { principal, key } = await writing.newOrganizationKey();
    const { organizationId } = principal;
    const records = recordsOf(organizationId, 150);
    const messages = [...records, ...records].map((record) => JSON.stringify(record));
    await Promise.all([
      ...messages.map((message) => jetstream(writing.nats).publish(auditSubject, message)),
      ...Array.from({ length: 40 }, () => writing.admit(key)),
      writing.database.writeAs(principal, (tx) => addAuditEntries(tx, recordsOf(organizationId, 10))),
    ]);
    const lines = await wholeExport(principal, 200);
    expect(new Set(lines.map(({ entryId }) => entryId)).size).toBe(200);
    expect(await writing.database.query('SELECT FROM auth.audit_waiting')).toEqual([]);
  });

  it('have a chain for each organization and environment', async () => {
    const { principal } = await writing.newOrganizationKey();
    const { organizationId } = principal;
    const others = await writing.newOrganization();
    await addAuditEntries(writing.database, [
      ...recordsOf(organizationId, 3),
      ...recordsOf(others, 5),
      recordOf(organizationId, { environment: 'test' }),
    ]);
    const lines = await wholeExport(principal, 3);
    expect(lines.at(-1)?.checkpoint).toMatchObject({ environment: 'live', sequence: 3 });
    await wholeExport({ ...principal, environment: 'test' }, 1);
  });

  it.each<[string, string, number, RegExp]>([
    ['changes', `UPDATE auth.audit_log SET actor_name = 'nobody' WHERE id = $1`, 3, /not the one that was stored/],
    ['deletes', 'DELETE FROM auth.audit_log WHERE id = $1', 3, /entry is missing/],
    ['deletes the link of', 'DELETE FROM auth.audit_links WHERE entry_id = $1', 3, /sequence 4 follows sequence 2/],
  ])(
    'show in the export that somebody with all rights in the database %s an entry',
    async (_what, sql, line, reason) => {
      const { principal } = await writing.newOrganizationKey();
      await addAuditEntries(writing.database, recordsOf(principal.organizationId, 6));
      const whole = await wholeExport(principal, 6);
      const [third] = await writing.database.query<{ entry_id: string }>(
        'SELECT entry_id FROM auth.audit_links WHERE organization_id = $1 AND sequence = 3',
        [principal.organizationId],
      );
      await writing.sql.query(sql, [third?.entry_id]);
      const lines = await exported(writing, principal);
      expect(whole).not.toEqual(lines);
      expect(verified(lines)).toEqual({ kind: 'wrong', line, reason: expect.stringMatching(reason) as string });
    },
  );
});

describe('a transaction', () => {
  const link = async (): Promise<number> => {
    let [turn, all]: [Turn, number] = [null, 0];
    do {
      const { entries, next } = await idle.database.asService((tx) => linkWaiting(tx, turn));
      [turn, all] = [next, all + entries];
    } while (turn !== null);
    return all;
  };
  const signing = (days: number | null = null): Signing => ({ key: keys.signs, everySeconds: 1, days });
  const sign = async (days: number | null = null): Promise<void> => {
    while ((await idle.database.asService((tx) => signChains(tx, signing(days)))) > 0);
  };
  const linesOf = (organizationId: string, on: Pick<Tx, 'query'> = idle.database): Promise<unknown[]> =>
    on.query(
      `SELECT sequence, encode(hash, 'hex') AS hash FROM auth.audit_links WHERE organization_id = $1 ORDER BY sequence`,
      [organizationId],
    );

  it('that ends before its commit links nothing, and the next one links the same', async () => {
    const organizationId = await idle.newOrganization();
    await addAuditEntries(idle.database, recordsOf(organizationId, 5));
    let before: unknown[] = [];
    const crash = idle.database.asService(async (tx) => {
      await linkWaiting(tx, null);
      before = await linesOf(organizationId, tx);
      throw new Error('crash');
    });
    await expect(crash).rejects.toThrow('crash');
    expect(before).toHaveLength(5);
    expect(await linesOf(organizationId)).toEqual([]);
    expect(await link()).toBe(5);
    expect(await linesOf(organizationId)).toEqual(before);
    expect(await link()).toBe(0);
  });

  it('does not wait for a chain that another one writes', async () => {
    const [held, free] = [await idle.newOrganization(), await idle.newOrganization()];
    await addAuditEntries(idle.database, recordsOf(held, 1));
    await link();
    await addAuditEntries(idle.database, [...recordsOf(held, 2), ...recordsOf(free, 2)]);
    await idle.database.asService(async (tx) => {
      await tx.query('SELECT FROM auth.audit_chains WHERE organization_id = $1 FOR UPDATE', [held]);
      expect(await link()).toBe(2);
    });
    expect([await linesOf(held), await linesOf(free)].map(({ length }) => length)).toEqual([1, 2]);
    // Storing an entry does not wait either: it takes no lock of a chain.
    expect(await link()).toBe(2);
  });

  it('links thousands of entries of one organization, and those of others between them', async () => {
    const [many, few] = [await idle.newOrganization(), await idle.newOrganization()];
    for (let i = 0; i < 6; i++) await addAuditEntries(idle.database, recordsOf(many, 500));
    await addAuditEntries(idle.database, recordsOf(few, 1));
    let turn: Turn = null;
    for (let round = 0; round < 3; round++)
      ({ next: turn } = await idle.database.asService((tx) => linkWaiting(tx, turn)));
    expect(await linesOf(few)).toHaveLength(1);
    while ((await link()) > 0);
    expect(await linesOf(many)).toHaveLength(3000);
  });

  it('says that nothing waits any more, so that the entries of the next seconds gather', async () => {
    const organizationId = await idle.newOrganization();
    await link();
    const linkOnce = () => idle.database.asService((tx) => linkWaiting(tx, null));
    await addAuditEntries(idle.database, recordsOf(organizationId, 3));
    expect(await linkOnce()).toEqual({ entries: 3, next: null });
    for (let i = 0; i < 3; i++) await addAuditEntries(idle.database, recordsOf(organizationId, 500));
    expect(await linkOnce()).toMatchObject({ entries: 1000, next: { organization_id: organizationId } });
    expect(await linkOnce()).toEqual({ entries: 500, next: null });
  });

  it('links entries of hundreds of organizations, of which some had entries before', async () => {
    const organizations = Array.from({ length: 300 }, () => newUuid());
    await addAuditEntries(
      idle.database,
      organizations.slice(0, 100).flatMap((id) => recordsOf(id, 2)),
    );
    expect(await link()).toBe(200);
    await addAuditEntries(
      idle.database,
      organizations.flatMap((id) => recordsOf(id, 1)),
    );
    expect(await link()).toBe(300);
    for (const [index, id] of organizations.entries()) expect(await linesOf(id)).toHaveLength(index < 100 ? 3 : 1);
  });

  it('deletes months that are older than entries are kept, and the chain begins with a checkpoint', async () => {
    const { principal } = await idle.newOrganizationKey();
    const { organizationId } = principal;
    const monthsAgo = (months: number): number => {
      const at = new Date();
      at.setUTCMonth(at.getUTCMonth() - months, 15);
      return at.getTime();
    };
    await idle.sql.query(`SELECT public.ensure_partitions('auth.audit_log', now() - interval '5 months', 6)`);
    await addAuditEntries(idle.database, recordsOf(organizationId, 4, monthsAgo(4)));
    await link();
    await sign();
    // The checkpoint of another day is kept beside later ones.
    await idle.sql.query(`UPDATE auth.audit_checkpoints SET day = day - 1 WHERE organization_id = $1`, [
      organizationId,
    ]);
    await idle.sql.query(`UPDATE auth.audit_chains SET signed_at = signed_at - interval '1 day'`);
    await addAuditEntries(idle.database, [
      ...recordsOf(organizationId, 2),
      ...recordsOf(organizationId, 1, monthsAgo(4)),
      ...recordsOf(organizationId, 3),
    ]);
    await link();
    const retention = { days: 62, isSigned: true, isStopping: () => false };
    expect(await deleteOldEntries(idle.database, retention)).toBeNull();
    await sign(62);
    expect(await deleteOldEntries(idle.database, retention)).toBeGreaterThan(0);

    const service = await idle.startOne({ auditSigningKeysFile: keyFile, auditDays: 62 });
    const lines = await exported(idle, principal);
    await service.stop();
    expect(lines.map(({ sequence, entry }) => [sequence, entry !== null])).toEqual([
      [4, false],
      [5, false],
      ...[6, 7, 8, 9, 10].map((sequence) => [sequence, true]),
    ]);
    expect(verified(lines)).toMatchObject({
      kind: 'whole',
      result: { firstSequence: 4, lastSequence: 10, deleted: 2 },
    });
  });

  it('cannot delete entries of the last 30 days', async () => {
    await expect(idle.database.query(`SELECT auth.drop_audit_entries(now() - interval '29 days')`)).rejects.toThrow(
      'entries of the last 30 days are kept',
    );
  });
});

describe('the file with the keys', () => {
  const fileWith = (text: string): string => {
    const file = join(folder, `${newUuid()}.pem`);
    writeFileSync(file, text);
    return file;
  };
  const publicPem = () => generateKeyPairSync('ed25519').publicKey.export({ format: 'pem', type: 'spki' }).toString();

  it('has the key that signs first, and all keys are published', () => {
    const pem = pemOf();
    const { signs, published } = readSigningKeys(fileWith(publicPem() + pem + pemOf()));
    expect(signs.export({ format: 'pem', type: 'pkcs8' })).toBe(pem);
    expect(published.keys).toHaveLength(3);
    expect(JSON.stringify(published)).not.toContain('"d"');
  });

  it.each([
    ['', /has no private key/],
    [publicPem(), /has no private key/],
    [
      generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'pem', type: 'pkcs8' }),
      /not an Ed25519 key/,
    ],
    ['-----BEGIN PRIVATE KEY-----\nsecret\n-----END PRIVATE KEY-----\n', /cannot be read\.$/],
  ])('must be right: %#', (text, message) => {
    expect(() => readSigningKeys(fileWith(String(text)))).toThrow(message);
  });
});
