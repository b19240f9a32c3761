/**
 * Explains what happened to an alert and why, from the stored decisions: its events with the sources of their fields
 * and the windows that were considered, the decisions about workflows, their runs, the notifications, and how each page
 * ended. Records that concern only the alert's incident are part of the explanation, too. SQL reads the newest records
 * of each list.
 */
import {
  Fault,
  mayRead,
  publicId,
  uuidOf,
  withAddressesFor,
  type Change,
  type Explanation,
  type ExplainedDecision,
  type ExplainedEvent,
  type IngestEvent,
  type Principal,
} from '@ams/contracts';
import { alertColumns, type EventEffect, type AlertRow, type WindowRecord } from '@ams/alerting';
import { Database, selectOf, type Tx } from '@ams/database';
import { Injectable } from '@nestjs/common';
import { NotificationEntity } from '../notifications/notification.entity.js';
import { notificationFor } from '../notifications/notifications.service.js';
import { EventDecisionEntity, type WorkflowDecision } from '../runs/event-decision.entity.js';
import { withMessageEnds } from '../runs/message-ends.js';
import type { WorkflowRunEntity } from '../runs/workflow-run.entity.js';
import { selectRun, shownRun } from '../runs/workflow-runs.service.js';
import { fingerprintOf, mappingOf } from './explained-event.js';
import { explainedPage, pageLinesOf, workflowsOfTeam, type PageLineRow } from './explained-pages.js';
import {
  changesSuppression,
  explainedSuppressions,
  suppressionColumns,
  type SuppressionRow,
} from './explained-suppressions.js';
import { cutToFit } from './explanation-size.js';
import { summaryOf } from './explanation-summary.js';

const maxEvents = 50;
const maxPages = 50;
const maxRecords = 100;

@Injectable()
export class ExplanationsService {
  constructor(private readonly database: Database) {}

  /** `alertId` is a public id. Throws NOT_FOUND. */
  explain(principal: Principal, alertId: string): Promise<Explanation> {
    return this.database.readAs(principal, (tx) => explanationOf(tx, principal, alertId));
  }
}

async function explanationOf(tx: Tx, principal: Principal, alertId: string): Promise<Explanation> {
  const alert = await alertOf(tx, principal, alertId);
  const { events, decisions, suppressions, runs, notifications, pages } = await recordsAbout(tx, alert);
  const isShown = await windowsShownTo(tx, principal);
  const readsWorkflows = mayRead(principal, 'workflows:read');
  const seesWorkflows = readsWorkflows && !principal.restrictedTo;
  const seesIncidents = mayRead(principal, 'incidents:read');
  const ofTeam = await workflowsOfTeam(tx, alert);
  const whole = {
    events: events.rows.map((row) => explainedEvent(row, isShown)),
    decisions: readsWorkflows ? decisions.rows.map(explainedDecision) : [],
    suppressions: (await explainedSuppressions(tx, alert, suppressions.rows)).map((one) =>
      mayRead(principal, 'suppression:read') ? one : { ...one, windowName: null },
    ),
    // The decisions hold the trace of the conditions.
    runs: withAddressesFor(
      principal,
      (await withMessageEnds(tx, principal, readsWorkflows ? runs.rows.map(shownRun) : [])).map(
        ({ trace: _trace, ...run }) => run,
      ),
    ),
    notifications: notifications.rows.map((row) => notificationFor(principal, row)),
    pages: withAddressesFor(
      principal,
      (seesIncidents ? pages.rows : []).map((line) => explainedPage(line, seesWorkflows)),
    ),
  };
  const { parts, leftOut } = cutToFit(whole, { ofTeam });
  const isIncomplete =
    leftOut || [events, decisions, suppressions, runs, notifications, pages].some(({ more }) => more);
  const opened = await openingOf(tx, principal, alert.id);
  return {
    alertId: publicId('alert', alert.id),
    summary: summaryOf({ alert, opened, ...parts, isIncomplete, seesWorkflows, ofTeam }),
    ...parts,
    deliveries: parts.notifications,
  };
}

async function alertOf(tx: Tx, { organizationId, environment }: Principal, id: string): Promise<AlertRow> {
  const uuid = uuidOf('alert', id);
  const [row] =
    uuid === null
      ? []
      : await tx.query<AlertRow>(
          `SELECT ${alertColumns} FROM alerts_views.alerts
           WHERE organization_id = $1 AND environment = $2 AND id = $3`,
          [organizationId, environment, uuid],
        );
  if (!row) throw new Fault('NOT_FOUND', { resource: 'alert', id });
  return row;
}

/** The changes of the first entry in the alert's timeline. */
async function openingOf(tx: Tx, { organizationId, environment }: Principal, alertId: string): Promise<Change[]> {
  const [row] = await tx.query<{ changes: Change[] }>(
    `SELECT changes FROM alerts_views.timeline
     WHERE organization_id = $1 AND environment = $2 AND alert_id = $3 AND alert_version = 1`,
    [organizationId, environment, alertId],
  );
  return row?.changes ?? [];
}

