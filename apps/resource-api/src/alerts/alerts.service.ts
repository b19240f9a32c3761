/** Reads of alerts, which alert-pipeline writes. */
import {
  Fault,
  publicId,
  uuidOf,
  type Alert,
  type Input,
  type ListAlertsQuery,
  type Page,
  type PageQuery,
  type TimelineEntry,
} from '@ams/contracts';
import { alertColumns, alertFromRow, type AlertRow } from '@ams/alerting';
import { Database, boundBy, fitting, page, pageSize, readCursor, Where, writeCursor, type Tx } from '@ams/database';
import { Injectable } from '@nestjs/common';
import { AlertCounts, isCounted, sumOfCounters } from './alert-counts.js';
import { findAlerts, type AlertOrder } from './alert-search.js';

type None = Record<string, never>;

const rowsById = {
  name: 'alerts by id',
  text: `SELECT ${alertColumns} FROM alerts_views.alerts WHERE organization_id = $1 AND environment = $2 AND id = ANY($3::uuid[])`,
};

@Injectable()
export class AlertsService {
  private readonly counts: AlertCounts;

  constructor(private readonly database: Database) {
    this.counts = new AlertCounts(database);
  }

  async list(input: Input<ListAlertsQuery, undefined>): Promise<Page<Alert>> {
    const { principal, query } = input;
    const { limit: wanted, cursor, ...filters } = query;
    const { sort = '-lastOccurredAt', ...filter } = filters;
    const order = sort.replace('-', '') as AlertOrder;
    const limit = pageSize(wanted);
    const bound = boundBy(['alerts', { ...filter, sort }]);
    const after = cursor === undefined ? null : readCursor(cursor, bound, order === 'severity' ? 'rankedTime' : 'time');
    const database = this.database;
    const positions = await findAlerts(database, {
      tenant: principal,
      filter,
      order,
      descending: sort.startsWith('-'),
      after,
      size: limit + 1,
    });
    const complete = after === null && positions.length <= limit;
    const counted = after !== null || complete || isCounted(filter) ? null : await this.counts.count(principal, filter);
    const shown = positions.slice(0, limit);
    return database.readAs(principal, async (tx) => {
      const total =
        after !== null
          ? undefined
          : complete
            ? positions.length
            : (counted ?? (await sumOfCounters(tx, principal, filter)));
      const rows = await tx.query<AlertRow>(rowsById, [
        principal.organizationId,
        principal.environment,
        shown.map(({ id }) => id),
      ]);
      const byId = new Map(rows.map((row) => [row.id, row]));
      const data = fitting(shown.flatMap(({ id }) => byId.get(id) ?? []).map(alertFromRow));
      const last =
        data.length < byId.size ? shown.find(({ id }) => publicId('alert', id) === data.at(-1)?.id) : shown.at(-1);
      const hasMore = positions.length > limit || data.length < byId.size;
      return {
        data,
        meta: {
          limit,
          hasMore,
          nextCursor: hasMore && last ? writeCursor(bound, last) : null,
          ...(total === undefined ? {} : { total }),
        },
      };
    });
  }

  get(input: Input<None, undefined>): Promise<Alert> {
    return this.database.readAs(input.principal, async (tx) => alertFromRow(await find(tx, input)));
  }

  timeline(input: Input<PageQuery, undefined>): Promise<Page<TimelineEntry>> {
    const { principal, query } = input;
    return this.database.readAs(principal, async (tx) => {
      const alert = await find(tx, input);
      const where = new Where()
        .and('organization_id = ?', principal.organizationId)
        .and('environment = ?', principal.environment)
        .and('alert_id = ?', alert.id)
        // Entries are no older than their alert, so that the months before need not be looked at; a day for clocks that differ.
        .and("id >= public.uuid_at(?::timestamptz - interval '1 day')", alert.created_at);
      return page<TimelineRow<TimelineEntry['type']>, TimelineEntry>(tx, {
        select: timelineColumns,
        from: 'alerts_views.timeline',
        where,
        sort: { column: 'alert_version', type: 'int', descending: false },
        id: 'id',
        limit: query.limit,
        cursor: query.cursor,
        boundTo: ['timeline', alert.id],
        total: async () =>
          (
            await tx.query<{ n: number }>(
              `SELECT count(*)::int AS n FROM alerts_views.timeline WHERE ${where.toString()}`,
              where.params,
            )
          )[0]?.n ?? 0,
        item: timelineEntryOf,
      });
    });
  }
}

async function find(tx: Tx, { principal, params }: Input<unknown, unknown>): Promise<AlertRow> {
  const id = params['id'] ?? '';
  const uuid = uuidOf('alert', id);
  const [row] =
    uuid === null
      ? []
      : await tx.query<AlertRow>(
          `SELECT ${alertColumns} FROM alerts_views.alerts WHERE organization_id = $1 AND environment = $2 AND id = $3`,
          [principal.organizationId, principal.environment, uuid],
        );
  if (!row) throw new Fault('NOT_FOUND', { resource: 'alert', id });
  return row;
}

/** What `timelineEntryOf` reads, of the timeline of an alert and of that of an incident. */
export const timelineColumns = 'id, type, occurred_at, actor, cause, changes, note';

export interface TimelineRow<Type> {
  id: string;
  type: Type;
  occurred_at: Date;
  actor: TimelineEntry['actor'];
  cause: TimelineEntry['cause'];
  changes: TimelineEntry['changes'];
  note: string | null;
}

export const timelineEntryOf = <Type>(row: TimelineRow<Type>) => ({
  id: publicId('timelineEntry', row.id),
  type: row.type,
  occurredAt: row.occurred_at.toISOString(),
  actor: row.actor,
  cause: row.cause,
  changes: row.changes,
  note: row.note,
});
