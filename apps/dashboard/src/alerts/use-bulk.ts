/** A change of many alerts, by their ids or by the filters of the list, with its progress. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../api/api-error.js';
import { call } from '../api/call.js';
import type { Body } from '../api/operation-types.js';
import { invalidate } from '../api/queries.js';
import { errorText } from '../ui/error-state.js';
import { bulkFilterOf, type Filters } from './alert-filters.js';
import { answered, begun, inParts, ofJob, type BulkChange, type BulkProgress, type BulkWork } from './bulk.js';
import { patchAlerts, type Alert } from './patch-alerts.js';
import { changedByAlerts } from './use-alert-acts.js';
import type { SendEach } from './use-assign-and-note.js';

export type BulkTarget = { kind: 'ids'; ids: readonly string[] } | { kind: 'filter'; filters: Filters; total: number };

export interface Bulk {
  progress: BulkProgress | null;
  isRunning: boolean;
  start: (change: BulkChange, target: BulkTarget) => Promise<void>;
  /** One request for each alert. */
  each: SendEach;
  dismiss: () => void;
}

const askEveryMs = 1000;
/** Requests about single alerts that are sent together. */
const requestsAtOnce = 4;
const statusAfter = { acknowledge: 'acknowledged', resolve: 'resolved' } as const;
const changedBy = (change: BulkChange): Partial<Alert> =>
  change.action === 'assign' ? { assigneeId: change.assigneeId } : { status: statusAfter[change.action] };

export function useBulk(): Bulk {
  const queries = useQueryClient();
  const [progress, setProgress] = useState<BulkProgress | null>(null);

  const byIds = async (change: BulkChange, start: BulkProgress, ids: readonly string[]): Promise<BulkProgress> => {
    let present = start;
    for (const part of inParts(ids)) {
      const { data } = await call('bulkAlerts', { body: { ...change, ids: part } });
      if (!('results' in data)) continue;
      const changed = new Set(data.results.flatMap(({ id, ok }) => (ok ? [id] : [])));
      patchAlerts(queries, changed, (alert) => ({ ...alert, ...changedBy(change) }));
      present = answered(present, data);
      setProgress(present);
    }
    return { ...present, state: 'done' };
  };

  const byFilter = async (change: BulkChange, start: BulkProgress, filters: Filters): Promise<BulkProgress> => {
    const filter = bulkFilterOf(filters) as NonNullable<Body<'bulkAlerts'>['filter']>;
    const { data } = await call('bulkAlerts', { body: { ...change, filter } });
    if ('results' in data) return { ...answered({ ...start, requested: data.requested }, data), state: 'done' };
    let present = ofJob(start, data);
    while (present.state === 'running') {
      setProgress(present);
      await new Promise((resolve) => setTimeout(resolve, askEveryMs));
      present = ofJob(present, (await call('getBulkJob', { path: { id: data.id } })).data);
    }
    return present;
  };

  const oneByOne = async (
    start: BulkProgress,
    ids: readonly string[],
    send: (id: string) => Promise<unknown>,
  ): Promise<BulkProgress> => {
    let present = start;
    for (const part of inParts(ids, requestsAtOnce)) {
      const sent = await Promise.allSettled(part.map(send));
      const results = sent.map((one, at) => ({
        id: part[at] ?? '',
        ok: one.status === 'fulfilled',
        error: one.status === 'rejected' ? { error: errorText(one.reason) } : null,
      }));
      const succeeded = results.filter(({ ok }) => ok).length;
      present = answered(present, { succeeded, failed: results.length - succeeded, results });
      setProgress(present);
    }
    return { ...present, state: 'done' };
  };

  const run = async (
    work: BulkWork,
    requested: number,
    send: (first: BulkProgress) => Promise<BulkProgress>,
  ): Promise<void> => {
    const first = begun(work, requested);
    setProgress(first);
    try {
      setProgress(await send(first));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setProgress((before) => ({ ...(before ?? first), state: 'stopped', error: errorText(error) }));
    } finally {
      await invalidate(queries, changedByAlerts);
    }
  };
  return {
    progress,
    isRunning: progress?.state === 'running',
    start: (change, target) =>
      target.kind === 'ids'
        ? run(change.action, target.ids.length, (first) => byIds(change, first, target.ids))
        : run(change.action, target.total, (first) => byFilter(change, first, target.filters)),
    each: (work, ids, send) => void run(work, ids.length, (first) => oneByOne(first, ids, send)),
    dismiss: () => setProgress(null),
  };
}
