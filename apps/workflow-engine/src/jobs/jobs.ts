/** The jobs of the engine: their names, what they carry, and how they are added. */
import type { TraceContext } from '@ams/contracts';
import type { Tx } from '@ams/database';
import { levelsOf, mostCounted, type Share, type WaitingJobs } from '@ams/domain';
import { AsyncLocalStorage } from 'node:async_hooks';
import { CountedJobs } from './counted-jobs.js';

/** The schema of graphile-worker. */
export const jobSchema = 'workflow_jobs';

export interface Jobs {
  /** Does the steps of a run that are due. */
  advance: { runId: string };
  /** Makes one attempt to send a notification. */
  sendNotification: { notificationId: string };
  /** Asks the catch-all policy for an alert for which no workflow runs. */
  pageCatchAll: { pageRequestId: string };
}

/** Jobs that an earlier release added and that may still wait. They are done, and none are added. */
export interface FormerJobs {
  /** The old name of `sendNotification`. */
  deliver: { deliveryId: string };
}

export type AllJobs = Jobs & FormerJobs;

/** Whose work a job is. Jobs of an earlier release do not say it. */
export interface OfShare {
  share?: Share | undefined;
  /** The trace that the job continues. */
  traceContext?: TraceContext | undefined;
}

/** The share of the job that is running. The jobs that it adds have the same share, unless they have one of their own. */
export const runningShare = new AsyncLocalStorage<Share>();

/** The queue of what the jobs of this share do together (`Together`). */
export const runningQueue = (): string => {
  const share = runningShare.getStore();
  return JSON.stringify([share?.organization, share?.team]);
};

/** A job and when it is due; null is now. */
export interface DueJob<Name extends keyof AllJobs> {
  payload: AllJobs[Name] & OfShare;
  at: Date | null;
}

/**
 * Adds jobs in the transaction, or moves those with the same key to this time; `at` is null for now. The key is made
 * from the payload: no two jobs with the same key wait. A job that is running is not changed. The new one is done after
 * it or at the same time.
 */
export const addJobs = <Name extends keyof Jobs>(
  tx: Pick<Tx, 'query'>,
  name: Name,
  payloads: readonly (AllJobs[Name] & OfShare)[],
  at: Date | null = null,
): Promise<void> =>
  addDueJobs(
    tx,
    name,
    payloads.map((payload) => ({ payload, at })),
  );

/** The same for jobs that are due at different times. */
export async function addDueJobs<Name extends keyof AllJobs>(
  tx: Pick<Tx, 'query'>,
  name: Name,
  due: readonly DueJob<Name>[],
): Promise<void> {
  if (due.length === 0) return;
  const jobs = due.map(({ payload: { share = runningShare.getStore(), traceContext, ...ids }, at }) => ({
    payload: { ...ids, share, ...(traceContext?.traceparent !== undefined && { traceContext }) },
    key: `${name}:${Object.values(ids).join(':')}`,
    at,
    share,
  }));
  const levels = levelsOf(
    jobs.map(({ share }) => share),
    await waitingJobs(tx, jobs),
  );
  await tx.query(
    `SELECT FROM ${jobSchema}.add_jobs(ARRAY(
       SELECT ROW($1, j.payload, NULL, coalesce(j.at, now()), 1000, j.key, j.level, NULL)::${jobSchema}.job_spec
       FROM json_to_recordset($2::json) AS j(payload json, key text, at timestamptz, level int)
     ))`,
    [name, JSON.stringify(jobs.map(({ share: _, ...job }, index) => ({ ...job, level: levels[index] })))],
  );
}

export const addJob = <Name extends keyof Jobs>(
  tx: Pick<Tx, 'query'>,
  name: Name,
  payload: AllJobs[Name] & OfShare,
  at: Date | null = null,
): Promise<void> => addJobs(tx, name, [payload], at);

/**
 * For the counts below. graphile-worker makes its tables itself, so its runner makes these after it. Only jobs that wait
 * are in them.
 */
export const jobIndexes = {
  waiting_jobs_of_team: `((payload->'share'->>'organization'), (payload->'share'->>'team'), run_at)`,
  waiting_jobs_of_organization: `((payload->'share'->>'organization'), run_at)`,
} as const;

/** Jobs that wait for a time that is so far away are counted only when they are due just before the new one. */
const nearSeconds = 60;
const justBeforeSeconds = 10;

const counts = new CountedJobs();

/** How many jobs of these shares wait already that are due when the first new one is. */
async function waitingJobs(
  tx: Pick<Tx, 'query'>,
  jobs: readonly { share: Share | undefined; at: Date | null }[],
): Promise<WaitingJobs[]> {
  const due = new Map<string, Share & { at: Date | null }>();
  for (const { share, at } of jobs) {
    if (!share) continue;
    const key = JSON.stringify([share.organization, share.team]);
    const known = due.get(key);
    if (!known || (known.at !== null && (at === null || at < known.at))) due.set(key, { ...share, at });
  }
  const now = performance.now();
  const remembered: WaitingJobs[] = [];
  const asked: (Share & { at: Date | null })[] = [];
  for (const one of due.values()) {
    const known = isNear(one.at) ? counts.of(one, now) : null;
    if (known) remembered.push({ ...known });
    else asked.push(one);
  }
  const found = asked.length > 0 ? await countWaiting(tx, asked) : [];
  for (const [index, one] of found.entries()) if (isNear(asked[index]?.at ?? null)) counts.note(one, now);
  for (const { share } of jobs) if (share) counts.added(share, 1);
  return [...remembered, ...found];
}

const isNear = (at: Date | null): boolean => at === null || at.getTime() < Date.now() + nearSeconds * 1000;

/** In their order. */
function countWaiting(tx: Pick<Tx, 'query'>, due: readonly (Share & { at: Date | null })[]): Promise<WaitingJobs[]> {
  const counted = (which: string): string =>
    `(SELECT count(*)::int FROM (SELECT FROM ${jobSchema}._private_jobs w
       WHERE ${which} AND w.is_available AND w.run_at <= s.at AND w.run_at > s.since LIMIT ${mostCounted}) AS c)`;
  const ofOrganization = `(w.payload->'share'->>'organization') = s.organization`;
  return tx.query<WaitingJobs>(
    `SELECT organization, team,
       ${counted(`${ofOrganization} AND (w.payload->'share'->>'team') = s.team`)} AS "ofTeam",
       ${counted(ofOrganization)} AS "ofOrganization"
     FROM (SELECT organization, team, coalesce(at, now()) AS at,
         CASE WHEN at > now() + interval '${nearSeconds} s' THEN at - interval '${justBeforeSeconds} s'
           ELSE '-infinity' END AS since
       FROM ROWS FROM (json_to_recordset($1::json) AS (organization text, team text, at timestamptz))
         WITH ORDINALITY AS j(organization, team, at, nth) ORDER BY nth) AS s`,
    [JSON.stringify(due)],
  );
}
