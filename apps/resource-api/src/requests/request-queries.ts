/**
 * SQL of the request log. Requests are many: each message of the stream is stored in two statements, however many
 * requests it has.
 */
import { requestLogStream, type IntegrationRequest, type LimitedRecord, type Tenant } from '@ams/contracts';
import { Where, type Tx } from '@ams/database';
import { unpackText } from '@ams/domain';
import type { LoggedRequest } from './request-record.js';

/** The list shows this many requests of an integration, the newest. */
const keptPerIntegration = 100;

export interface RequestRow {
  id: string;
  receivedAt: Date;
  api: IntegrationRequest['api'];
  outcome: IntegrationRequest['outcome'];
  status: number;
  contentType: string | null;
  payload: string | null;
  packedPayload: Buffer | null;
  items: unknown[];
  note: string | null;
  requestId: string;
}

export const listedColumns =
  'id, received_at AS "receivedAt", api, outcome, status, content_type AS "contentType", payload, ' +
  'packed_payload AS "packedPayload", items, note, request_id AS "requestId"';

/** More than the largest body, 16 MiB: a character that cannot be stored becomes longer. */
const mostPayloadBytes = 64 * 1024 * 1024;

/** The payload of a request, however it is stored. Null when it cannot be unpacked: the others of a list are shown. */
export const payloadOf = async ({
  payload,
  packedPayload,
}: Pick<RequestRow, 'payload' | 'packedPayload'>): Promise<string | null> =>
  packedPayload === null ? payload : unpackText(packedPayload, mostPayloadBytes).catch(() => null);

/** Without those beyond `keptPerIntegration`, which may not be deleted yet. */
export const requestsOf = ({ organizationId, environment, id }: Tenant & { id: string }): Where =>
  new Where()
    .and('organization_id = ?', organizationId)
    .and('environment = ?', environment)
    .and('integration_id = ?', id)
    .and(
      `id >= coalesce(
         (SELECT k.id FROM resources.requests k WHERE k.integration_id = ?
          ORDER BY k.id DESC OFFSET ${keptPerIntegration - 1} LIMIT 1),
         '00000000-0000-0000-0000-000000000000')`,
      id,
    );

/** Deletes all but the newest requests of these integrations. */
export const deleteBeyondKept = (tx: Tx, integrationIds: string[]): Promise<unknown> =>
  tx.query(
    `DELETE FROM resources.requests d USING (
       SELECT x.id, (
         SELECT k.id FROM resources.requests k WHERE k.integration_id = x.id
         ORDER BY k.id DESC OFFSET ${keptPerIntegration - 1} LIMIT 1
       ) AS last
       FROM unnest($1::uuid[]) AS x(id)
     ) AS kept WHERE d.integration_id = kept.id AND d.id < kept.last`,
    [integrationIds],
  );

/** Deletes at most `rows` requests that are older than $1 days. */
export const oldRequests = (rows: number): string =>
  `DELETE FROM resources.requests WHERE id IN (
     SELECT id FROM resources.requests WHERE id < public.uuid_at(now() - make_interval(days => $1)) LIMIT ${rows})`;

/** Sets the position to the message. False when it is there or later already. Locks the position until the commit. */
export async function advance(tx: Tx, sequence: number, streamCreated: string): Promise<boolean> {
  const [moved] = await tx.query(
    `INSERT INTO resources.positions AS p (stream, stream_created, position) VALUES ($1, $2, $3)
     ON CONFLICT (stream) DO UPDATE SET stream_created = excluded.stream_created, position = excluded.position
     WHERE p.stream_created <> excluded.stream_created OR p.position < excluded.position
     RETURNING position`,
    [requestLogStream, streamCreated, sequence],
  );
  return moved !== undefined;
}

const loggedColumns =
  'id uuid, "organizationId" uuid, environment text, "integrationId" uuid, "receivedAt" timestamptz, api text, ' +
  'operation text, "alertKey" text, outcome text, status smallint, "contentType" text, payload text, ' +
  '"packedPayload" text, items jsonb, note text, "requestId" text, stored int';

/** The valid records of a message. */
export interface Records {
  requests: LoggedRequest[];
  limited: LimitedRecord[];
  /** The JSON of all requests as it was sent; null when something of it must not be stored as it is. */
  sent?: Buffer | null;
}

