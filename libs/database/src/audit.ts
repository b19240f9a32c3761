/** Writes audit entries into the outbox, in the transaction of the change that they describe. */
import { isDeepStrictEqual } from 'node:util';
import {
  auditSubject,
  newUuid,
  publicId,
  type Actor,
  type AuditRecord,
  type Change,
  type Principal,
} from '@ams/contracts';
import type { OutboxMessage } from './outbox.js';

/** A key that acts for a member is shown as the member, who came by the key. */
export function actorOf({ type, id, name, onBehalfOf }: Principal): Actor {
  if (type === 'user') return { type, id: publicId('member', id), name };
  const key = { type, id: publicId('apiKey', id), name };
  return onBehalfOf ? { type: 'user', id: publicId('member', onBehalfOf.id), name: onBehalfOf.name, via: key } : key;
}

interface By {
  principal: Principal;
  ip: string | null;
  userAgent: string | null;
  requestId: string;
}

interface Entry {
  type: string;
  resource: { type: string; id: string | null } | null;
  changes: Change[];
  at: Date;
}

export function auditRecord(by: By, entry: Entry): AuditRecord {
  return {
    id: newUuid(entry.at.getTime()),
    organizationId: by.principal.organizationId,
    environment: by.principal.environment,
    type: entry.type,
    occurredAt: entry.at.toISOString(),
    actor: actorOf(by.principal),
    ip: by.ip,
    userAgent: by.userAgent,
    requestId: by.requestId,
    resource: entry.resource,
    changes: entry.changes,
  };
}

export function auditMessage(by: By, entry: Entry): OutboxMessage {
  const record = auditRecord(by, entry);
  return { subject: auditSubject, messageId: record.id, payload: record };
}

/** The fields that differ between two records, for the audit log. `hidden` fields are listed without their values. */
export function changesBetween(
  before: object | null,
  after: object | null,
  options: { ignore?: string[]; hidden?: string[] } = {},
): Change[] {
  const from = (before ?? {}) as Record<string, unknown>;
  const to = (after ?? {}) as Record<string, unknown>;
  const fields = [...new Set([...Object.keys(from), ...Object.keys(to)])].filter(
    (field) => !options.ignore?.includes(field),
  );
  return fields
    .filter((field) => !isSameJson(from[field], to[field]))
    .map((field) =>
      options.hidden?.includes(field)
        ? { field, before: '[hidden]', after: '[hidden]' }
        : { field, before: from[field] ?? null, after: to[field] ?? null },
    );
}

/** PostgreSQL stores the fields of an object in an order of its own, so their order is no difference. */
const isSameJson = (a: unknown, b: unknown): boolean => isDeepStrictEqual(asJson(a), asJson(b));

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));
