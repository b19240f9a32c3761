/**
 * Merges incidents, in one transaction: alerts first, then incidents, each in the order of their ids, as every
 * transaction locks them.
 */
import {
  Fault,
  mergeLimits,
  publicId,
  type FieldFault,
  type Incident,
  type Input,
  type MergeIncidents,
  type NoQuery,
  type Tenant,
} from '@ams/contracts';
import { incidentContext, tellNotice, type AlertRecord, type IncidentRecord } from '@ams/alerting';
import { actorOf, auditMessage, requireVersion, type Tx } from '@ams/database';
import { decideMerge, policyAfterMerge, type MergeDecision, type MergedIncident, type MergeRefusal } from '@ams/domain';
import { AlertChanges } from '../alerts/alert-changes.js';
import { lockAlertsWhere } from '../alerts/locked-alerts.js';
import { timeUnderLock } from '../time-under-lock.js';
import { followAgain, pagingReadsOf } from './follow-incidents.js';
import { IncidentChanges, lockIncidents } from './incident-changes.js';
import {
  addToIncident,
  incidentOfPath,
  missingIncident,
  presentIncident,
  throwFaults,
  unknownOf,
  uuidsOf,
} from './incident-requests.js';

type MergeInput = Input<NoQuery, MergeIncidents>;

export async function merge(tx: Tx, input: MergeInput): Promise<Incident> {
  const { principal, body } = input;
  const targetId = await incidentOfPath(tx, input);
  const sourceIds = uuidsOf('incident', body.incidentIds);
  await checkSources(tx, input, targetId, sourceIds);
  // A restricted key sees the incidents of its clients. All alerts of an incident move with it.
  const alerts = await tx.beyondNarrowing(() => lockAlertsWhere(tx, principal, inSources, [sourceIds]));
  const incidents = await lockIncidents(tx, principal, [targetId, ...sourceIds]);
  const [target] = incidents.filter(({ id }) => id === targetId);
  if (!target) throw missingIncident(input.params['id'] ?? '');
  requireVersion(input.ifMatch, target.state.version);
  alerts.push(...(await tx.beyondNarrowing(() => joinedMeanwhile(tx, principal, sourceIds, alerts))));
  const sources = incidents.filter(({ id }) => id !== targetId);
  const now = timeUnderLock(incidents);
  const reads = pagingReadsOf(tx);
  const states = sources.map(({ state }) => state);
  const context = await incidentContext(reads, target, policyAfterMerge(target.state, states));
  const actor = actorOf(principal);
  const decision = decideMerge(mergedOf(target), sources.map(mergedOf), now.toISOString(), actor, context);
  if (decision.kind === 'refused') throw refusal(decision, target, incidents);
  if (decision.kind === 'merged') await write(tx, input, { decision, target, sources, alerts, now });
  return presentIncident(tx, principal, target);
}

const inSources = 'incident_id = ANY($3::uuid[])';

const mergedOf = ({ id, clientId, state }: IncidentRecord): MergedIncident => ({
  id: publicId('incident', id),
  clientId: publicId('client', clientId),
  state,
});

async function checkSources(tx: Tx, { principal, body }: MergeInput, targetId: string, ids: string[]): Promise<void> {
  const { organizationId, environment } = principal;
  const found = await tx.query<{ id: string; alerts: number }>(
    `SELECT id, alert_count AS alerts FROM alerts.incidents
     WHERE organization_id = $1 AND environment = $2 AND id = ANY($3::uuid[])`,
    [organizationId, environment, ids],
  );
  const known = new Set(found.map(({ id }) => publicId('incident', id)));
  const itself = body.incidentIds.indexOf(publicId('incident', targetId));
  const faults: FieldFault[] = unknownOf('incidentIds', 'incident', body.incidentIds, known);
  if (itself >= 0)
    faults.push({
      path: `incidentIds[${itself}]`,
      rule: 'other',
      message: 'an incident cannot be merged into itself',
    });
  throwFaults(faults);
  const alerts = found.reduce((sum, one) => sum + one.alerts, 0);
  if (alerts > mergeLimits.alerts)
    throw new Fault('CONFLICT', null, `They have ${alerts} alerts; a merge moves at most ${mergeLimits.alerts}.`);
}

