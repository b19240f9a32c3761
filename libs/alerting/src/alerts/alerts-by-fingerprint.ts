/** The alerts that have the fingerprints of a batch of events: the open ones, and the ones that were resolved last. */
import type { IngestEvent, Tenant } from '@ams/contracts';
import type { Tx } from '@ams/database';
import type { AlertRecord } from './alert-record.js';

/** The deduplication scope as stored: fingerprints are compared in the integration or in the environment. */
export const dedupScopeOf = ({
  dedupScope,
  integrationId,
}: Pick<IngestEvent, 'dedupScope' | 'integrationId'>): string =>
  dedupScope === 'organization' ? 'organization' : `integration:${integrationId}`;

export type Fingerprinted = Tenant & Pick<IngestEvent, 'fingerprint'>;

export const fingerprintKey = ({ organizationId, environment, fingerprint }: Fingerprinted): string =>
  `${organizationId} ${environment} ${fingerprint}`;

/** By `fingerprintKey`. */
export type OpenAlerts = Map<string, AlertRecord[]>;

/** The UUID of the last resolved alert of each fingerprint, by `previousAlertKey`. */
export type PreviousAlerts = Map<string, string>;

export const previousAlertKey = (of: Fingerprinted, scope: string): string => `${fingerprintKey(of)} ${scope}`;

/** Adds an open alert, and removes a resolved one. */
export function updateOpenAlerts(open: OpenAlerts, record: AlertRecord): void {
  const others = (open.get(fingerprintKey(record)) ?? []).filter((other) => other !== record);
  open.set(fingerprintKey(record), record.state.status === 'resolved' ? others : [...others, record]);
}

/**
 * The open alert of an event: that of its own deduplication scope, else one that this integration opened with the other
 * scope (the setting was changed while the alert was open).
 */
export function openAlertOf(open: OpenAlerts, event: IngestEvent): AlertRecord | null {
  const candidates = open.get(fingerprintKey(event)) ?? [];
  const scope = dedupScopeOf(event);
  return (
    candidates.find((alert) => alert.dedupScope === scope) ??
    candidates.find((alert) => alert.integrationId === event.integrationId) ??
    null
  );
}

/** With `OFFSET 0` PostgreSQL uses the index for each fingerprint, whatever table size the planner expects. */
const findOpen = {
  name: 'find open alerts',
  text: `SELECT a.id FROM json_to_recordset($1::json) AS k(o uuid, e text, f text), LATERAL (
     SELECT id FROM alerts_views.alerts
     WHERE organization_id = k.o AND environment = k.e AND fingerprint = k.f AND status <> 'resolved' OFFSET 0) AS a`,
};

/** The UUIDs of the open alerts with these fingerprints. */
export async function findOpenAlerts(tx: Tx, events: readonly Fingerprinted[]): Promise<string[]> {
  const asked = events.map(({ organizationId: o, environment: e, fingerprint: f }) => ({ o, e, f }));
  const rows = await tx.query<{ id: string }>(findOpen, [JSON.stringify(asked)]);
  return rows.map(({ id }) => id);
}
