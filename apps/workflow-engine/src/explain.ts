/**
 * What became of an alert and why, from what was kept when it was decided: the events with where their fields came from
 * and the windows that were looked at, the workflows that were considered, their runs, and the log of notifications. Of its
 * incident what is about the incident itself belongs to it, too.
 */
import {
  Fault,
  publicId,
  uuidOf,
  type Change,
  type Explanation,
  type ExplainedDecision,
  type ExplainedEvent,
  type Input,
  type IngestEvent,
  type Principal,
} from '@ams/contracts';
import { storedAlertColumns, type EventEffect, type StoredAlert, type WindowRecord } from '@ams/alerting';
import { type Tx } from '@ams/database';
import { Inject, Injectable } from '@nestjs/common';
import { notificationFromRow, shownNotificationColumns, type ShownNotificationRow } from './notifications.js';
import { fingerprintOf, mappingOf } from './explained-event.js';
import { cutToFit } from './explanation-size.js';
import { summaryOf } from './explanation-summary.js';
import { DatabasePart } from './parts.js';
import type { Considered } from './trigger.js';
import { runFromRow, shownRunColumns, type ShownRunRow } from './workflow-runs.js';

type None = Record<string, never>;

/** The newest so many of each are looked at. */
const shownEvents = 50;
const shownRecords = 100;

@Injectable()
export class Explanations {
  constructor(@Inject(DatabasePart) private readonly databasePart: DatabasePart) {}

  explain({ principal, params }: Input<None, undefined>): Promise<Explanation> {
    return this.databasePart.database.readAs(principal, (tx) => explanationOf(tx, principal, params['id'] ?? ''));
  }
}

async function explanationOf(tx: Tx, principal: Principal, id: string): Promise<Explanation> {
  const alert = await alertOf(tx, principal, id);
  const about = [principal.organizationId, principal.environment, alert.id, alert.incident_id];
  const events = await newest<EventRow>(
    tx,
    shownEvents,
    'id, received_at, outcome, event',
    'alerts_views.events',
    'id',
    'alert_id = $3',
    about.slice(0, 3),
  );
  const considered = await newest<ConsideredRow>(
    tx,
    shownRecords,
    'event_id, event_type, occurred_at, workflows',
    'workflows.considered',
    'event_id',
    ofAlertOrIncident,
    about,
  );
  const runs = await newest<ShownRunRow>(
    tx,
    shownRecords,
    shownRunColumns,
    'workflows.runs',
    'id',
    ofAlertOrIncident,
    about,
  );
  const notifications = await newest<ShownNotificationRow>(
    tx,
    shownRecords,
    shownNotificationColumns,
    'workflows.notifications',
    'id',
    ofAlertOrIncident,
    about,
  );
  const { parts, leftOut } = cutToFit({
    events: events.rows.map(explainedEvent),
    decisions: considered.rows.map(explainedDecision),
    // What each node of the conditions said is in the decisions.
    runs: runs.rows.map(runFromRow).map(({ trace: _trace, ...run }) => run),
    notifications: notifications.rows.map(notificationFromRow),
  });
  const unseen = leftOut || [events, considered, runs, notifications].some(({ more }) => more);
  const opened = await openingOf(tx, principal, alert.id);
  return {
    alertId: publicId('alert', alert.id),
    summary: summaryOf({ alert, opened, ...parts, unseen }),
    ...parts,
    deliveries: parts.notifications,
  };
}

const ofAlertOrIncident = '(alert_id = $3 OR (incident_id = $4 AND alert_id IS NULL))';

async function alertOf(tx: Tx, { organizationId, environment }: Principal, id: string): Promise<StoredAlert> {
  const uuid = uuidOf('alert', id);
  const [row] =
    uuid === null
      ? []
      : await tx.query<StoredAlert>(
          `SELECT ${storedAlertColumns} FROM alerts_views.alerts WHERE organization_id = $1 AND environment = $2 AND id = $3`,
          [organizationId, environment, uuid],
        );
  if (!row) throw new Fault('NOT_FOUND', { resource: 'alert', id });
  return row;
}

/** The first entry of its timeline says as what the alert was opened. */
async function openingOf(tx: Tx, { organizationId, environment }: Principal, alertId: string): Promise<Change[]> {
  const [row] = await tx.query<{ changes: Change[] }>(
    'SELECT changes FROM alerts_views.timeline WHERE organization_id = $1 AND environment = $2 AND alert_id = $3 AND alert_version = 1',
    [organizationId, environment, alertId],
  );
  return row?.changes ?? [];
}

/** The newest rows of the tenant, oldest first, and whether there are older ones. */
async function newest<Row>(
  tx: Tx,
  most: number,
  columns: string,
  table: string,
  id: string,
  condition: string,
  params: unknown[],
): Promise<{ rows: Row[]; more: boolean }> {
  const rows = await tx.query<Row>(
    `SELECT ${columns} FROM ${table} WHERE organization_id = $1 AND environment = $2 AND ${condition} ORDER BY ${id} DESC LIMIT ${most + 1}`,
    params,
  );
  return { rows: rows.slice(0, most).reverse(), more: rows.length > most };
}

interface EventRow {
  id: string;
  received_at: Date;
  outcome: EventEffect;
  event: IngestEvent & { windows?: WindowRecord[] };
}

function explainedEvent({ id, received_at: receivedAt, outcome, event }: EventRow): ExplainedEvent {
  const mapping = mappingOf(event, event.provenance);
  return {
    id: publicId('event', id),
    receivedAt: receivedAt.toISOString(),
    outcome,
    mapping,
    fingerprint: fingerprintOf(event, event.dedupScope, mapping),
    windows: event.windows ?? [],
  };
}

interface ConsideredRow {
  event_id: string;
  event_type: string;
  occurred_at: Date;
  workflows: Considered[];
}

const explainedDecision = ({
  event_id: eventId,
  event_type: event,
  occurred_at: occurredAt,
  workflows,
}: ConsideredRow): ExplainedDecision & { workflows: Considered[] } => ({
  eventId: publicId('timelineEntry', eventId),
  event,
  occurredAt: occurredAt.toISOString(),
  workflows: workflows.map(({ workflowId, runId, ...considered }) => ({
    workflowId: publicId('workflow', workflowId),
    ...considered,
    runId: publicId('workflowRun', runId),
  })),
});
