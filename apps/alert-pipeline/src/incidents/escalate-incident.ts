/** Tells the next level of an incident at once, because a person asks for it. */
import { Fault, publicId, type EscalateIncident, type Incident, type Input, type NoQuery } from '@ams/contracts';
import { changeWithIncident, incidentOfRecord, Windows } from '@ams/alerting';
import { actorOf, auditMessage, requireVersion, type Tx } from '@ams/database';
import { decideEscalate, type EscalateRefusal } from '@ams/domain';
import { AlertChanges } from '../alerts/alert-changes.js';
import { lockOpenAlerts } from '../alerts/locked-alerts.js';
import { followAgain } from './follow-incidents.js';
import { IncidentChanges, lockIncidents } from './incident-changes.js';
import { timeUnderLock } from '../time-under-lock.js';
import { incidentOfPath, missingIncident, presentIncident } from './incident-requests.js';

const because: Record<EscalateRefusal, string> = {
  resolved: 'The incident is resolved. Only an open incident can be escalated.',
  pagesNobody: 'The incident has no escalation policy, so there is no level to tell.',
  paused: 'None of the alerts of the incident fires, so nobody is told. The escalation goes on when one fires again.',
  exhausted: 'Everybody was told already: all levels, the catch-all policy and the owners. Nobody is left to tell.',
};

export async function escalate(tx: Tx, input: Input<NoQuery, EscalateIncident>): Promise<Incident> {
  const { principal, body, requestId } = input;
  const uuid = await incidentOfPath(tx, input);
  const alerts = await tx.beyondNarrowing(() => lockOpenAlerts(tx, principal, uuid));
  const [record] = await lockIncidents(tx, principal, [uuid]);
  if (!record) throw missingIncident(input.params['id'] ?? '');
  requireVersion(input.ifMatch, record.state.version);
  const now = timeUnderLock([record]);
  const at = now.toISOString();
  const actor = actorOf(principal);
  const decision = decideEscalate(record.state, at, actor);
  if (decision.kind === 'refused') throw new Fault('CONFLICT', null, because[decision.reason]);
  if (decision.kind === 'unchanged') return incidentOfRecord(record);
  const { type, changes } = decision;
  const incidentChanges = new IncidentChanges();
  const cause = { type: 'request' as const, id: requestId };
  incidentChanges.change(record, decision.incident, { type, changes, actor, cause, at, note: body.note ?? null });
  await incidentChanges.write(tx);
  const alertChanges = new AlertChanges(at);
  const resource = { type: 'incident', id: publicId('incident', uuid) };
  alertChanges.also(auditMessage(input, { type: 'incident.escalated', resource, changes, at: now }));
  if (type === 'incident.reopened') {
    const windows = await tx.beyondNarrowing(() => Windows.of(tx, [principal]));
    const changeAlert = alertChanges.change.bind(alertChanges);
    changeWithIncident({ changeAlert }, uuid, alerts, 'fire', { actor, at, windows });
  }
  await alertChanges.write(tx);
  // The level is told here, unless windows suppress all its alerts now.
  await tx.beyondNarrowing(() => followAgain(tx, record, actor, at));
  return presentIncident(tx, principal, record);
}
