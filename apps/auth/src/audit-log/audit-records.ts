/** Messages with audit entries, as other services send them. */
import { isUuid, type AuditRecord } from '@ams/contracts';
import { environments } from '@ams/scopes';

/** The records of a message, which holds one record or a list; `null` when it holds neither. */
export function recordsIn(text: string): AuditRecord[] | null {
  try {
    const content: unknown = JSON.parse(text);
    const list = Array.isArray(content) ? content : [content];
    return list.every(isRecord) ? list : null;
  } catch {
    return null;
  }
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isTextOrNothing = (value: unknown): boolean => value === null || value === undefined || isText(value);

function isRecord(value: unknown): value is AuditRecord {
  const record = value as Partial<AuditRecord> | null;
  return (
    typeof record === 'object' &&
    record !== null &&
    isUuid(record.id) &&
    isUuid(record.organizationId) &&
    environments.includes(record.environment as never) &&
    isText(record.type) &&
    isText(record.occurredAt) &&
    !Number.isNaN(Date.parse(record.occurredAt)) &&
    isText(record.actor?.type) &&
    isText(record.actor.name) &&
    isTextOrNothing(record.actor.id) &&
    isResource(record.resource) &&
    isSignature(record.writer) &&
    [record.ip, record.userAgent, record.requestId].every(isTextOrNothing) &&
    Array.isArray(record.changes ?? [])
  );
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const isResource = (value: unknown): boolean =>
  value === null || (isObject(value) && isText(value['type']) && isTextOrNothing(value['id']));

const isSignature = (value: unknown): boolean =>
  value === undefined || (isObject(value) && [value['service'], value['keyId'], value['signature']].every(isText));
