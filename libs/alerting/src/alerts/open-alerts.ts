/** The open alerts that events of a batch can belong to. */
import type { IngestEvent, Tenant } from '@ams/contracts';
import type { Tx } from '@ams/database';
import type { AlertRecord } from './alert-record.js';

/** Among which alerts the open one of a fingerprint is looked for: those of the integration, or of the environment. */
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

/** Adds an open alert, and takes a resolved one out. */
export function updateOpenAlerts(open: OpenAlerts, record: AlertRecord): void {
  const others = (open.get(fingerprintKey(record)) ?? []).filter((other) => other !== record);
  open.set(fingerprintKey(record), record.state.status === 'resolved' ? others : [...others, record]);
}

/**
 * The open alert of an event: that of its own scope, else one that this integration opened under another scope (the
 * setting was changed while the alert was open).
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

/** With `OFFSET 0` each fingerprint is looked up in the index, whatever the planner expects of the size of the table. */
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
