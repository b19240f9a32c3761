/**
 * The state machine of alerts, as pure decisions: the effect of an event or a command on an alert. Nothing here uses a
 * database, a clock or NATS; the caller applies the decision.
 *
 * Every decision that changes an alert increments its version and is one entry of its timeline, so the versions of the
 * timeline entries of an alert have no gaps: created 1, then 2, 3, …
 */
import type { AlertEdit } from './alert-edit.js';
import type { AlertStatus } from './alert-status.js';
import { withTags } from './alert-edit.js';
import { eventLimits } from './event-limits.js';
import type { MappedEvent } from '../mapping/mapped-event.js';
import type { Severity } from './severity.js';

/** Who made the change, as records show it. */
export interface ActorRef {
  type: 'user' | 'api_key' | 'workflow' | 'integration' | 'service';
  id: string | null;
  name: string;
  /** The key with which a member acted. */
  via?: { type: 'api_key'; id: string; name: string };
}

export type ResolveReason = 'ingest' | 'api' | 'workflow' | 'incident' | 'timeout';

export interface SuppressionState {
  windowId: string | null;
  until: string | null;
  priorStatus: 'firing' | 'acknowledged';
}

/**
 * The part of an alert that decisions read and change. Times are RFC 3339 in UTC with milliseconds, so they compare as
 * text.
 */
export interface AlertState {
  status: AlertStatus;
  severity: Severity;
  title: string;
  description: string | null;
  source: string | null;
  labels: Record<string, string>;
  annotations: Record<string, string>;
  firstOccurredAt: string;
  lastOccurredAt: string;
  occurrenceCount: number;
  acknowledgedAt: string | null;
  acknowledgedBy: ActorRef | null;
  resolvedAt: string | null;
  resolvedBy: ActorRef | null;
  resolveReason: ResolveReason | null;
  suppression: SuppressionState | null;
  autoResolveAfterSeconds: number | null;
  autoResolveAt: string | null;
  version: number;
}

export interface FieldChange {
  field: string;
  before: unknown;
  after: unknown;
}

export type AlertChangeType =
  | 'alert.created'
  | 'alert.occurred'
  | 'alert.acknowledged'
  | 'alert.resolved'
  | 'alert.suppressed'
  | 'alert.resumed'
  | 'alert.severityChanged'
  /** Another window suppresses it now, or the end of the window has changed. */
  | 'alert.suppressionChanged'
  | 'alert.addedToIncident'
  | 'alert.assigned'
  | 'alert.labelsChanged'
  /** A note, a title or a description of the sender, without an occurrence. */
  | 'alert.noted';

/** Not published: events for each occurrence would be most of the stream. */
const unpublishedTypes: ReadonlySet<AlertChangeType> = new Set<AlertChangeType>([
  'alert.occurred',
  'alert.suppressionChanged',
]);

/** Whether a change is published as a domain event. */
export const isPublished = (
  type: AlertChangeType,
): type is Exclude<AlertChangeType, 'alert.occurred' | 'alert.suppressionChanged'> => !unpublishedTypes.has(type);

/** The allowed transitions, used by every command. `resolved` is final; the next event opens a new alert. */
export const alertTransitions: Readonly<Record<AlertStatus, readonly AlertStatus[]>> = {
  firing: ['acknowledged', 'resolved', 'suppressed'],
  acknowledged: ['firing', 'resolved'],
  suppressed: ['firing', 'acknowledged', 'resolved'],
  resolved: [],
};

/** An event as the state machine receives it. */
export interface AlertEventInput extends MappedEvent {
  receivedAt: string;
  autoResolveAfterSeconds: number | null;
  /** When the event is applied. The clocks of gateways differ, so the time of an automatic resolve begins here. */
  appliedAt: string;
}

export interface Changed {
  kind: 'changed';
  type: AlertChangeType;
  alert: AlertState;
  changes: FieldChange[];
}

export type EventDecision =
  | { kind: 'opened'; type: 'alert.created'; alert: AlertState; changes: FieldChange[] }
  | Changed
  /** The alert is in that state already, or this state cannot follow: the event changes nothing. */
  | { kind: 'unchanged' }
  /** A resolve, or an acknowledgement that opens no alert, for which there is no open alert. */
  | { kind: 'noMatch' };

const later = (a: string, b: string): string => (a > b ? a : b);

const plusSeconds = (instant: string, seconds: number | null): string | null =>
  seconds === null ? null : new Date(Date.parse(instant) + seconds * 1000).toISOString();

const compared = [
  'status',
  'severity',
  'title',
  'description',
  'source',
  'labels',
  'annotations',
  'occurrenceCount',
  'suppression',
] as const;

