import { publicId, type Alert } from '@ams/contracts';
import { alertStatuses, severities } from '@ams/domain';
import fc from 'fast-check';
import { severityRank } from '../severity-rank.js';
import {
  alertFromRow,
  alertOfRecord,
  alertRecordOf,
  alertTable,
  type AlertRecord,
  type AlertRow,
} from './alert-record.js';

const time = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2035-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());
const uuid = fc.uuid({ version: 7 });
const texts = fc.dictionary(fc.string(), fc.string());
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });

const record: fc.Arbitrary<AlertRecord> = fc.record({
  id: uuid,
  organizationId: uuid,
  environment: fc.constantFrom('live' as const, 'test' as const),
  integrationId: uuid,
  integrationName: fc.string(),
  dedupScope: fc.string(),
  partition: fc.nat(64),
  fingerprint: fc.string(),
  fingerprintSource: fc.constantFrom('explicit' as const, 'generated' as const),
  clientId: optional(uuid),
  incidentId: optional(uuid),
  assigneeId: optional(uuid),
  previousAlertId: optional(uuid),
  createdAt: time,
  updatedAt: time,
  state: fc.record({
    title: fc.string(),
    description: optional(fc.string()),
    severity: fc.constantFrom(...severities),
    status: fc.constantFrom(...alertStatuses),
    source: optional(fc.string()),
    labels: texts,
    annotations: texts,
    firstOccurredAt: time,
    lastOccurredAt: time,
    occurrenceCount: fc.nat(),
    acknowledgedAt: optional(time),
    acknowledgedBy: fc.constant(null),
    resolvedAt: optional(time),
    resolvedBy: fc.constant(null),
    resolveReason: fc.constant(null),
    suppression: fc.constant(null),
    autoResolveAfterSeconds: optional(fc.nat()),
    autoResolveAt: optional(time),
    version: fc.nat(),
  }),
});

/** A row as the driver reads it: times are dates. */
function stored(written: AlertRecord): AlertRow {
  const row = Object.entries(alertTable.rowOf(written)).map(([name, value]) => [
    name,
    name.endsWith('_at') && value !== null ? new Date(value as string) : value,
  ]);
  return Object.fromEntries(row) as AlertRow;
}

it('a record that is written and read is the same record', () => {
  fc.assert(fc.property(record, (written) => expect(alertRecordOf(stored(written))).toEqual(written)));
});

it('the API shows a record and its row alike', () => {
  fc.assert(fc.property(record, (written) => expect(alertFromRow(stored(written))).toEqual(alertOfRecord(written))));
});

it('the API shows public ids, and neither the tenant nor what only the pipeline needs', () => {
  fc.assert(
    fc.property(record, (written) => {
      const alert: Alert = alertOfRecord(written);
      expect(alert.id).toBe(publicId('alert', written.id));
      expect(alert.clientId).toBe(publicId('client', written.clientId));
      for (const hidden of [
        'organizationId',
        'environment',
        'integrationName',
        'dedupScope',
        'partition',
        'autoResolveAt',
      ])
        expect(alert).not.toHaveProperty(hidden);
    }),
  );
});

it('a severity is stored as its rank, critical as the highest', () => {
  expect(severities.map(severityRank)).toEqual([...severities.keys()].reverse());
  const row = fc
    .sample(record, 1)
    .map((one) => alertTable.rowOf({ ...one, state: { ...one.state, severity: 'critical' } }));
  expect(row[0]?.severity).toBe(severities.length - 1);
});

it('the columns of the select list, the recordset and the row are the same', () => {
  const names = alertTable.columns.split(', ');
  expect(alertTable.recordset.split(', ').map((column) => column.split(' ')[0])).toEqual(names);
  const [one] = fc.sample(record, 1);
  expect(Object.keys(alertTable.rowOf(one as AlertRecord))).toEqual(names);
  for (const changing of alertTable.changing) expect(names).toContain(changing);
});
