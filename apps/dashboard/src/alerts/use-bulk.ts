/** A change of many alerts, by their ids or by the filters of the list, with its progress. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../api/api-error.js';
import { call } from '../api/call.js';
import type { Body } from '../api/operation-types.js';
import { invalidate } from '../api/queries.js';
import { errorText } from '../ui/error-state.js';
import { bulkFilterOf, type Filters } from './alert-filters.js';
import { answered, begun, inParts, ofJob, type BulkAction, type BulkProgress } from './bulk.js';
import { patchAlerts } from './patch-alerts.js';
import { changedByAlerts } from './use-alert-acts.js';

export type BulkTarget = { kind: 'ids'; ids: readonly string[] } | { kind: 'filter'; filters: Filters; total: number };

export interface Bulk {
  progress: BulkProgress | null;
  isRunning: boolean;
  start: (action: BulkAction, target: BulkTarget) => Promise<void>;
  dismiss: () => void;
}

const askEveryMs = 1000;
const statusAfter = { acknowledge: 'acknowledged', resolve: 'resolved' } as const;

export function useBulk(): Bulk {
  const queries = useQueryClient();
  const [progress, setProgress] = useState<BulkProgress | null>(null);

  const byIds = async (start: BulkProgress, ids: readonly string[]): Promise<BulkProgress> => {
    let present = start;
    for (const part of inParts(ids)) {
      const { data } = await call('bulkAlerts', { body: { action: start.action, ids: part } });
      if (!('results' in data)) continue;
      const changed = new Set(data.results.flatMap(({ id, ok }) => (ok ? [id] : [])));
      patchAlerts(queries, changed, (alert) => ({ ...alert, status: statusAfter[start.action] }));
      present = answered(present, data);
      setProgress(present);
    }
    return { ...present, state: 'done' };
  };

  const byFilter = async (start: BulkProgress, filters: Filters): Promise<BulkProgress> => {
    const filter = bulkFilterOf(filters) as NonNullable<Body<'bulkAlerts'>['filter']>;
    const { data } = await call('bulkAlerts', { body: { action: start.action, filter } });
    if ('results' in data) return { ...answered({ ...start, requested: data.requested }, data), state: 'done' };
    let present = ofJob(start, data);
    while (present.state === 'running') {
      setProgress(present);
      await new Promise((resolve) => setTimeout(resolve, askEveryMs));
      present = ofJob(present, (await call('getBulkJob', { path: { id: data.id } })).data);
    }
    return present;
  };

  const start: Bulk['start'] = async (action, target) => {
    const first = begun(action, target.kind === 'ids' ? target.ids.length : target.total);
    setProgress(first);
    try {
      setProgress(await (target.kind === 'ids' ? byIds(first, target.ids) : byFilter(first, target.filters)));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setProgress((before) => ({ ...(before ?? first), state: 'stopped', error: errorText(error) }));
    } finally {
      await invalidate(queries, changedByAlerts);
    }
  };
  return { progress, isRunning: progress?.state === 'running', start, dismiss: () => setProgress(null) };
}