function changesBetween(before: AlertState, after: AlertState): FieldChange[] {
  const changes: FieldChange[] = [];
  for (const field of compared) {
    const from = before[field];
    const to = after[field];
    if (from !== to && (typeof from !== 'object' || !sameFields(from, to as object | null)))
      changes.push({ field, before: from, after: to });
  }
  return changes;
}

function sameFields(a: object | null, b: object | null): boolean {
  if (a === null || b === null) return a === b;
  const keys = Object.keys(a);
  const others = b as Record<string, unknown>;
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && others[key] === (a as Record<string, unknown>)[key])
  );
}

function changed(before: AlertState, type: AlertChangeType, values: Partial<AlertState>): Changed {
  const alert = { ...before, ...values, version: before.version + 1 };
  return { kind: 'changed', type, alert, changes: changesBetween(before, alert) };
}

/** The suppression of an alert: of the active windows that match it, the one that ends last. */
export interface SuppressingWindow {
  windowId: string;
  /** When that window ends. */
  until: string;
}

/** Finds the window that suppresses an alert with the given values now. */
export type FindSuppressingWindow = (alert: AlertState) => SuppressingWindow | null;

/** Decides the effect of an event on the open alert of its fingerprint, or on no alert. */
export function decideEvent(
  open: AlertState | null,
  event: AlertEventInput,
  sender: ActorRef,
  suppressingWindowOf: FindSuppressingWindow,
): EventDecision {
  if (open === null)
    return event.status === 'resolved' || event.opensNone
      ? { kind: 'noMatch' }
      : opened(event, sender, suppressingWindowOf);
  if (event.edit !== undefined) return decideEdit(open, event.edit, suppressingWindowOf);
  if (event.status === 'firing') return occurred(open, event, suppressingWindowOf);
  if (open.status === event.status || !alertTransitions[open.status].includes(event.status))
    return { kind: 'unchanged' };
  const at = event.receivedAt;
  if (event.status === 'acknowledged') return acknowledged(open, at, sender);
  if (event.status === 'resolved') return resolved(open, at, sender, 'ingest');
  return changed(open, 'alert.suppressed', { status: 'suppressed', suppression: senderSuppression });
}

/** The sender reported the alert as suppressed: only its own events or a person end this, not a window. */
const senderSuppression: SuppressionState = { windowId: null, until: null, priorStatus: 'firing' };

const oldestSeconds = 366 * 86_400;

/** The sender's own time when it is plausible: not in the future, and at most a year ago. */
function beganAt({ occurredAt, receivedAt }: AlertEventInput): string {
  if (occurredAt === undefined || occurredAt > receivedAt) return receivedAt;
  return occurredAt < new Date(Date.parse(receivedAt) - oldestSeconds * 1000).toISOString() ? receivedAt : occurredAt;
}

function opened(event: AlertEventInput, sender: ActorRef, suppressingWindowOf: FindSuppressingWindow): EventDecision {
  const sent: AlertState = {
    status: event.status,
    severity: event.severity ?? 'medium',
    title: event.title,
    description: event.description,
    source: event.source,
    labels: event.labels,
    annotations: event.annotations,
    firstOccurredAt: beganAt(event),
    lastOccurredAt: event.receivedAt,
    occurrenceCount: 1,
    acknowledgedAt: event.status === 'acknowledged' ? event.receivedAt : null,
    acknowledgedBy: event.status === 'acknowledged' ? sender : null,
    resolvedAt: null,
    resolvedBy: null,
    resolveReason: null,
    suppression: event.status === 'suppressed' ? senderSuppression : null,
    autoResolveAfterSeconds: event.autoResolveAfterSeconds,
    autoResolveAt: plusSeconds(event.appliedAt, event.autoResolveAfterSeconds),
    version: 1,
  };
  const alert = { ...sent, ...underWindows(sent, suppressingWindowOf(sent))?.values };
  return {
    kind: 'opened',
    type: 'alert.created',
    alert,
    changes: [
      { field: 'status', before: null, after: alert.status },
      { field: 'severity', before: null, after: alert.severity },
    ],
  };
}

/** The effect of the windows on an alert with these values; `null` when they change nothing. */
function underWindows(
  alert: AlertState,
  suppressing: SuppressingWindow | null,
): { type: AlertChangeType; values: Partial<AlertState> } | null {
  const current = alert.suppression;
  if (alert.status === 'firing' && suppressing) {
    return {
      type: 'alert.suppressed',
      values: { status: 'suppressed', suppression: { ...suppressing, priorStatus: 'firing' } },
    };
  }
  if (alert.status !== 'suppressed' || current === null || current.windowId === null) return null;
  if (!suppressing) return { type: 'alert.resumed', values: { status: current.priorStatus, suppression: null } };
  const same = current.windowId === suppressing.windowId && current.until === suppressing.until;
  return same
    ? null
    : {
        type: 'alert.suppressionChanged',
        values: { suppression: { ...suppressing, priorStatus: current.priorStatus } },
      };
}

