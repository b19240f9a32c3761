/** The page ledger as the API shows it. */
import { publicId, type AlertPage, type Input, type ListPagesQuery, type Page } from '@ams/contracts';
import { Database, page, selectOf, Where } from '@ams/database';
import { Injectable } from '@nestjs/common';
import { PageRequestEntity } from './page-request.entity.js';

@Injectable()
export class PagesService {
  constructor(private readonly database: Database) {}

  list(input: Input<ListPagesQuery, undefined>): Promise<Page<AlertPage>> {
    const { principal } = input;
    const { limit, cursor, ...filters } = input.query;
    const where = new Where()
      .and('p.organization_id = ?', principal.organizationId)
      .and('p.environment = ?', principal.environment);
    where.ofIds('p.alert_id', 'alert', filters.alertId).ofIds('p.incident_id', 'incident', filters.incidentId);
    where.ofTexts('p.outcome', filters.outcome);
    where.ofTimes('p.asked_at', filters.since, filters.until);
    where.ofTimes('p.asked_at', filters.createdSince, filters.createdUntil);
    return this.database.readAs(principal, (tx) =>
      page<PageRequestEntity, AlertPage>(tx, {
        select: selectOf(tx, PageRequestEntity, 'p'),
        from: 'workflows.page_requests p',
        where,
        sort: { column: 'asked_at', type: 'time', descending: filters.sort !== 'askedAt' },
        id: 'p.id',
        limit,
        cursor,
        boundTo: ['pages', filters],
        total: async () => {
          const [row] = await tx.query<{ n: number }>(
            `SELECT count(*)::int AS n FROM workflows.page_requests p WHERE ${where.toString()}`,
            where.params,
          );
          return row?.n ?? 0;
        },
        item: shownPage,
      }),
    );
  }
}

export const shownPage = (line: PageRequestEntity): AlertPage => ({
  id: publicId('page', line.id),
  alertId: publicId('alert', line.alertId),
  incidentId: publicId('incident', line.incidentId),
  workflowId: publicId('workflow', line.workflowId),
  outcome: line.outcome,
  reason: line.reason,
  notificationIds: line.notificationIds.map((id) => publicId('notification', id)),
  askedAt: line.askedAt.toISOString(),
  endedAt: line.endedAt?.toISOString() ?? null,
  repairs: line.repairs,
});
