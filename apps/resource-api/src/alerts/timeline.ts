/** Timelines of alerts and of incidents, read from the views of alert-pipeline. */
import { publicId, type ListTimelineQuery, type Page, type Tenant, type TimelineEntry } from '@ams/contracts';
import { page, type Tx } from '@ams/database';
import { count, owned } from '../records/tenant-queries.js';

interface EntryRow<Type> {
  id: string;
  type: Type;
  occurred_at: Date;
  actor: TimelineEntry['actor'];
  cause: TimelineEntry['cause'];
  changes: TimelineEntry['changes'];
  note: string | null;
}

/** An entry of an alert, or of an incident, whose entries have types of their own. */
type Entry<Type> = Omit<TimelineEntry, 'type'> & { type: Type };

const timelines = {
  alert: { view: 'alerts_views.timeline', id: 'alert_id', version: 'alert_version', boundTo: 'timeline' },
  incident: {
    view: 'alerts_views.incident_timeline',
    id: 'incident_id',
    version: 'incident_version',
    boundTo: 'incident timeline',
  },
} as const;

/** `of`: the alert or incident, which the caller has found in the tenant. */
export function timelinePage<Type>(
  tx: Tx,
  tenant: Tenant,
  noun: keyof typeof timelines,
  of: { id: string; created_at: Date },
  { limit, cursor, sort, ...times }: ListTimelineQuery,
): Promise<Page<Entry<Type>>> {
  const { view, id, version, boundTo } = timelines[noun];
  const where = owned(tenant)
    .and(`${id} = ?`, of.id)
    // Older table partitions need not be read: no entry is older than its alert or incident. A day, as clocks differ.
    .and("id >= public.uuid_at(?::timestamptz - interval '1 day')", of.created_at)
    .ofTimes('occurred_at', times.createdSince, times.createdUntil);
  return page<EntryRow<Type>, Entry<Type>>(tx, {
    select: 'id, type, occurred_at, actor, cause, changes, note',
    from: view,
    where,
    sort: { column: version, type: 'int', descending: sort === '-occurredAt' },
    id: 'id',
    limit,
    cursor,
    boundTo: [boundTo, of.id, times],
    total: () => count(tx, view, where),
    item: (row) => ({
      id: publicId('timelineEntry', row.id),
      type: row.type,
      occurredAt: row.occurred_at.toISOString(),
      actor: row.actor,
      cause: row.cause,
      changes: row.changes,
      note: row.note,
    }),
  });
}
