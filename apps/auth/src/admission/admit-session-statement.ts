/**
 * The SQL of admission for people who are signed in. As `admit-statement.ts`, but the limit is that of the member, and a
 * use of a session has no entry in the audit log. A request whose admission is repeated is counted again.
 *
 * Batches of several replicas cannot deadlock: windows are locked in the order of their members, and a session that is
 * locked already is not touched.
 */
import { type AdmitRequest } from '@ams/contracts';
import { type Environment, type Role } from '@ams/scopes';

/** The result for a request with a valid session of an active member. Other requests have no row. */
export interface SessionAdmissionRow {
  /** The position of the request in its batch. */
  index: number;
  sessionId: string;
  memberId: string;
  organizationId: string;
  environment: Environment;
  name: string;
  role: Role;
  /** The position of the request in the window of the member, from 1. */
  position: number;
  within: boolean;
  /** Seconds until the window ends. */
  resetsIn: number;
}

/**
 * $1: the requests as JSON (`sessionStatementRow`), $2: the limit, $3: the length of a window in seconds, $4: after how
 * many idle seconds a session ends, $5: its longest life in seconds.
 */
export const admitSessionStatement = {
  name: 'admit session',
  text: `
    WITH requested AS MATERIALIZED (
      SELECT * FROM json_to_recordset($1::json) AS requested(index int, token_hash text, environment text)
    ), authenticated AS MATERIALIZED (
      SELECT requested.index, requested.environment, found.* FROM requested CROSS JOIN LATERAL (
        SELECT session.id AS session_id, member.id AS member_id, member.organization_id, member.name, member.role
        FROM auth.sessions session JOIN auth.members member ON member.id = session.member_id
        WHERE session.token_hash = requested.token_hash AND session.ended_at IS NULL AND NOT session.pending
          AND session.expires_at > now() AND member.status = 'active'
        LIMIT 1
      ) AS found
    ), numbered AS MATERIALIZED (
      SELECT *, count(*) OVER (PARTITION BY member_id ORDER BY index) AS nth,
        count(*) OVER (PARTITION BY member_id) AS new_requests
      FROM authenticated
    ), windows AS (
      INSERT INTO auth.member_windows AS present (member_id, started_at, used)
      SELECT DISTINCT ON (member_id) member_id, now(), new_requests FROM numbered ORDER BY member_id
      ON CONFLICT (member_id) DO UPDATE SET
        used = excluded.used + CASE
          WHEN present.started_at > now() - make_interval(secs => $3) AND present.started_at < now() + interval '10 s'
          THEN least(present.used, $2::int) ELSE 0 END,
        started_at = CASE
          WHEN present.started_at > now() - make_interval(secs => $3) AND present.started_at < now() + interval '10 s'
          THEN present.started_at ELSE excluded.started_at END
      RETURNING member_id, started_at, used
    ), decided AS MATERIALIZED (
      SELECT numbered.*, started_at, used - new_requests + nth AS position,
        used - new_requests + nth <= $2::int AS within
      FROM numbered JOIN windows USING (member_id)
    ), touched AS (
      UPDATE auth.sessions SET last_seen_at = now(),
        expires_at = least(created_at + make_interval(secs => $5), now() + make_interval(secs => $4))
      WHERE id = ANY (ARRAY(
        SELECT id FROM auth.sessions
        WHERE id = ANY (ARRAY(SELECT session_id FROM decided)) AND last_seen_at < now() - interval '1 minute'
        FOR NO KEY UPDATE SKIP LOCKED
      ))
    )
    SELECT index, session_id AS "sessionId", member_id AS "memberId", organization_id AS "organizationId", environment,
      name, role, position::int, within, extract(epoch FROM started_at - now())::float8 + $3 AS "resetsIn"
    FROM decided`,
};

export type SessionAdmitRequest = Extract<AdmitRequest, { sessionHash: string }>;

/** A request as `admitSessionStatement` reads it. */
export const sessionStatementRow = ({ sessionHash, environment }: SessionAdmitRequest, index: number) => ({
  index,
  token_hash: sessionHash,
  environment,
});
