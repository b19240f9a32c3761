/** Incidents follow their alerts: at the end of a transaction that changes alerts, their incidents are decided. */
import { publicId } from '@ams/contracts';
import {
  followAlerts,
  severities,
  type ActorRef,
  type AlertsOfIncident,
  type AlertState,
  type IncidentState,
} from '@ams/domain';
import { activeSpan, type Span } from '@ams/tracing';
import type { AlertChange } from '../alerts/alert-change.js';
import type { AlertRecord } from '../alerts/alert-record.js';
import { tellDue, tellNotice, type EscalationEffects } from './escalate.js';
import type { IncidentRecord } from './incident-record.js';
import { incidentContext, type PagingReads } from './paging-reads.js';

/** What the changes of a transaction mean for one incident. Ids are UUIDs. */
export interface IncidentTouch {
  incidentId: string;
  /** The alert that was changed last. */
  alertId: string;
  joined: number;
  fired: number;
  /** Occurrences of alerts that were firing or acknowledged already. They matter when the incident is resolved. */
  repeated: number;
  resolved: number;
  /** A person took the acknowledgement of an alert back. */
  handedBack: boolean;
  actor: ActorRef;
  at: string;
  depth: number;
  rootEventId?: string | undefined;
  /** Nothing but repeated occurrences. */
  onlyRepeats: boolean;
  /** Nothing but acknowledgements, and the ends of some: no severity follows from them. */
  keepsSeverity: boolean;
  /** That of the last change. */
  span?: Span | undefined;
}

/** Collects what the changes of alerts mean for their incidents, in the order of the changes. */
export class IncidentTouches {
  private readonly touches = new Map<string, IncidentTouch>();

  /** `record` has its incident already, and still its former state. */
  add(record: AlertRecord, next: AlertState, { type, actor, cause, at, depth = 0, rootEventId }: AlertChange): void {
    const { incidentId, state: before } = record;
    if (incidentId === null) return;
    const joins = type === 'alert.addedToIncident';
    const occurs = type === 'alert.occurred' && (next.status === 'firing' || next.status === 'acknowledged');
    const isFiring = next.status === 'firing';
    const changes = before.status !== next.status || before.severity !== next.severity;
    if (!joins && !occurs && !changes) return;
    const touch = this.touches.get(incidentId);
    this.touches.set(incidentId, {
      incidentId,
      alertId: record.id,
      joined: (touch?.joined ?? 0) + (joins && isFiring ? 1 : 0),
      fired: (touch?.fired ?? 0) + (isFiring && (joins || before.status !== 'firing') ? 1 : 0),
      repeated: (touch?.repeated ?? 0) + (occurs ? 1 : 0),
      resolved: (touch?.resolved ?? 0) + (next.status === 'resolved' && before.status !== 'resolved' ? 1 : 0),
      handedBack:
        (touch?.handedBack ?? false) || (cause.type === 'request' && before.status === 'acknowledged' && isFiring),
      actor,
      at: touch && touch.at > at ? touch.at : at,
      depth,
      rootEventId,
      onlyRepeats: (touch?.onlyRepeats ?? true) && occurs && !changes,
      keepsSeverity: (touch?.keepsSeverity ?? true) && !joins && isOnlyAcknowledgement(before, next),
      span: activeSpan(),
    });
  }

  get all(): IncidentTouch[] {
    return [...this.touches.values()];
  }
}

const isShown = ({ status }: AlertState): boolean => status === 'firing' || status === 'acknowledged';

const isOnlyAcknowledgement = (before: AlertState, next: AlertState): boolean =>
  before.severity === next.severity &&
  before.occurrenceCount === next.occurrenceCount &&
  isShown(before) &&
  isShown(next);

/** The same from alerts in memory. `flapsSince`: the beginning of the window in which flaps are counted. */
export function alertsOfIncident(alerts: readonly AlertRecord[], flapsSince: string): AlertsOfIncident {
  const open = alerts.map(({ state }) => state).filter(({ status }) => status !== 'resolved');
  const shown = open.filter(({ status }) => status !== 'suppressed').map(({ severity }) => severity);
  const [latest] = open
    .filter(({ status }) => status === 'acknowledged')
    .sort((a, b) => ((a.acknowledgedAt ?? '') < (b.acknowledgedAt ?? '') ? 1 : -1));
  const flaps = new Map<string, number>();
  for (const { fingerprint, state } of alerts)
    if (state.resolvedAt !== null && state.resolvedAt > flapsSince)
      flaps.set(fingerprint, (flaps.get(fingerprint) ?? 0) + 1);
  return {
    open: open.length,
    firing: open.filter(({ status }) => status === 'firing').length,
    acknowledged: open.filter(({ status }) => status === 'acknowledged').length,
    highest: severities.find((severity) => shown.includes(severity)) ?? null,
    lastAcknowledged:
      latest?.acknowledgedBy && latest.acknowledgedAt ? { at: latest.acknowledgedAt, by: latest.acknowledgedBy } : null,
    flaps: Math.max(0, ...flaps.values()),
  };
}

export interface FollowEffects extends EscalationEffects {
  /** Stores values of the incident that no entry of the timeline shows. */
  keepIncident(record: IncidentRecord, next: IncidentState): void;
}

/** Decides about one incident, which is locked, and tells whoever is to be told. `at` is a time under the lock. */
export async function followIncident(
  effects: FollowEffects,
  reads: PagingReads,
  record: IncidentRecord,
  alerts: AlertsOfIncident,
  touch: IncidentTouch,
  at: string,
): Promise<void> {
  const { joined, resolved, handedBack, keepsSeverity, actor, depth, rootEventId, alertId } = touch;
  const fired = touch.fired + (record.state.status === 'resolved' ? touch.repeated : 0);
  const context = await incidentContext(reads, record, record.state.policyId);
  const happened = { joined, fired, resolved, handedBack, keepsSeverity, at, by: actor };
  const { incident, decision, notices } = followAlerts(record.state, alerts, happened, context);
  if (decision) {
    const cause = { type: 'alert' as const, id: publicId('alert', alertId) };
    const { type, changes } = decision;
    effects.changeIncident(record, incident, { type, changes, actor, cause, at, depth, rootEventId });
  } else effects.keepIncident(record, incident);
  for (const notice of notices) await tellNotice(effects, reads, record, notice, at);
  await tellDue(effects, reads, record, at);
}
