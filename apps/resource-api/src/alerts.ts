/** Reads of alerts, which alert-pipeline writes. */
import {
  Fault, publicId, uuidOf,
  type Alert, type Input, type ListAlertsQuery, type Page, type PageQuery, type TimelineEntry,
} from '@ams/contracts';
import { alertColumns, alertConditions, alertFromRow, page, Where, type AlertRow, type Sort, type Tx } from '@ams/database';
import { Inject, Injectable } from '@nestjs/common';
import { DatabasePart } from './database-part.js';

type None = Record<string, never>;

@Injectable()
export class Alerts {
  constructor(@Inject(DatabasePart) private readonly databasePart: DatabasePart) {}

  list(input: Input<ListAlertsQuery, undefined>): Promise<Page<Alert>> {
    const { limit, cursor, ...filters } = input.query;
    const field = (filters.sort ?? '-lastOccurredAt').replace('-', '');
    const sort: Sort = {
      column: field === 'severity' ? 'severity' : field === 'createdAt' ? 'created_at' : 'last_occurred_at',
      type: field === 'severity' ? 'int' : 'time',
      descending: (filters.sort ?? '-lastOccurredAt').startsWith('-'),
    };
    const where = alertConditions(input.principal, filters);
    return this.databasePart.database.readAs(input.principal, (tx) =>
      page<AlertRow, Alert>(tx, {
        select: alertColumns, from: 'alerts.alerts', where, sort, id: 'id', limit, cursor, boundTo: ['alerts', filters],
        total: async () => (await tx.query<{ n: number }>(`SELECT count(*)::int AS n FROM alerts.alerts WHERE ${where.toString()}`, where.params))[0]?.n ?? 0,
        item: alertFromRow,
      }),
    );
  }

  get(input: Input<None, undefined>): Promise<Alert> {
    return this.databasePart.database.readAs(input.principal, async (tx) => alertFromRow(await find(tx, input)));
  }

  timeline(input: Input<PageQuery, undefined>): Promise<Page<TimelineEntry>> {
    const { principal, query } = input;
    return this.databasePart.database.readAs(principal, async (tx) => {
      const alert = await find(tx, input);
      const where = new Where()
        .and('organization_id = ?', principal.organizationId)
        .and('environment = ?', principal.environment)
        .and('alert_id = ?', alert.id)
        // Entries are no older than their alert, so that the months before need not be looked at; a day for clocks that differ.
        .and("id >= public.uuid_at(?::timestamptz - interval '1 day')", alert.created_at);
      return page<TimelineRow, TimelineEntry>(tx, {
        select: 'id, type, occurred_at, actor, cause, changes, note',
        from: 'alerts.timeline', where, sort: { column: 'alert_version', type: 'int', descending: false }, id: 'id',
        limit: query.limit, cursor: query.cursor, boundTo: ['timeline', alert.id],
        total: async () => (await tx.query<{ n: number }>(`SELECT count(*)::int AS n FROM alerts.timeline WHERE ${where.toString()}`, where.params))[0]?.n ?? 0,
        item: timelineEntryOf,
      });
    });
  }
}

async function find(tx: Tx, { principal, params }: Input<unknown, unknown>): Promise<AlertRow> {
  const id = params['id'] ?? '';
  const uuid = uuidOf('alert', id);
  const [row] = uuid === null
    ? []
    : await tx.query<AlertRow>(`SELECT ${alertColumns} FROM alerts.alerts WHERE organization_id = $1 AND environment = $2 AND id = $3`, [principal.organizationId, principal.environment, uuid]);
  if (!row) throw new Fault('NOT_FOUND', { resource: 'alert', id });
  return row;
}

interface TimelineRow {
  id: string;
  type: TimelineEntry['type'];
  occurred_at: Date;
  actor: TimelineEntry['actor'];
  cause: TimelineEntry['cause'];
  changes: TimelineEntry['changes'];
  note: string | null;
}

const timelineEntryOf = (row: TimelineRow): TimelineEntry => ({
  id: publicId('timelineEntry', row.id),
  type: row.type,
  occurredAt: row.occurred_at.toISOString(),
  actor: row.actor,
  cause: row.cause,
  changes: row.changes,
  note: row.note,
});
