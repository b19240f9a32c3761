/** Audit entries are signed when they are published, as `auth` will store them. */
import { auditEntryOf, newUuid, type AuditRecord } from '@ams/contracts';
import { entrySignatureFault, writerKeys, type EntrySignature } from '@ams/domain';
import { auditWriterFiles } from '@ams/testing';
import { readFileSync } from 'node:fs';
import { AuditSigner, placeOf, storableRecord } from './audit-signing.js';

const { privateKeys, publicKeysFile } = auditWriterFiles();
const keys = writerKeys(readFileSync(publicKeysFile, 'utf8'));

const recordOf = (more: Partial<AuditRecord> = {}): AuditRecord => ({
  id: newUuid(),
  organizationId: newUuid(),
  environment: 'live',
  type: 'client.updated',
  occurredAt: new Date().toISOString(),
  actor: { type: 'api_key', id: 'key_1', name: 'bot' },
  ip: null,
  userAgent: null,
  requestId: null,
  resource: { type: 'client', id: 'cli_1' },
  changes: [],
  ...more,
});

let lastId = 0;
const rowOf = (payload: unknown) => ({
  id: String(++lastId),
  subject: 'evt.audit',
  messageId: newUuid(),
  text: JSON.stringify(payload),
});

const faultOf = (record: AuditRecord): string | null =>
  entrySignatureFault(placeOf(record), auditEntryOf(record), record.writer as EntrySignature, keys);

it('each entry has a signature of this service, over what is stored', async () => {
  const signer = new AuditSigner('resource-api', privateKeys['resource-api']);
  const records = [
    ...Array.from({ length: 120 }, () => recordOf()),
    recordOf({
      userAgent: 'nul \0, half \ud800',
      requestId: 'postgres://user:secret@host/db',
      occurredAt: '2026-11-23T12:00:00+01:00',
      changes: [{ field: 'name', before: { z: 1, a: [1e21, 'ü'] }, after: null }],
    }),
  ];
  const { rows, refused } = await signer.signed(records.map(rowOf));
  const signed = rows.map(({ text }) => JSON.parse(text) as AuditRecord);
  expect(refused).toEqual([]);
  expect(signed.map(({ id }) => id)).toEqual(records.map(({ id }) => id));
  expect(new Set(signed.map(faultOf))).toEqual(new Set([null]));
  // `auth` makes the same of it, so the signature stays right.
  expect(signed.map(storableRecord)).toEqual(signed);
  expect(signed.at(-1)).toMatchObject({ occurredAt: '2026-11-23T11:00:00.000Z', userAgent: 'nul \ufffd, half \ufffd' });
  expect(JSON.stringify(signed)).not.toContain('secret');
});

it('an entry that another service writes is refused before it is published', async () => {
  const signer = new AuditSigner('workflow-engine', privateKeys['workflow-engine']);
  const rows = [rowOf(recordOf({ type: 'notification.tested' })), rowOf(recordOf()), rowOf({ type: 'api_key.used' })];
  const { rows: kept, refused } = await signer.signed(rows);
  expect(kept.map(({ id }) => id)).toEqual([rows[0]?.id]);
  expect(refused.map(({ error }) => error)).toEqual([
    'Error: workflow-engine does not write audit entries of the type client.updated',
    'Error: workflow-engine does not write audit entries of the type api_key.used',
  ]);
});

it('without a key an entry is published as it is', async () => {
  const row = rowOf(recordOf());
  expect(await new AuditSigner('resource-api', null).signed([row])).toEqual({ rows: [row], refused: [] });
});
