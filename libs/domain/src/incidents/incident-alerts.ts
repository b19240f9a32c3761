/**
 * What the states of its alerts mean for an incident, as a pure decision. The caller locks the incident and its alerts,
 * writes what changed, and then asks.
 */
import type { ActorRef } from '../alerts/alert-state.js';
import type { Severity } from '../alerts/severity.js';
import {
  alertsJoined,
  dueAt,
  paused,
  plusSeconds,
  resumed,
  type Escalated,
  type Paging,
} from '../paging/escalation.js';
import { urgencyOf } from '../paging/organization-settings.js';
import {
  changed,
  enter,
  isOnlyOfSender,
  isRise,
  isUrgentNow,
  type IncidentChanged,
  type IncidentChangeType,
  type IncidentContext,
  type IncidentState,
} from './incident-state.js';

/** The alerts of an incident, after the change. */
export interface AlertsOfIncident {
  open: number;
  firing: number;
  acknowledged: number;
  /** Of the open alerts that are not suppressed; null: there is none. */
  highest: Severity | null;
  /** The latest acknowledgement of an open alert. */
  lastAcknowledged: { at: string; by: ActorRef } | null;
  /** How often the alert that flaps most was resolved within the window of the flap settings. */
  flaps: number;
}

/** What happened to the alerts. */
export interface AlertsHappened {
  /** Firing alerts that joined. */
  joined: number;
  /**
   * Alerts that began to fire, those that joined included. While the incident is resolved, also each occurrence of an
   * alert that was left firing or acknowledged.
   */
  fired: number;
  resolved: number;
  /** Whether somebody took the acknowledgement of an alert back, which fires now. */
  handedBack?: boolean;
  /** Whether nothing has changed that the severity follows: a severity that a key has set stays. */
  keepsSeverity?: boolean;
  at: string;
  by: ActorRef;
}

/**
 * A message besides those of the levels. `rise`: the incident is more severe. `joined`: alerts joined while it was
 * acknowledged. `flapping`, `flappingOver`: an alert fires and resolves again and again.
 */
export interface Notice {
  kind: 'rise' | 'joined' | 'flapping' | 'flappingOver';
  /** The number of alerts that joined. */
  alerts: number;
}

export interface Followed {
  /** With the values that no entry of the timeline shows. */
  incident: IncidentState;
  /** Null when nothing changed that an entry of the timeline shows. */
  decision: IncidentChanged | null;
  notices: Notice[];
}

/**
 * The incident has the highest severity of its alerts. It is acknowledged when all its open alerts are, resolved with
 * the last one, triggered again when its urgency rises or an alert fires while it is resolved; its escalation pauses
 * while no alert fires.
 */
export function followAlerts(
  incident: IncidentState,
  alerts: AlertsOfIncident,
  happened: AlertsHappened,
  context: IncidentContext,
): Followed {
  const { at, by } = happened;
  const { paging } = incident;
  const flapping = flappingUntil(incident, alerts, happened, context);
  const severity = happened.keepsSeverity ? incident.severity : severityOf(incident, alerts, flapping !== null);
  const counted = {
    ...incident,
    openAlertCount: alerts.open,
    severity,
    urgency: urgencyOf(severity, context.settings),
  };
  const notices: Notice[] = [];
  let next: IncidentState = counted;
  let type: IncidentChangeType = 'incident.updated';
  const become = (values: Partial<IncidentState>, as: IncidentChangeType = type): void => {
    next = { ...next, ...values };
    type = as;
  };
  const trigger = (): void => become(enter(next, 'triggered', at, by, context), 'incident.reopened');
  const triggerAll = (): void => {
    trigger();
    if (alerts.acknowledged > 0) become({ paging: next.paging && { ...next.paging, refireAt: at } });
  };

  if (flapping !== null) {
    if (paging?.flappingUntil === null) notices.push({ kind: 'flapping', alerts: 0 });
    become({ paging: next.paging && { ...next.paging, flappingUntil: flapping } });
  }
  if (incident.status === 'resolved') {
    if (happened.fired > 0 && alerts.firing + (paging ? alerts.acknowledged : 0) > 0) triggerAll();
  } else if (isOver(incident, alerts, happened)) {
    if (flapping === null) become(enter(next, 'resolved', at, by, context), 'incident.resolved');
  } else if (paging && isUrgentNow(incident, severity, counted.urgency)) {
    triggerAll();
  } else if (firesAfterSender(incident, alerts, happened) || isHandedBack(incident, alerts, happened)) {
    trigger();
  } else if (isHandled(incident, alerts) && alerts.lastAcknowledged) {
    const { at: acknowledgedAt, by: person } = alerts.lastAcknowledged;
    become({ ...enter(next, 'acknowledged', at, person, context), acknowledgedAt }, 'incident.acknowledged');
  } else if (next.paging) {
    if (isRise(incident.severity, severity) && somebodyKnows(incident)) notices.push({ kind: 'rise', alerts: 0 });
    if (incident.status === 'acknowledged') {
      const { paging: told, tellNow } = joinedWhileAcknowledged(next.paging, alerts, happened);
      become({ paging: told });
      if (tellNow > 0) notices.push({ kind: 'joined', alerts: tellNow });
    }
  }
  become(held(next, alerts, happened));
  return { ...visible(incident, next, type), notices };
}

