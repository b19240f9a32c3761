/** The last requests of an integration, with their outcomes. */
import { publicId, type Input, type IntegrationRequest, type ListRequestsQuery, type Page } from '@ams/contracts';
import { Database, page } from '@ams/database';
import { Injectable } from '@nestjs/common';
import { integrations } from '../integrations/integration-record.js';
import { findRecord } from '../records/entity-records.js';
import { count } from '../records/tenant-queries.js';
import { listedColumns, payloadOf, requestsOf, type RequestRow } from './request-queries.js';

@Injectable()
export class RequestsService {
  constructor(private readonly database: Database) {}

  list(input: Input<ListRequestsQuery, undefined>): Promise<Page<IntegrationRequest>> {
    const { principal, query } = input;
    return this.database.readAs(principal, async (tx) => {
      const integration = await findRecord(tx, integrations, input);
      const { limit, cursor, ...filters } = query;
      const where = requestsOf(integration);
      where.ofTimes('received_at', filters.createdSince, filters.createdUntil);
      return page<RequestRow, IntegrationRequest>(tx, {
        select: listedColumns,
        from: 'resources.requests',
        where,
        sort: { column: 'id', type: 'id', descending: filters.sort !== 'receivedAt' },
        id: 'id',
        limit,
        cursor,
        boundTo: ['requests', integration.id, filters],
        total: () => count(tx, 'resources.requests', where),
        item: requestOf,
      });
    });
  }
}

const requestOf = async (row: RequestRow): Promise<IntegrationRequest> => ({
  id: publicId('request', row.id),
  receivedAt: row.receivedAt.toISOString(),
  api: row.api,
  outcome: row.outcome,
  status: row.status,
  contentType: row.contentType,
  payload: await payloadOf(row),
  items: row.items,
  note: row.note,
  requestId: row.requestId,
});