/**
 * A further firing event. Its values replace the old ones and determine which windows match; values that it does not
 * have stay. It ends an acknowledgement or a suppression that only the sender reported. The clocks of gateways may
 * differ, so lastOccurredAt never decreases. There is one decision: a start or end of suppression takes precedence over
 * a change of severity.
 */
function occurred(open: AlertState, event: AlertEventInput, suppressingWindowOf: FindSuppressingWindow): EventDecision {
  const lastOccurredAt = later(open.lastOccurredAt, event.receivedAt);
  const severity = event.severityIsDefault ? open.severity : (event.severity ?? open.severity);
  const resumes = isHandledBySenderOnly(open);
  const values: Partial<AlertState> = {
    ...(resumes && { status: 'firing', suppression: null, acknowledgedAt: null, acknowledgedBy: null }),
    severity,
    title: event.title,
    description: event.description ?? open.description,
    source: event.source ?? open.source,
    labels: merged(open.labels, event.labels, eventLimits.labels, Infinity),
    annotations: merged(open.annotations, event.annotations, eventLimits.annotations, eventLimits.allAnnotationBytes),
    lastOccurredAt,
    occurrenceCount: open.occurrenceCount + 1,
    autoResolveAfterSeconds: event.autoResolveAfterSeconds,
    autoResolveAt: plusSeconds(event.appliedAt, event.autoResolveAfterSeconds),
  };
  const type = resumes ? 'alert.resumed' : severity === open.severity ? 'alert.occurred' : 'alert.severityChanged';
  return changedUnderWindows(open, type, values, suppressingWindowOf);
}

/** An edit may only add a note. */
function decideEdit(open: AlertState, edit: AlertEdit, suppressingWindowOf: FindSuppressingWindow): EventDecision {
  if (edit.unacknowledge && isHandledBySenderOnly(open)) {
    const decision = unacknowledged(open, suppressingWindowOf);
    if (decision.kind === 'changed') return decision;
  }
  const { title = open.title, description = open.description, severity = open.severity } = edit;
  const labels = editedLabels(open.labels, edit);
  const values = { title, description, severity, labels };
  if (severity !== open.severity)
    return changedUnderWindows(open, 'alert.severityChanged', values, suppressingWindowOf);
  if (!sameFields(open.labels, labels))
    return changedUnderWindows(open, 'alert.labelsChanged', values, suppressingWindowOf);
  if (title !== open.title || description !== open.description)
    return changedUnderWindows(open, 'alert.noted', values, suppressingWindowOf);
  return edit.note === undefined ? { kind: 'unchanged' } : noted(open, 'alert.noted', []);
}

function editedLabels(labels: Record<string, string>, edit: AlertEdit): Record<string, string> {
  const kept = Object.entries(labels).filter(([key]) => !edit.removeLabels?.includes(key));
  const next = merged(Object.fromEntries(kept), edit.setLabels ?? {}, eventLimits.labels, Infinity);
  return withTags(next, edit);
}

/** Whether only the sender acknowledged or suppressed the alert: no member or key did, and no window suppresses it. */
const isHandledBySenderOnly = ({ status, acknowledgedBy, suppression }: AlertState): boolean =>
  status === 'acknowledged'
    ? acknowledgedBy?.type === 'integration'
    : status === 'suppressed' && suppression?.windowId === null;

/** The new entries, and the old ones with other keys as far as the limits allow. */
function merged(
  old: Record<string, string>,
  next: Record<string, string>,
  entries: number,
  bytes: number,
): Record<string, string> {
  const kept = Object.keys(old).filter((key) => !Object.hasOwn(next, key));
  if (kept.length === 0) return next;
  let places = entries - Object.keys(next).length;
  let room = Object.values(next).reduce((left, value) => left - Buffer.byteLength(value), bytes);
  const all = Object.create(null) as Record<string, string>;
  for (const key of kept) {
    const size = Buffer.byteLength(old[key]!);
    if (places <= 0 || size > room) continue;
    places--;
    room -= size;
    all[key] = old[key]!;
  }
  return Object.assign(all, next);
}

/**
 * The effect of the windows on an open alert when a window begins, ends or changes. `onEnd` is the setting of the
 * window that suppressed the alert and has ended. When a window was deleted or no longer matches, its alerts resume.
 */
export function decideWindows(
  alert: AlertState,
  suppressing: SuppressingWindow | null,
  onEnd: 'resume' | 'resolve',
  at: string,
  by: ActorRef,
): Changed | { kind: 'unchanged' } {
  const windows = underWindows(alert, suppressing);
  if (!windows) return { kind: 'unchanged' };
  return windows.type === 'alert.resumed' && onEnd === 'resolve'
    ? resolved(alert, at, by, 'timeout')
    : changed(alert, windows.type, windows.values);
}

