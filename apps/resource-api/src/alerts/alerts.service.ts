/** Reads of alerts, which alert-pipeline writes. */
import { alertFromRow, withMatchedLabels, type AlertConditions } from '@ams/alerting';
import {
  maxPageSize,
  publicId,
  type Alert,
  type AlertFacetsQuery,
  type ExportAlertsQuery,
  type Facets,
  type Input,
  type ListAlertsQuery,
  type ListTimelineQuery,
  type NoQuery,
  type Page,
  type Principal,
  type TimelineEntry,
} from '@ams/contracts';
import {
  boundBy,
  Database,
  fitting,
  pageSize,
  readCursor,
  sentTogether,
  writeCursor,
  type Position,
  type Tx,
} from '@ams/database';
import { alertFacetNames, facetLimits, parseFacets } from '@ams/domain';
import { Injectable } from '@nestjs/common';
import { AlertCounts, hasCounters } from './alert-counts.js';
import { countersOf, groupsOf, searchFacets, shownFacets } from './alert-facets.js';
import { alertsById, alertsThatFit, findAlert, sumOfCounters } from './alert-queries.js';
import { findAlerts } from './alert-search.js';
import type { AlertOrder } from './alert-slices.js';
import { timelinePage } from './timeline.js';

@Injectable()
export class AlertsService {
  constructor(
    private readonly database: Database,
    private readonly counts: AlertCounts,
  ) {}

  async list({ principal, query }: Input<ListAlertsQuery, undefined>): Promise<Page<Alert>> {
    const { limit: wanted, cursor, sort = '-lastOccurredAt', ...sent } = query;
    const order = sort.replace('-', '') as AlertOrder;
    const descending = sort.startsWith('-');
    const limit = pageSize(wanted);
    const bound = boundBy(['alerts', { ...sent, sort }]);
    const after = cursor === undefined ? null : readCursor(cursor, bound, order === 'severity' ? 'rankedTime' : 'time');
    const filter = await withMatchedLabels(this.database, 'alerts_views.alerts', principal, sent);
    const search = { reader: principal, filter, order, descending, after, size: limit + 1 };
    const found = await findAlerts(this.database, search);
    const shown = found.slice(0, limit);
    const isWhole = after === null && found.length <= limit;
    const count = after !== null ? noTotal : isWhole ? async () => found.length : await this.totalOf(principal, filter);
    return this.database.readAtOnceAs(principal, async (tx) => {
      const [total, rows] = await sentTogether([count(tx), alertsById(tx, principal, idsOf(shown))]);
      const alerts = rows.map(alertFromRow);
      const data = fitting(alerts);
      const hasMore = found.length > limit || data.length < alerts.length;
      const last = data.length < alerts.length ? positionOf(data.at(-1), shown) : shown.at(-1);
      const nextCursor = hasMore && last ? writeCursor(bound, last) : null;
      return { data, meta: { limit, hasMore, nextCursor, ...(total === undefined ? {} : { total }) } };
    });
  }

  /**
   * A page of an export. It has more alerts than one of a list, because each page searches again. They are read a few
   * at a time, because one alert may be large.
   */
  async export({ principal, query, after }: Input<ExportAlertsQuery, undefined>): Promise<Page<Alert>> {
    const { format: _format, sort = '-createdAt', ...sent } = query;
    const descending = sort.startsWith('-');
    const bound = boundBy(['export of alerts', { ...sent, sort }]);
    const position = after === undefined ? null : readCursor(after, bound, 'time');
    const filter = await withMatchedLabels(this.database, 'alerts_views.alerts', principal, sent);
    const order = { order: 'createdAt', descending, after: position, size: exportPageSize + 1 } as const;
    const found = await findAlerts(this.database, { reader: principal, filter, ...order });
    const shown = found.slice(0, exportPageSize);
    const { data, isWhole } = await this.database.readAs(principal, (tx) =>
      alertsThatFit(tx, principal, idsOf(shown), maxPageSize),
    );
    const hasMore = found.length > exportPageSize || !isWhole;
    const last = isWhole ? shown.at(-1) : positionOf(data.at(-1), shown);
    const nextCursor = hasMore && last ? writeCursor(bound, last) : null;
    return { data, meta: { limit: exportPageSize, hasMore, nextCursor } };
  }

  /** Counters are read in the transaction of the page; other alerts are counted before it. */
  private async totalOf(
    principal: Principal,
    filter: AlertConditions,
  ): Promise<(tx: Pick<Tx, 'query'>) => Promise<number>> {
    if (hasCounters(principal, filter)) return (tx) => sumOfCounters(tx, principal, filter);
    const total = await this.counts.count(principal, filter);
    return async () => total;
  }

  async facets({ principal, query }: Input<AlertFacetsQuery, undefined>): Promise<Facets> {
    const { facet = [...alertFacetNames], values = facetLimits.valuesByDefault, ...sent } = query;
    const parsed = parseFacets(facet, alertFacetNames, true);
    if (parsed.kind === 'fault') throw new Error(`unchecked facets: facet ${parsed.message}`);
    const { counters, searched } = await groupsOf(this.database, principal, sent, parsed.facets);
    const found = await Promise.all(searched.map((group) => searchFacets(this.database, principal, group)));
    return this.database.readAs(principal, async (tx) => {
      const counted = found.flat();
      for (const group of counters) counted.push(...(await countersOf(tx, principal, group)));
      return { facets: shownFacets(parsed.facets, counted, values) };
    });
  }

  get(input: Input<NoQuery, undefined>): Promise<Alert> {
    return this.database.readAtOnceAs(input.principal, async (tx) => alertFromRow(await findAlert(tx, input)));
  }

  timeline(input: Input<ListTimelineQuery, undefined>): Promise<Page<TimelineEntry>> {
    const { principal, query } = input;
    return this.database.readAs(principal, async (tx) =>
      timelinePage(tx, principal, 'alert', await findAlert(tx, input), query),
    );
  }
}

const exportPageSize = 500;

const noTotal = async (): Promise<undefined> => undefined;

const idsOf = (positions: Position[]): string[] => positions.map(({ id }) => id);

const positionOf = (alert: Alert | undefined, positions: Position[]): Position | undefined =>
  positions.find(({ id }) => publicId('alert', id) === alert?.id);
