/** Records of requests as the ingest gateways write them into the stream. They are checked before they are stored. */
import { isUuid, requestOutcomes, type LimitedRecord, type RequestRecord } from '@ams/contracts';
import { opsgenieOperations, receivingApis, type Received } from '@ams/domain';

export type LoggedRequest = Omit<RequestRecord, 'items' | keyof Received> & Received & { items: unknown };

const batchHead = Buffer.from('{"requests":[');
const batchRest = Buffer.from('],"limited":');

/** The array of requests in the JSON of a batch, as it was sent. Null when the batch has another form. */
export function requestsIn(batch: Uint8Array): Buffer | null {
  const bytes = Buffer.from(batch.buffer, batch.byteOffset, batch.byteLength);
  const end = bytes.lastIndexOf(batchRest);
  const isKnown = end > 0 && bytes.subarray(0, batchHead.length).equals(batchHead);
  return isKnown ? bytes.subarray(batchHead.length - 1, end + 1) : null;
}

const timeForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const isTime = (value: unknown): boolean =>
  typeof value === 'string' && timeForm.test(value) && !Number.isNaN(Date.parse(value));
const isTextOrNull = (value: unknown): boolean => value === null || typeof value === 'string';
const base64Form = /^[A-Za-z0-9+/]*={0,2}$/;
const isBase64 = (value: unknown): boolean =>
  typeof value === 'string' && value.length % 4 === 0 && base64Form.test(value);
const isWhole = (value: unknown, most: number): boolean =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= most;
const isTenant = (record: { organizationId: unknown; environment: unknown }): boolean =>
  isUuid(record.organizationId) && (record.environment === 'live' || record.environment === 'test');

export const isRequest = (record: RequestRecord): boolean =>
  isUuid(record.id) &&
  isTenant(record) &&
  isUuid(record.integrationId) &&
  isTime(record.receivedAt) &&
  requestOutcomes.includes(record.outcome) &&
  isWhole(record.status, 999) &&
  isTextOrNull(record.contentType) &&
  isTextOrNull(record.payload) &&
  (record.packedPayload === undefined || (record.payload === null && isBase64(record.packedPayload))) &&
  Array.isArray(record.items) &&
  isTextOrNull(record.note) &&
  typeof record.requestId === 'string' &&
  isWhole(record.stored, 1_000_000) &&
  isReceived(receivedOf(record), record.payload !== null || record.packedPayload !== undefined);

export const receivedOf = ({ api = 'webhook', operation = null, alertKey = null }: RequestRecord): Received => ({
  api,
  operation,
  alertKey,
});

/** The record must have what is needed to map the payload again. */
const isReceived = ({ api, operation, alertKey }: Received, hasPayload: boolean): boolean =>
  receivingApis.includes(api) &&
  isTextOrNull(alertKey) &&
  (operation === null
    ? api !== 'opsgenie' || !hasPayload
    : api === 'opsgenie' && opsgenieOperations.includes(operation) && (operation === 'create' || alertKey !== null));

export const isLimited = (record: LimitedRecord): boolean =>
  isUuid(record.integrationId) &&
  isTenant(record) &&
  isTime(record.lastAt) &&
  isWhole(record.count, Number.MAX_SAFE_INTEGER);