/** While nobody has been told, the page itself says the severity. */
const somebodyKnows = ({ status, escalation }: IncidentState): boolean =>
  status === 'acknowledged' || escalation.level > 0;

/**
 * The notice of a request that makes the incident more severe. There is none when the incident is triggered again, which
 * tells everybody, when the request acknowledges or resolves it, or while nobody is told because no alert fires.
 */
export function noticeOfRequest(before: IncidentState, after: IncidentState): Notice | null {
  const isTold =
    after.paging !== null &&
    after.status === before.status &&
    after.status !== 'resolved' &&
    after.escalation.state !== 'paused' &&
    after.escalation.episode === before.escalation.episode &&
    after.acknowledgedAt === before.acknowledgedAt &&
    after.acknowledgedBy === before.acknowledgedBy;
  return isTold && isRise(before.severity, after.severity) && somebodyKnows(before)
    ? { kind: 'rise', alerts: 0 }
    : null;
}

/**
 * An alert that flaps counts as open until this is over: with every resolve the severity would be lower, and with every
 * firing it would rise and page again.
 */
function severityOf(
  { severity, severityBy, paging }: IncidentState,
  { highest }: AlertsOfIncident,
  flapsNow: boolean,
): Severity {
  if (severityBy === 'person' || highest === null) return severity;
  const isFlapping = flapsNow || (paging !== null && paging.flappingUntil !== null);
  return isFlapping && isRise(highest, severity) ? severity : highest;
}

/** Unless its acknowledged alerts are to fire again. */
const isHandled = ({ status, paging }: IncidentState, { firing, acknowledged }: AlertsOfIncident): boolean =>
  status === 'triggered' && firing === 0 && acknowledged > 0 && !paging?.refireAt;

/** Only the sender had acknowledged, so there is nobody to be told that an alert fires. */
const firesAfterSender = (incident: IncidentState, { firing }: AlertsOfIncident, { fired }: AlertsHappened): boolean =>
  isOnlyOfSender(incident) && fired > 0 && firing > 0;

/** Nobody has the alert any more, so the escalation begins again. The other alerts stay acknowledged. */
const isHandedBack = (
  { status }: IncidentState,
  { firing }: AlertsOfIncident,
  { handedBack = false }: AlertsHappened,
): boolean => status === 'acknowledged' && handedBack && firing > 0;

/** An alert that fires again is told like one that joins. Alerts that fire no longer are not told. */
function joinedWhileAcknowledged(
  paging: Paging,
  { firing }: AlertsOfIncident,
  { joined, fired, at }: AlertsHappened,
): { paging: Paging; tellNow: number } {
  if (firing === 0)
    return { paging: { ...paging, joined: paging.joined && { ...paging.joined, untold: 0 } }, tellNow: 0 };
  const added = Math.max(joined, fired);
  return added > 0 ? alertsJoined(paging, added, at) : { paging, tellNow: 0 };
}

function visible(
  before: IncidentState,
  next: IncidentState,
  type: IncidentChangeType,
): Pick<Followed, 'incident' | 'decision'> {
  const decision = changed(before, type, next);
  return decision.changes.length > 0
    ? { incident: decision.incident, decision }
    : { incident: { ...next, dueAt: dueAt(next) }, decision: null };
}

