/**
 * What the states of its alerts mean for an incident, as a pure decision. The caller locks the incident and its alerts,
 * writes what changed, and then asks.
 */
import type { ActorRef } from '../alerts/alert-state.js';
import type { Severity } from '../alerts/severity.js';
import { alertsJoined, dueAt, paused, plusSeconds, resumed, type Escalated } from '../paging/escalation.js';
import { urgencyOf } from '../paging/organization-settings.js';
import {
  changed,
  enter,
  isRise,
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
  /** Alerts that began to fire, or fired again. */
  fired: number;
  resolved: number;
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
  /** The acknowledged alerts of the incident fire again. */
  alertsFire: boolean;
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
  const severity = incident.severityBy === 'alerts' && alerts.highest ? alerts.highest : incident.severity;
  const counted = {
    ...incident,
    openAlertCount: alerts.open,
    severity,
    urgency: urgencyOf(severity, context.settings),
  };
  const rises = counted.urgency === 'high' && incident.urgency === 'low';
  const notices: Notice[] = [];
  let next: IncidentState = counted;
  let type: IncidentChangeType = 'incident.updated';
  let alertsFire = false;
  const become = (values: Partial<IncidentState>, as: IncidentChangeType = type): void => {
    next = { ...next, ...values };
    type = as;
  };

  if (incident.status === 'resolved') {
    if (happened.fired > 0 && alerts.firing > 0) become(enter(next, 'triggered', at, by, context), 'incident.reopened');
  } else if (isOver(incident, alerts, happened)) {
    if (flaps(incident, alerts, context)) {
      if (next.paging?.flappingUntil === null) notices.push({ kind: 'flapping', alerts: 0 });
      become(flappingUntil(next, plusSeconds(at, context.settings.flap.quietSeconds)));
    } else become(enter(next, 'resolved', at, by, context), 'incident.resolved');
  } else if (rises && alerts.firing + alerts.acknowledged > 0) {
    become(enter(next, 'triggered', at, by, context), 'incident.reopened');
    alertsFire = alerts.acknowledged > 0;
  } else if (incident.status === 'triggered' && alerts.firing === 0 && alerts.lastAcknowledged) {
    const { at: acknowledgedAt, by: person } = alerts.lastAcknowledged;
    become({ ...enter(next, 'acknowledged', at, person, context), acknowledgedAt }, 'incident.acknowledged');
  } else {
    if (isRise(incident.severity, severity) && incident.paging && alerts.firing > 0)
      notices.push({ kind: 'rise', alerts: 0 });
    if (incident.status === 'acknowledged' && happened.joined > 0 && next.paging) {
      const { paging, tellNow } = alertsJoined(next.paging, happened.joined, at);
      become({ paging });
      if (tellNow > 0) notices.push({ kind: 'joined', alerts: tellNow });
    }
  }
  become(held(next, alerts, at));
  return { ...visible(incident, next, type), notices, alertsFire };
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

const flaps = ({ paging }: IncidentState, { flaps: times }: AlertsOfIncident, { settings }: IncidentContext): boolean =>
  paging !== null && (paging.flappingUntil !== null || times >= settings.flap.transitions);

const flappingUntil = ({ paging }: IncidentState, until: string): Partial<IncidentState> => ({
  paging: paging && { ...paging, flappingUntil: until },
});

/** Nobody is told about an incident whose alerts are all suppressed or resolved. One without alerts goes on. */
function held(incident: IncidentState, { firing, acknowledged }: AlertsOfIncident, at: string): Escalated {
  if (incident.status !== 'triggered' || incident.alertCount === 0) return incident;
  return firing + acknowledged === 0 ? paused(incident, at) : resumed(incident, at);
}

export type Due =
  /** The acknowledgement or the snooze has ended: the alerts fire again. */
  | { kind: 'triggered'; decision: IncidentChanged }
  /** The next level is to be told. */
  | { kind: 'level' }
  | { kind: 'notice'; incident: IncidentState; decision: IncidentChanged | null; notice: Notice };

/** What is due for an incident at this time; null: nothing. */
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
      decision: changed(incident, 'incident.reopened', enter(incident, 'triggered', at, by, context)),
    };
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
