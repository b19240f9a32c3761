/**
 * The SQL of admission. One statement decides a batch of requests: it finds the keys, gives each request its position
 * in the rate-limit window of its organization, and adds the `api_key.used` entries.
 *
 * Batches of several replicas cannot deadlock: windows are locked in the order of their organizations, keys after the
 * windows, and a key that is locked already is skipped.
 */
import { type AdmitRequest } from '@ams/contracts';
import { withoutCredentials } from '@ams/service';
import { type Environment } from '@ams/scopes';

/** The result of the statement for a request with a valid key. Other requests have no row. */
export interface AdmissionRow {
  /** The position of the request in its batch. */
  index: number;
  keyId: string;
  organizationId: string;
  environment: Environment;
  name: string;
  scopes: string[];
  /** Both or none; UUIDs. */
  clientIds: string[] | null;
  teamIds: string[] | null;
  expiresAt: Date | null;
  /** The position of the request in the rate-limit window, from 1. */
  position: number;
  /** Whether the position is within the limit. */
  within: boolean;
  /** An earlier attempt of the request added its `api_key.used` entry and counted it. */
  repeated: boolean;
  /** Seconds until the window ends. */
  resetsIn: number;
}

/**
 * $1: the requests as JSON (`statementRow`), $2: the limit, $3: the length of a window in seconds.
 *
 * A window that starts in the future was made before the clock was corrected. It is replaced. A request above the limit
 * does not raise the count.
 */
export const admitStatement = {
  name: 'admit',
  text: `
    WITH requested AS MATERIALIZED (
      SELECT * FROM json_to_recordset($1::json)
        AS requested(index int, use_id uuid, key_hash text, operation text, request_id text, ip text, user_agent text)
    ), authenticated AS MATERIALIZED (
      -- LATERAL with LIMIT: the index is used whatever the planner believes about the size of the table.
      SELECT requested.*, key.* FROM requested CROSS JOIN LATERAL (
        SELECT id AS key_id, organization_id, environment, name, scopes, client_ids, team_ids, expires_at
        FROM auth.api_keys
        WHERE key_hash = requested.key_hash AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
        LIMIT 1
      ) AS key
    ), repeats AS MATERIALIZED (
      SELECT id FROM auth.audit_log WHERE id = ANY (ARRAY(SELECT use_id FROM authenticated))
    ), numbered AS MATERIALIZED (
      SELECT *,
        count(*) FILTER (WHERE NOT repeated) OVER (PARTITION BY organization_id ORDER BY index) AS nth,
        count(*) FILTER (WHERE NOT repeated) OVER (PARTITION BY organization_id) AS new_requests
      FROM (SELECT *, use_id IN (SELECT id FROM repeats) AS repeated FROM authenticated) AS marked
    ), windows AS (
      INSERT INTO auth.request_windows AS present (organization_id, started_at, used)
      SELECT DISTINCT ON (organization_id) organization_id, now(), new_requests FROM numbered ORDER BY organization_id
      ON CONFLICT (organization_id) DO UPDATE SET
        used = excluded.used + CASE
          WHEN present.started_at > now() - make_interval(secs => $3) AND present.started_at < now() + interval '10 s'
          THEN least(present.used, $2::int) ELSE 0 END,
        started_at = CASE
          WHEN present.started_at > now() - make_interval(secs => $3) AND present.started_at < now() + interval '10 s'
          THEN present.started_at ELSE excluded.started_at END
      RETURNING organization_id, started_at, used
    ), decided AS MATERIALIZED (
      SELECT numbered.*, started_at, used - new_requests + nth AS position,
        repeated OR used - new_requests + nth <= $2::int AS within
      FROM numbered JOIN windows USING (organization_id)
    ), recorded AS (
      INSERT INTO auth.audit_log (id, organization_id, environment, type, occurred_at, actor_type, actor_id,
        actor_name, ip, user_agent, request_id, resource_type, resource_id)
      SELECT use_id, organization_id, environment, 'api_key.used', now(), 'api_key',
        'key_' || replace(key_id::text, '-', ''), name, ip, user_agent, request_id, 'operation', operation
      FROM decided WHERE within AND NOT repeated
    ), touched AS (
      UPDATE auth.api_keys SET last_used_at = now() WHERE id = ANY (ARRAY(
        SELECT id FROM auth.api_keys
        WHERE id = ANY (ARRAY(SELECT key_id FROM decided WHERE within))
          AND (last_used_at IS NULL OR last_used_at < now() - interval '1 s')
        FOR NO KEY UPDATE SKIP LOCKED
      ))
    )
    SELECT index, key_id AS "keyId", organization_id AS "organizationId", environment, name, scopes,
      client_ids AS "clientIds", team_ids AS "teamIds", expires_at AS "expiresAt", position::int, within, repeated,
      extract(epoch FROM started_at - now())::float8 + $3 AS "resetsIn"
    FROM decided`,
};

/**
 * Whether the statement failed, and counted nothing, because another attempt of a request added its entry meanwhile.
 * Such a request is `repeated` when the statement runs again.
 */
export function metAnotherAttempt(error: unknown): boolean {
  const { code, schema, table } = error as { code?: string; schema?: string; table?: string };
  return code === '23505' && schema === 'auth' && /^audit_log(_|$)/.test(table ?? '');
}

export type KeyAdmitRequest = Extract<AdmitRequest, { keyHash: string }>;

/** A request as `admitStatement` reads it. */
export const statementRow = (request: KeyAdmitRequest, index: number) => ({
  index,
  use_id: request.useId,
  key_hash: request.keyHash,
  operation: request.operation.slice(0, 100),
  request_id: textForLog(request.requestId, 255),
  ip: textForLog(request.ip, 64),
  user_agent: textForLog(request.userAgent, 512),
});

const mayHoldCredential = /svc_|earer |:\/\/|webhook\//;

/** A caller's text for the audit log: shortened, and without a credential that was sent in the wrong place. */
function textForLog(text: string | null | undefined, length: number): string | null {
  if (typeof text !== 'string') return null;
  const short = text.slice(0, length);
  return mayHoldCredential.test(short) ? withoutCredentials(short) : short;
}