interface Newest<Row> {
  rows: Row[];
  /** There are older ones. */
  more: boolean;
}

const aboutAlertOrIncident = '(alert_id = $3 OR (incident_id = $4 AND alert_id IS NULL))';

async function recordsAbout(tx: Tx, alert: AlertRow) {
  const about = [alert.organization_id, alert.environment, alert.id, alert.incident_id];
  const lines = await pageLinesOf(tx, alert, maxPages + 1);
  const pages: Newest<PageLineRow> = { rows: lines.slice(0, maxPages).reverse(), more: lines.length > maxPages };
  const eventColumns = 'e.id, e.received_at AS "receivedAt", e.outcome, e.event';
  return {
    events: await newest<EventRow>(tx, maxEvents, {
      select: `${eventColumns} FROM alerts_views.events e`,
      where: 'alert_id = $3',
      id: 'id',
      params: about.slice(0, 3),
    }),
    decisions: await newest<EventDecisionEntity>(tx, maxRecords, {
      select: `${selectOf(tx, EventDecisionEntity, 'd')} FROM workflows.considered d`,
      // An event without any workflow is stored too, where the catch-all policy may be asked.
      where: `(${aboutAlertOrIncident}) AND d.workflows <> '[]'`,
      id: 'event_id',
      params: about,
    }),
    suppressions: await newest<SuppressionRow>(tx, maxEvents, {
      select: `${suppressionColumns} FROM alerts_views.timeline t`,
      where: `alert_id = $3 AND ${changesSuppression}`,
      id: 'alert_version',
      params: about.slice(0, 3),
    }),
    runs: await newest<WorkflowRunEntity>(tx, maxRecords, {
      select: `${selectRun(tx)} FROM workflows.runs r`,
      where: aboutAlertOrIncident,
      id: 'id',
      params: about,
    }),
    notifications: await newest<NotificationEntity>(tx, maxRecords, {
      select: `${selectOf(tx, NotificationEntity, 'n')} FROM workflows.notifications n`,
      // The pages of the incident are about all its alerts.
      where: `(${aboutAlertOrIncident} OR (incident_id = $4 AND page_id IS NOT NULL) OR id = ANY($5::uuid[]))`,
      id: 'id',
      params: [...about, pages.rows.flatMap(({ notificationIds }) => notificationIds)],
    }),
    pages,
  };
}

/** The newest rows of a tenant ($1, $2), oldest first. */
async function newest<Row>(
  tx: Tx,
  max: number,
  { select, where, id, params }: { select: string; where: string; id: string; params: unknown[] },
): Promise<Newest<Row>> {
  const rows = await tx.query<Row>(
    `SELECT ${select} WHERE organization_id = $1 AND environment = $2 AND ${where}
     ORDER BY ${id} DESC LIMIT ${max + 1}`,
    params,
  );
  return { rows: rows.slice(0, max).reverse(), more: rows.length > max };
}

interface EventRow {
  id: string;
  receivedAt: Date;
  outcome: EventEffect;
  event: IngestEvent & { windows?: WindowRecord[] };
}

/** Events record every active window. A narrowed key does not see those of others, and who may not read them none. */
async function windowsShownTo(tx: Tx, principal: Principal): Promise<(window: WindowRecord) => boolean> {
  const { organizationId, environment, restrictedTo } = principal;
  if (!mayRead(principal, 'suppression:read')) return () => false;
  if (!restrictedTo) return () => true;
  const rows = await tx.query<{ id: string }>(
    'SELECT id FROM resources_views.suppression_windows WHERE organization_id = $1 AND environment = $2',
    [organizationId, environment],
  );
  const shown = new Set(rows.map(({ id }) => publicId('suppressionWindow', id)));
  return ({ windowId }) => shown.has(windowId);
}

function explainedEvent(
  { id, receivedAt, outcome, event }: EventRow,
  isShown: (window: WindowRecord) => boolean,
): ExplainedEvent {
  const mapping = mappingOf(event, event.provenance);
  return {
    id: publicId('event', id),
    receivedAt: receivedAt.toISOString(),
    outcome,
    mapping,
    fingerprint: fingerprintOf(event, event.dedupScope, mapping),
    windows: (event.windows ?? []).filter(isShown),
  };
}

const explainedDecision = ({
  eventId,
  eventType: event,
  occurredAt,
  workflows,
}: EventDecisionEntity): ExplainedDecision & { workflows: WorkflowDecision[] } => ({
  eventId: publicId('timelineEntry', eventId),
  event,
  occurredAt: occurredAt.toISOString(),
  workflows: workflows.map(({ workflowId, runId, ...decision }) => ({
    workflowId: publicId('workflow', workflowId),
    ...decision,
    runId: publicId('workflowRun', runId),
  })),
});
