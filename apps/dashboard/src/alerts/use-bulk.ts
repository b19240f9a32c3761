/** A change of many alerts, by their ids or by the filters of the list, with its progress. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../api/api-error.js';
import { call } from '../api/call.js';
import type { Body } from '../api/operation-types.js';
import { invalidate } from '../api/queries.js';
import { errorText } from '../ui/error-state.js';
import { bulkFilterOf, type Filters } from './alert-filters.js';
import { answered, begun, inParts, ofJob, type BulkAction, type BulkProgress, type BulkWork } from './bulk.js';
import { patchAlerts } from './patch-alerts.js';
import { changedByAlerts } from './use-alert-acts.js';
import type { SendEach } from './use-assign-and-note.js';

export type BulkTarget = { kind: 'ids'; ids: readonly string[] } | { kind: 'filter'; filters: Filters; total: number };

export interface Bulk {
  progress: BulkProgress | null;
  isRunning: boolean;
  start: (action: BulkAction, target: BulkTarget) => Promise<void>;
  /** One request for each alert. */
  each: SendEach;
  dismiss: () => void;
}

const askEveryMs = 1000;
/** Requests about single alerts that are sent together. */
const requestsAtOnce = 4;
const statusAfter = { acknowledge: 'acknowledged', resolve: 'resolved' } as const;

export function useBulk(): Bulk {
  const queries = useQueryClient();
  const [progress, setProgress] = useState<BulkProgress | null>(null);

  const byIds = async (action: BulkAction, start: BulkProgress, ids: readonly string[]): Promise<BulkProgress> => {
    let present = start;
    for (const part of inParts(ids)) {
      const { data } = await call('bulkAlerts', { body: { action, ids: part } });
      if (!('results' in data)) continue;
      const changed = new Set(data.results.flatMap(({ id, ok }) => (ok ? [id] : [])));
      patchAlerts(queries, changed, (alert) => ({ ...alert, status: statusAfter[action] }));
      present = answered(present, data);
      setProgress(present);
    }
    return { ...present, state: 'done' };
  };

  const byFilter = async (action: BulkAction, start: BulkProgress, filters: Filters): Promise<BulkProgress> => {
    const filter = bulkFilterOf(filters) as NonNullable<Body<'bulkAlerts'>['filter']>;
    const { data } = await call('bulkAlerts', { body: { action, filter } });
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
    start: (action, target) =>
      target.kind === 'ids'
        ? run(action, target.ids.length, (first) => byIds(action, first, target.ids))
        : run(action, target.total, (first) => byFilter(action, first, target.filters)),
    each: (work, ids, send) => void run(work, ids.length, (first) => oneByOne(first, ids, send)),
    dismiss: () => setProgress(null),
  };
}
