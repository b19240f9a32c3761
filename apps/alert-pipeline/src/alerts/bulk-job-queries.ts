/** SQL of bulk jobs. Their rows are claimed by locks that other replicas skip: see bulk-jobs.ts. */
import {
  bulkJobLimits,
  Fault,
  newUuid,
  publicId,
  uuidOf,
  type BulkAction,
  type BulkError,
  type BulkFailure,
  type BulkJob,
  type BulkJobStatus,
  type Input,
  type Principal,
} from '@ams/contracts';
import type { Tx } from '@ams/database';
import type { Caller } from './command.js';

export interface JobRow {
  id: string;
  action: BulkAction;
  status: BulkJobStatus;
  requested: number;
  succeeded: number;
  failed: number;
  failures: BulkFailure[];
  error: BulkError | null;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
}

const shownColumns =
  'id, action, status, cardinality(alert_ids) AS requested, succeeded, failed, failures, error, created_at, ' +
  'started_at, finished_at';

export const shownJob = (row: JobRow): BulkJob => ({
  id: publicId('bulkJob', row.id),
  action: row.action,
  status: row.status,
  requested: row.requested,
  succeeded: row.succeeded,
  failed: row.failed,
  failures: row.failures,
  error: row.error,
  createdAt: row.created_at.toISOString(),
  startedAt: row.started_at?.toISOString() ?? null,
  finishedAt: row.finished_at?.toISOString() ?? null,
});

/** Throws CONFLICT when too many jobs of the tenant wait. */
export async function insertJob(
  tx: Tx,
  { principal, requestId, ip, userAgent }: Caller,
  action: BulkAction,
  note: string | null,
  alertIds: readonly string[],
): Promise<BulkJob> {
  const { organizationId, environment, restrictedTo } = principal;
  // One after another, so that their times have the order of their commits.
  await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('bulk jobs ' || $1, 0))`, [organizationId]);
  const [open] = await tx.beyondNarrowing(() =>
    tx.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM alerts.bulk_jobs
       WHERE organization_id = $1 AND environment = $2 AND finished_at IS NULL`,
      [organizationId, environment],
    ),
  );
  if ((open?.n ?? 0) >= bulkJobLimits.unfinished)
    throw new Fault('CONFLICT', null, `${bulkJobLimits.unfinished} bulk changes are not finished. Wait for one.`);
  // A job goes on when the member signs out; it ends when the member is disabled.
  const { sessionId: _sessionId, ...lasting } = principal;
  const caller: Caller = { principal: lasting, requestId, ip, userAgent };
  const [row] = await tx.query<JobRow>(
    `INSERT INTO alerts.bulk_jobs (id, organization_id, environment, action, note, caller, alert_ids, client_ids, team_ids)
     VALUES ($1, $2, $3, $4, $5, $6, $7::uuid[], $8::uuid[], $9::uuid[]) RETURNING ${shownColumns}`,
    [
      newUuid(),
      organizationId,
      environment,
      action,
      note,
      JSON.stringify(caller),
      alertIds,
      restrictedTo?.clientIds ?? null,
      restrictedTo?.teamIds ?? null,
    ],
  );
  return shownJob(row as JobRow);
}

/** The job that the path names. Throws NOT_FOUND. */
export async function findJob(tx: Tx, { principal, params }: Input<unknown, unknown>): Promise<BulkJob> {
  const id = params['id'] ?? '';
  const uuid = uuidOf('bulkJob', id);
  const [row] =
    uuid === null
      ? []
      : await tx.query<JobRow>(
          `SELECT ${shownColumns} FROM alerts.bulk_jobs WHERE organization_id = $1 AND environment = $2 AND id = $3`,
          [principal.organizationId, principal.environment, uuid],
        );
  if (!row) throw new Fault('NOT_FOUND', { resource: 'bulk_job', id });
  return shownJob(row);
}

/** The oldest unfinished job of each organization has its turn; of these, the one that has waited longest comes first. */
export const nextJobSql = `
  SELECT id, caller FROM alerts.bulk_jobs j
  WHERE finished_at IS NULL AND turn_at <= clock_timestamp() AND NOT EXISTS (
    SELECT FROM alerts.bulk_jobs older WHERE older.organization_id = j.organization_id AND older.finished_at IS NULL
      AND (older.created_at, older.id) < (j.created_at, j.id))
  ORDER BY turn_at LIMIT 1`;

export interface JobPart {
  id: string;
  action: BulkAction;
  note: string | null;
  position: number;
  requested: number;
  alertIds: string[];
}

/** The next part of the job, locked until the end of the transaction. Null when another replica works on it. */
export async function lockPart(tx: Tx, principal: Principal, id: string, size: number): Promise<JobPart | null> {
  const [part] = await tx.query<JobPart>(
    `SELECT id, action, note, position, cardinality(alert_ids) AS requested,
       alert_ids[position + 1 : position + $4::int]::text[] AS "alertIds"
     FROM alerts.bulk_jobs
     WHERE organization_id = $1 AND environment = $2 AND id = $3 AND finished_at IS NULL FOR UPDATE SKIP LOCKED`,
    [principal.organizationId, principal.environment, id, size],
  );
  return part ?? null;
}

export interface PartResult {
  done: number;
  succeeded: number;
  failures: BulkFailure[];
}

/** Stores the progress, in the transaction of the changes. Does nothing when the part is done already. */
export const advanceSql = `
  UPDATE alerts.bulk_jobs SET position = position + $3, succeeded = succeeded + $4, failed = failed + $5,
    failures = CASE WHEN jsonb_array_length(failures) >= ${bulkJobLimits.failures} THEN failures ELSE (
      SELECT coalesce(jsonb_agg(f.value ORDER BY f.n), '[]') FROM jsonb_array_elements(failures || $6::jsonb)
        WITH ORDINALITY AS f(value, n) WHERE f.n <= ${bulkJobLimits.failures}) END,
    status = CASE WHEN position + $3 >= cardinality(alert_ids) THEN 'completed' ELSE 'running' END,
    started_at = coalesce(started_at, clock_timestamp()), turn_at = clock_timestamp(),
    finished_at = CASE WHEN position + $3 >= cardinality(alert_ids) THEN clock_timestamp() END
  WHERE id = $1 AND position = $2 AND finished_at IS NULL`;

export const advanceParams = (id: string, position: number, { done, succeeded, failures }: PartResult): unknown[] => [
  id,
  position,
  done,
  succeeded,
  failures.length,
  JSON.stringify(failures),
];