/** Stores records of existing integrations and skips all others. */
export async function store(tx: Tx, { requests, limited, sent = null }: Records): Promise<void> {
  if (requests.length > 0) {
    const newest = newestOfEach(requests);
    const isSent = sent !== null && newest.length === requests.length;
    await tx.query(
      `INSERT INTO resources.requests (id, organization_id, environment, integration_id, received_at, api, operation,
         alert_key, outcome, status, content_type, payload, packed_payload, items, note, request_id)
       SELECT d.id, d."organizationId", d.environment, d."integrationId", d."receivedAt",
         coalesce(d.api, 'webhook'), d.operation, d."alertKey", d.outcome, d.status, d."contentType", d.payload,
         decode(d."packedPayload", 'base64'), d.items, d.note, d."requestId"
       FROM json_to_recordset($1::json) AS d(${loggedColumns}) JOIN resources.integrations i
         ON i.id = d."integrationId" AND i.organization_id = d."organizationId" AND i.environment = d.environment
           AND i.deleted_at IS NULL
       ON CONFLICT (id) DO UPDATE SET outcome = excluded.outcome, status = excluded.status, note = excluded.note`,
      [isSent ? sent : JSON.stringify(newest)],
    );
  }
  const activity = activityOf(requests, limited);
  if (activity.length === 0) return;
  await tx.query(
    `INSERT INTO resources.integration_activity AS a
       (integration_id, organization_id, environment, last_event_at, limited_count, limited_at)
     SELECT i.id, i.organization_id, i.environment, r."lastEventAt", r.limited, r."limitedAt"
     FROM json_to_recordset($1::json) AS r(id uuid, "organizationId" uuid, environment text, "lastEventAt" timestamptz,
       limited bigint, "limitedAt" timestamptz)
     JOIN resources.integrations i ON i.id = r.id AND i.organization_id = r."organizationId"
       AND i.environment = r.environment AND i.deleted_at IS NULL
     ORDER BY i.id
     ON CONFLICT (integration_id) DO UPDATE SET
       last_event_at = greatest(a.last_event_at, excluded.last_event_at),
       limited_count = a.limited_count + excluded.limited_count,
       limited_at = greatest(a.limited_at, excluded.limited_at)`,
    [JSON.stringify(activity)],
  );
}

/** Without those that `deleteBeyondKept` would delete. */
function newestOfEach(requests: LoggedRequest[]): LoggedRequest[] {
  const seen = new Map<string, number>();
  // The last record of a request counts: a handshake waits first, and is confirmed later.
  return [...new Map(requests.map((request) => [request.id, request])).values()]
    .sort((a, b) => (a.id < b.id ? 1 : -1))
    .filter(({ integrationId }) => {
      const count = (seen.get(integrationId) ?? 0) + 1;
      seen.set(integrationId, count);
      return count <= keptPerIntegration;
    });
}

interface Activity {
  id: string;
  organizationId: string;
  environment: string;
  lastEventAt: string | null;
  limited: number;
  limitedAt: string | null;
}

const later = (a: string | null, b: string): string => (a !== null && Date.parse(a) > Date.parse(b) ? a : b);

/** One row for each integration with stored events or refused requests. */
function activityOf(requests: LoggedRequest[], limited: LimitedRecord[]): Activity[] {
  const byIntegration = new Map<string, Activity>();
  const of = ({
    integrationId,
    organizationId,
    environment,
  }: Pick<LimitedRecord, 'integrationId' | 'organizationId' | 'environment'>): Activity => {
    const key = `${integrationId} ${organizationId} ${environment}`;
    const present = byIntegration.get(key) ?? {
      id: integrationId,
      organizationId,
      environment,
      lastEventAt: null,
      limited: 0,
      limitedAt: null,
    };
    byIntegration.set(key, present);
    return present;
  };
  for (const request of requests) {
    if (request.stored > 0) of(request).lastEventAt = later(of(request).lastEventAt, request.receivedAt);
  }
  for (const record of limited) {
    of(record).limited += record.count;
    of(record).limitedAt = later(of(record).limitedAt, record.lastAt);
  }
  return [...byIntegration.values()];
}