const isOver = ({ autoResolve }: IncidentState, { open }: AlertsOfIncident, { resolved }: AlertsHappened): boolean =>
  autoResolve && open === 0 && resolved > 0;

/** When the incident will have been quiet for long enough; null: no alert of it flaps, or nothing happened to it. */
function flappingUntil(
  { status, paging }: IncidentState,
  { flaps }: AlertsOfIncident,
  { joined, resolved, at }: AlertsHappened,
  { settings: { flap } }: IncidentContext,
): string | null {
  if (status === 'resolved' || !paging) return null;
  const isFlapping = paging.flappingUntil !== null;
  const begins = resolved > 0 && flaps >= flap.transitions;
  const goesOn = isFlapping && (resolved > 0 || joined > 0);
  return begins || goesOn ? plusSeconds(at, flap.quietSeconds) : null;
}

/**
 * Nobody is told about an incident whose alerts are all suppressed, or whose last open alert was resolved. One without
 * alerts goes on, and so does one that a person triggers although its alerts are resolved.
 */
function held(
  incident: IncidentState,
  { open, firing, acknowledged }: AlertsOfIncident,
  { resolved, at }: AlertsHappened,
): Escalated {
  if (incident.status !== 'triggered' || incident.alertCount === 0) return incident;
  if (firing + acknowledged > 0) return resumed(incident, at);
  return open > 0 || resolved > 0 ? paused(incident, at) : incident;
}

export type Due =
  /** The acknowledgement or the snooze has ended: the alerts fire again. */
  | { kind: 'triggered'; decision: IncidentChanged }
  /** The acknowledged alerts fire again. */
  | { kind: 'refire'; incident: IncidentState }
  /** The next level is to be told. */
  | { kind: 'level' }
  | { kind: 'notice'; incident: IncidentState; decision: IncidentChanged | null; notice: Notice };

/** Nobody is told while every alert of the incident is resolved. */
function handedBack(
  incident: IncidentState,
  openAlerts: number,
  at: string,
  by: ActorRef,
  context: IncidentContext,
): IncidentState {
  const values = { ...incident, ...enter(incident, 'triggered', at, by, context) };
  return openAlerts === 0 && incident.alertCount > 0 ? { ...values, ...paused(values, at) } : values;
}

/**
 * What is due for an incident at this time; null: nothing. After `triggered`, and when an alert no longer flaps, the
 * caller asks `followAlerts` before it asks again.
 */
export function decideDue(
  incident: IncidentState,
  openAlerts: number,
  at: string,
  by: ActorRef,
  context: IncidentContext,
): Due | null {
  const { escalation, paging, status } = incident;
  const isDue = (time: string | null | undefined): boolean => time !== null && time !== undefined && time <= at;
  if (status === 'acknowledged' && escalation.state === 'waiting' && isDue(escalation.nextAt))
    return {
      kind: 'triggered',
      decision: changed(incident, 'incident.reopened', handedBack(incident, openAlerts, at, by, context)),
    };
  if (paging && isDue(paging.refireAt)) {
    const next = { ...incident, paging: { ...paging, refireAt: null } };
    return { kind: 'refire', incident: { ...next, dueAt: dueAt(next) } };
  }
  if (status === 'triggered' && escalation.state === 'escalating' && isDue(escalation.nextAt)) return { kind: 'level' };
  if (paging && isDue(paging.flappingUntil)) {
    const calm = { ...incident, paging: { ...paging, flappingUntil: null } };
    const ends = openAlerts === 0 && incident.autoResolve && status !== 'resolved';
    const next = ends ? { ...calm, ...enter(calm, 'resolved', at, by, context) } : calm;
    const type = ends ? 'incident.resolved' : 'incident.updated';
    return { kind: 'notice', ...visible(incident, next, type), notice: { kind: 'flappingOver', alerts: 0 } };
  }
  if (!paging?.joined) return null;
  const { paging: told, tellNow } = alertsJoined(paging, 0, at);
  if (tellNow === 0) return null;
  const next = visible(incident, { ...incident, paging: told }, 'incident.updated');
  return { kind: 'notice', ...next, notice: { kind: 'joined', alerts: tellNow } };
}