/** A workflow changes the severity. Windows are evaluated with the new severity, as for events. */
export const withSeverity = (
  alert: AlertState,
  severity: Severity,
  suppressingWindowOf: FindSuppressingWindow,
): Changed | { kind: 'unchanged' } =>
  alert.status === 'resolved' || alert.severity === severity
    ? { kind: 'unchanged' }
    : changedUnderWindows(alert, 'alert.severityChanged', { severity }, suppressingWindowOf);

/** Adds labels to the alert; existing keys get the new value. */
export function withLabels(
  alert: AlertState,
  labels: Record<string, string>,
  suppressingWindowOf: FindSuppressingWindow,
): Changed | { kind: 'unchanged' } {
  const next = { ...alert.labels, ...labels };
  return alert.status === 'resolved' || sameFields(alert.labels, next)
    ? { kind: 'unchanged' }
    : changedUnderWindows(alert, 'alert.labelsChanged', { labels: next }, suppressingWindowOf);
}

function changedUnderWindows(
  alert: AlertState,
  type: AlertChangeType,
  values: Partial<AlertState>,
  suppressingWindowOf: FindSuppressingWindow,
): Changed {
  const renewed = { ...alert, ...values };
  const windows = underWindows(renewed, suppressingWindowOf(renewed));
  return changed(alert, windows && windows.type !== 'alert.suppressionChanged' ? windows.type : type, {
    ...values,
    ...windows?.values,
  });
}

/** A change of the alert that affects no decision; it still increments the version and adds a timeline entry. */
export const noted = (alert: AlertState, type: AlertChangeType, changes: FieldChange[]): Changed => ({
  kind: 'changed',
  type,
  alert: { ...alert, version: alert.version + 1 },
  changes,
});

const acknowledged = (alert: AlertState, at: string, by: ActorRef): Changed =>
  changed(alert, 'alert.acknowledged', {
    status: 'acknowledged',
    acknowledgedAt: at,
    acknowledgedBy: by,
    suppression: null,
  });

const resolved = (alert: AlertState, at: string, by: ActorRef, reason: ResolveReason): Changed =>
  changed(alert, 'alert.resolved', {
    status: 'resolved',
    resolvedAt: at,
    resolvedBy: by,
    resolveReason: reason,
    suppression: null,
    autoResolveAt: null,
  });

export type CommandDecision =
  | Changed
  | { kind: 'unchanged' }
  | { kind: 'refused'; from: AlertStatus; to: AlertStatus; allowed: readonly AlertStatus[] };

type CommandWithoutEffect = Exclude<CommandDecision, Changed>;

/** What a command says about an alert with this status, when it cannot change it; else null. */
export function withoutEffect(status: AlertStatus, action: 'acknowledge' | 'resolve'): CommandWithoutEffect | null {
  const to: AlertStatus = action === 'acknowledge' ? 'acknowledged' : 'resolved';
  if (status === to) return { kind: 'unchanged' };
  const allowed = alertTransitions[status];
  return allowed.includes(to) ? null : { kind: 'refused', from: status, to, allowed };
}

/** A command of a person, a workflow or a timer. Repeating an action changes nothing and keeps the first actor. */
export function decideCommand(
  alert: AlertState,
  command: { action: 'acknowledge' } | { action: 'resolve'; reason: ResolveReason },
  at: string,
  by: ActorRef,
): CommandDecision {
  const none = withoutEffect(alert.status, command.action);
  if (none) return none;
  return command.action === 'acknowledge' ? acknowledged(alert, at, by) : resolved(alert, at, by, command.reason);
}

/** A person takes an acknowledgement back. It changes nothing while there is none; a resolved alert is refused. */
export const decideUnacknowledge = (alert: AlertState, suppressingWindowOf: FindSuppressingWindow): CommandDecision =>
  alert.status === 'resolved'
    ? { kind: 'refused', from: alert.status, to: 'firing', allowed: alertTransitions.resolved }
    : unacknowledged(alert, suppressingWindowOf);

/** An acknowledged alert fires again, because its acknowledgement or that of its incident has ended. */
export const unacknowledged = (
  alert: AlertState,
  suppressingWindowOf: FindSuppressingWindow,
): Changed | { kind: 'unchanged' } =>
  alert.status === 'acknowledged'
    ? changedUnderWindows(
        alert,
        'alert.resumed',
        { status: 'firing', acknowledgedAt: null, acknowledgedBy: null },
        suppressingWindowOf,
      )
    : { kind: 'unchanged' };