/** An error after which the database does the transaction again. */
class AlertsJoin extends Error {
  readonly code = '40001';
}

/**
 * The alerts that joined a source after its alerts were locked. They are locked after the incidents, which is the wrong
 * order, so this does not wait for them.
 */
async function joinedMeanwhile(
  tx: Tx,
  tenant: Tenant,
  sourceIds: string[],
  locked: readonly AlertRecord[],
): Promise<AlertRecord[]> {
  const left = `${inSources} AND id <> ALL($4::uuid[])`;
  const params = [sourceIds, locked.map(({ id }) => id)];
  const found = await lockAlertsWhere(tx, tenant, left, params, 'SKIP LOCKED');
  const [joined] = await tx.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM alerts.alerts WHERE organization_id = $1 AND environment = $2 AND ${left}`,
    [tenant.organizationId, tenant.environment, ...params],
  );
  if (joined?.n !== found.length) throw new AlertsJoin('an alert of the incident is being changed');
  return found;
}

function refusal(
  { reason, id }: MergeRefusal,
  target: IncidentRecord,
  incidents: readonly IncidentRecord[],
): Fault<'CONFLICT'> {
  const number = incidents.find((one) => publicId('incident', one.id) === id)?.number;
  const because: Record<MergeRefusal['reason'], string> = {
    itself: 'cannot be merged into itself',
    resolved: 'is resolved, and only open incidents are merged',
    mergedElsewhere: 'was merged into another incident before',
    otherClient: `and incident ${target.number} are not about the same client`,
  };
  return new Fault('CONFLICT', null, `Incident ${number} ${because[reason]}.`);
}

interface Merge {
  decision: Extract<MergeDecision, { kind: 'merged' }>;
  target: IncidentRecord;
  sources: readonly IncidentRecord[];
  alerts: readonly AlertRecord[];
  now: Date;
}

async function write(tx: Tx, input: MergeInput, { decision, target, sources, alerts, now }: Merge): Promise<void> {
  const at = now.toISOString();
  const actor = actorOf(input.principal);
  const why = { actor, cause: { type: 'request' as const, id: input.requestId }, at };
  const note = input.body.note ?? null;
  const incidentChanges = new IncidentChanges();
  const alertChanges = new AlertChanges(at);
  const audit = (type: string, id: string, changes: MergeDecisionChanges): void =>
    alertChanges.also(auditMessage(input, { type, resource: { type: 'incident', id }, changes, at: now }));

  const { target: merged, raised, notice } = decision;
  incidentChanges.change(target, merged.incident, { type: merged.type, changes: merged.changes, ...why, note });
  audit(merged.type, publicId('incident', target.id), merged.changes);
  if (raised) incidentChanges.change(target, raised.incident, { type: raised.type, changes: raised.changes, ...why });
  if (alerts.length > 0) target.lastAlertAt = at;
  for (const { id, decision: ended } of decision.sources) {
    const source = sources.find((one) => publicId('incident', one.id) === id);
    if (!source) continue;
    incidentChanges.change(source, ended.incident, { type: ended.type, changes: ended.changes, ...why, note });
    audit('incident.resolved', id, ended.changes);
  }
  await tx.beyondNarrowing(async () => {
    if (notice) await tellNotice(incidentChanges.effects, pagingReadsOf(tx), target, notice, at);
    await incidentChanges.write(tx);
  });
  for (const alert of alerts) addToIncident(alertChanges, alert, target, why);
  await alertChanges.write(tx);
  if (alerts.length === 0) await tx.beyondNarrowing(() => followAgain(tx, target, actor, at));
}

type MergeDecisionChanges = Merge['decision']['target']['changes'];
