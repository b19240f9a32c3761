/**
 * Applies a batch of events to alerts. The decision about an event uses the alert as the events before it have
 * changed it. The pipeline and a simulation both run this, each with its own `AlertRecords`.
 */
import { publicId, type IngestEvent } from '@ams/contracts';
import { sentTogether, type Tx } from '@ams/database';
import {
  allAtOnce,
  decideEvent,
  mapInParts,
  noted,
  type RunInParts,
  type ActorRef,
  type AlertStatus,
  type EventDecision,
  type FieldChange,
} from '@ams/domain';
import { spanOf, within } from '@ams/tracing';
import type { AlertRecords } from '../alerting-records.js';
import type { WindowRecord, Windows } from '../suppression/suppression-windows.js';
import type { AlertRecord } from './alert-record.js';
import { assigneesOf } from './event-assignees.js';
import { clientsOf } from './event-clients.js';
import {
  dedupScopeOf,
  fingerprintKey,
  openAlertOf,
  previousAlertKey,
  updateOpenAlerts,
  type OpenAlerts,
  type PreviousAlerts,
} from './alerts-by-fingerprint.js';

/** The effect of an event on its alert, as the stored event shows it. */
export type EventEffect =
  | 'opened'
  | 'occurred'
  | 'acknowledged'
  | 'suppressed'
  | 'resolved'
  | 'edited'
  /** A note for all open alerts of the integration. */
  | 'noted'
  | 'unchanged'
  | 'noMatch';

/** An alert before the decision. */
export type NewAlert = Omit<AlertRecord, 'state'>;

export interface AppliedEvent {
  event: IngestEvent;
  /** The integration, as the actor of the change. */
  sender: ActorRef;
  decision: EventDecision;
  effect: EventEffect;
  /** The alert that was open before the event; null when there was none. */
  openAlert: AlertRecord | null;
  /** The open alert, the one that the event opens, or the one that it would open if it were firing. */
  subject: NewAlert;
  /** The open alert, or the one that the event opens. Events that come later may change it. */
  alert: AlertRecord | null;
  /** The status of `alert` after this event. */
  status: AlertStatus | null;
  /** The changes for the timeline. Empty when the event changes no alert. */
  changes: FieldChange[];
  /** The windows that were considered. Empty for an event that is not firing. */
  windows: WindowRecord[];
}

/** The input of the decisions. `foldEvent` keeps `open` and `previous` up to date. */
export interface EventContext {
  open: OpenAlerts;
  previous: PreviousAlerts;
  windows: Windows;
  clientOf: (event: IngestEvent) => string | null;
  /** The UUID of the member that an edit assigns the alert to. */
  assigneeOf: (event: IngestEvent) => string | null;
  partition: number;
  /** By the clock of the database when the time of an automatic resolve begins with one of the events. */
  now: Date;
}

export async function applyEvents(
  tx: Tx,
  records: AlertRecords,
  events: readonly IngestEvent[],
  { partition, now }: Pick<EventContext, 'partition' | 'now'>,
  inParts: RunInParts = allAtOnce,
): Promise<AppliedEvent[]> {
  const distinct = [...new Map(events.map((event) => [fingerprintKey(event), event])).values()];
  const open = await records.openAlertsFor(distinct);
  const unopened = distinct.filter((event) => !open.has(fingerprintKey(event)));
  const firing = events.filter(({ status }) => status === 'firing');
  const [previous, windows, clientOf, assigneeOf] = await sentTogether([
    records.previousAlertsFor(unopened),
    // Read after the alerts are locked: otherwise a window could suppress them whose end is processed already.
    records.windowsFor(firing, now.toISOString()),
    clientsOf(tx, events),
    assigneesOf(tx, events),
  ]);
  const context = { open, previous, windows, clientOf, assigneeOf, partition, now };
  // The changes that an event makes belong to its trace.
  return inParts(mapInParts(events, (event) => within(spanOf(event), () => foldEvent(records, event, context))));
}

