/** A change of many alerts: what is sent, and how far it is. */
export type BulkAction = 'acknowledge' | 'resolve';

/** What one request does to many alerts. */
export type BulkChange = { action: BulkAction } | { action: 'assign'; assigneeId: string | null };

/** What is done to several alerts: by a request about many, or by one request for each. */
export type BulkWork = BulkChange['action'] | 'note';

export interface BulkFailure {
  id: string;
  error: string;
}

export interface BulkProgress {
  action: BulkWork;
  requested: number;
  succeeded: number;
  /** Counted; `failures` may have fewer. */
  failed: number;
  failures: readonly BulkFailure[];
  state: 'running' | 'done' | 'stopped';
  /** Why it has stopped. */
  error: unknown;
}

/** The most ids of one request. */
export const idsAtOnce = 250;

/** The most alerts of a filter that are assigned. */
export const assignedAtOnce = 1000;

export const begun = (action: BulkWork, requested: number): BulkProgress => ({
  action,
  requested,
  succeeded: 0,
  failed: 0,
  failures: [],
  state: 'running',
  error: null,
});

export function inParts<One>(all: readonly One[], size = idsAtOnce): One[][] {
  const parts: One[][] = [];
  for (let at = 0; at < all.length; at += size) parts.push(all.slice(at, at + size));
  return parts;
}

interface Answered {
  succeeded: number;
  failed: number;
  results: readonly { id: string; ok: boolean; error?: { error: string } | null }[];
}

/** After the answer about some of the ids. */
export const answered = (before: BulkProgress, { succeeded, failed, results }: Answered): BulkProgress => ({
  ...before,
  succeeded: before.succeeded + succeeded,
  failed: before.failed + failed,
  failures: [
    ...before.failures,
    ...results.flatMap(({ id, ok, error }) => (ok ? [] : [{ id, error: error?.error ?? '' }])),
  ],
});

interface Job {
  status: 'queued' | 'running' | 'completed' | 'failed';
  requested: number;
  succeeded: number;
  failed: number;
  failures: readonly { id: string; error: { error: string } }[];
  error: { error: string } | null;
}

/** As a job in the background says. */
export const ofJob = (before: BulkProgress, job: Job): BulkProgress => ({
  ...before,
  requested: job.requested,
  succeeded: job.succeeded,
  failed: job.failed,
  failures: job.failures.map(({ id, error }) => ({ id, error: error.error })),
  state: job.status === 'completed' ? 'done' : job.status === 'failed' ? 'stopped' : 'running',
  error: job.error === null ? null : job.error.error,
});

/** Between 0 and 100. */
export const percentOf = ({ requested, succeeded, failed }: BulkProgress): number =>
  requested === 0 ? 100 : Math.min(100, Math.floor(((succeeded + failed) / requested) * 100));
