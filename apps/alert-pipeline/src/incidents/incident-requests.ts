/** What requests about incidents have in common: the incident of the path, faults, and alerts that join. */
import {
  Fault,
  publicId,
  uuidOf,
  type FieldFault,
  type Incident,
  type Input,
  type Noun,
  type Tenant,
} from '@ams/contracts';
import { incidentOfRecord, type AlertRecord, type IncidentChange, type IncidentRecord } from '@ams/alerting';
import type { Tx } from '@ams/database';
import { noted } from '@ams/domain';
import type { AlertChanges } from '../alerts/alert-changes.js';
import { lockIncidents } from './incident-changes.js';

/** Who changes it, why, and when. */
export type Why = Pick<IncidentChange, 'actor' | 'cause' | 'at'>;

export const missingIncident = (id: string): Fault => new Fault('NOT_FOUND', { resource: 'incident', id });

/** The UUID of the incident that the path names. Throws NOT_FOUND. */
export async function incidentOfPath(tx: Tx, { principal, params }: Input<unknown, unknown>): Promise<string> {
  const id = params['id'] ?? '';
  const uuid = uuidOf('incident', id);
  if (uuid === null || !(await exists(tx, principal, uuid))) throw missingIncident(id);
  return uuid;
}

async function exists(tx: Tx, { organizationId, environment }: Tenant, uuid: string): Promise<boolean> {
  const found = await tx.query(
    'SELECT 1 FROM alerts.incidents WHERE organization_id = $1 AND environment = $2 AND id = $3',
    [organizationId, environment, uuid],
  );
  return found.length > 0;
}

/** The incident as it is now: its alerts may have changed it. */
export async function presentIncident(tx: Tx, tenant: Tenant, record: IncidentRecord): Promise<Incident> {
  const [after] = await lockIncidents(tx, tenant, [record.id]);
  return incidentOfRecord(after ?? record);
}

export function addToIncident(changes: AlertChanges, alert: AlertRecord, { id }: IncidentRecord, why: Why): void {
  const before = publicId('incident', alert.incidentId);
  alert.incidentId = id;
  const moved = [{ field: 'incidentId', before, after: publicId('incident', id) }];
  const decision = noted(alert.state, 'alert.addedToIncident', moved);
  changes.change(alert, decision.alert, { type: decision.type, changes: decision.changes, ...why });
}

export const uuidsOf = (noun: Noun, ids: readonly string[]): string[] =>
  ids.map((id) => uuidOf(noun, id)).filter((uuid) => uuid !== null);

export function throwFaults(fields: FieldFault[]): void {
  if (fields.length > 0) throw new Fault('VALIDATION_ERROR', { fields });
}

export const unknownOf = (
  path: string,
  what: string,
  ids: readonly string[],
  known: ReadonlySet<string>,
): FieldFault[] =>
  ids.flatMap((id, i) =>
    known.has(id) ? [] : [{ path: `${path}[${i}]`, rule: 'exists', message: `there is no ${what} with the id ${id}` }],
  );