export function foldEvent(records: AlertRecords, event: IngestEvent, context: EventContext): AppliedEvent {
  const { open, previous } = context;
  const decided = decide(event, context);
  const { decision, openAlert, subject, sender, changes } = decided;
  const why = {
    actor: sender,
    cause: { type: 'event' as const, id: publicId('event', event.id) },
    at: event.receivedAt,
    entryId: event.id,
  };
  let alert = openAlert;
  if (decision.kind === 'opened') {
    alert = { ...subject, state: decision.alert };
    updateOpenAlerts(open, alert);
    records.openAlert(alert, { type: decision.type, changes, ...why });
  } else if (decision.kind === 'changed' && openAlert) {
    if (event.status === 'firing' && event.integrationId === openAlert.integrationId)
      openAlert.integrationName = event.integrationName;
    if (decision.type === 'alert.assigned') openAlert.assigneeId = context.assigneeOf(event);
    const note = event.edit?.note ?? null;
    records.changeAlert(openAlert, decision.alert, { type: decision.type, changes, ...why, note });
    if (openAlert.state.status === 'resolved') {
      updateOpenAlerts(open, openAlert);
      previous.set(previousAlertKey(openAlert, openAlert.dedupScope), openAlert.id);
    }
  }
  return { ...decided, alert, status: alert?.state.status ?? null };
}

type Decided = Omit<AppliedEvent, 'alert' | 'status'>;

function decide(event: IngestEvent, context: EventContext): Decided {
  const found = openAlertOf(context.open, event);
  const openAlert = event.alertId === undefined || found?.id === event.alertId ? found : null;
  const sender: ActorRef = {
    type: 'integration',
    id: publicId('integration', event.integrationId),
    name: event.integrationName,
  };
  const subject = openAlert ?? newAlert(event, context);
  subject.clientId = context.clientOf(event) ?? subject.clientId;
  let windows: WindowRecord[] = [];
  const applied = { ...event, appliedAt: context.now.toISOString() };
  const decision =
    assignment(event, openAlert, context) ??
    decideEvent(openAlert?.state ?? null, applied, sender, (state) => {
      const { suppressing, considered } = context.windows.consider(subject, state);
      windows = considered;
      return suppressing;
    });
  const effect = effectOf(decision, event);
  const changes = changesOf(decision);
  if (event.status !== 'firing') windows = [];
  return { event, sender, decision, effect, openAlert, subject, changes, windows };
}

/** Null when the event assigns no alert. An address that no member has changes nothing. */
function assignment(event: IngestEvent, alert: AlertRecord | null, context: EventContext): EventDecision | null {
  if (alert === null || event.edit?.assignee === undefined) return null;
  const assignee = context.assigneeOf(event);
  if (assignee === null || assignee === alert.assigneeId) return { kind: 'unchanged' };
  const [before, after] = [publicId('member', alert.assigneeId), publicId('member', assignee)];
  return noted(alert.state, 'alert.assigned', [{ field: 'assigneeId', before, after }]);
}

function changesOf(decision: EventDecision): FieldChange[] {
  if (decision.kind !== 'opened') return decision.kind === 'changed' ? decision.changes : [];
  const { suppression } = decision.alert;
  return suppression
    ? [...decision.changes, { field: 'suppression', before: null, after: suppression }]
    : decision.changes;
}

function effectOf(decision: EventDecision, event: IngestEvent): EventEffect {
  if (decision.kind !== 'changed') return decision.kind;
  if (event.edit !== undefined) return 'edited';
  if (event.status === 'firing') return 'occurred';
  const { status } = decision.alert;
  return status === 'resolved' || status === 'suppressed' ? status : 'acknowledged';
}

/**
 * The alert has the UUID of the event that opens it, and the entry of the timeline too. So an event that is applied
 * again, after the database has lost its last transactions, makes the same records, and the same domain event.
 */
function newAlert(event: IngestEvent, { previous, partition, now }: EventContext): NewAlert {
  const dedupScope = dedupScopeOf(event);
  return {
    id: event.id,
    organizationId: event.organizationId,
    environment: event.environment,
    integrationId: event.integrationId,
    integrationName: event.integrationName,
    dedupScope,
    partition,
    fingerprint: event.fingerprint,
    fingerprintSource: event.fingerprintSource,
    clientId: null,
    incidentId: null,
    assigneeId: null,
    previousAlertId: previous.get(previousAlertKey(event, dedupScope)) ?? null,
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
  };
}
