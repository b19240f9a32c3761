/**
 * Pings, and heartbeats that did not arrive. The worker of a partition handles both, one after another, so a ping that
 * NATS has stored prevents the alert. All times are by the clock of the database: the time of a ping is the time when
 * it is applied.
 *
 * A heartbeat expires only if a ping could have arrived in the whole interval. So the interval begins with the last
 * ping, with the end of the last interruption of the ingest gateways (reception-watch.ts) or with the last change of
 * the integration, whichever is latest, and it ends at a time at which the gateways received. A disabled integration
 * refuses pings, so its heartbeats do not expire.
 */
import { newUuid, type HeartbeatSender, type HeartbeatSettings, type IngestEvent } from '@ams/contracts';
import type { Database, Tx } from '@ams/database';
import { heartbeatFingerprint, tagsLabel, type Severity } from '@ams/domain';
import type { Environment } from '@ams/scopes';

const isDue = (seenAt: string): string => `
  h.partition = $1 AND h.enabled AND h.expired_at IS NULL AND h.waiting_since IS NOT NULL
  AND i.organization_id = h.organization_id AND i.environment = h.environment AND i.id = h.integration_id
  AND i.enabled AND i.deleted_at IS NULL
  AND greatest(h.waiting_since, r.receiving_since, i.updated_at)
    + make_interval(secs => h.interval_seconds) <= ${seenAt}`;

/** A time at which heartbeats of the partition are overdue and pings could arrive; null when none are. */
export async function overdueAt(database: Database, partition: number): Promise<string | null> {
  const [row] = await database.query<{ seen_at: string }>(
    {
      name: 'overdue heartbeats',
      text: `SELECT r.seen_at::text FROM alerts.heartbeats h, alerts.reception r, resources_views.integrations i
        WHERE ${isDue('r.seen_at')} LIMIT 1`,
    },
    [partition],
  );
  return row?.seen_at ?? null;
}

interface ExpiredRow {
  organization_id: string;
  environment: Environment;
  integration_id: string;
  name: string;
  settings: Omit<HeartbeatSettings, 'enabled'>;
  sender: HeartbeatSender;
  now: Date;
}

/** The events of the heartbeats that were overdue at `seenAt`. Each expires once. */
export async function expireHeartbeats(tx: Tx, partition: number, seenAt: string): Promise<IngestEvent[]> {
  const rows = await tx.query<ExpiredRow>(
    `UPDATE alerts.heartbeats h SET expired_at = clock_timestamp()
     FROM alerts.reception r, resources_views.integrations i WHERE ${isDue('$2::timestamptz')}
     RETURNING h.organization_id, h.environment, h.integration_id, h.name, h.settings, h.sender, h.expired_at AS now`,
    [partition, seenAt],
  );
  return rows.map(eventOf);
}

const severities: Record<string, Severity> = { P1: 'critical', P2: 'high', P3: 'medium', P4: 'low', P5: 'info' };

function eventOf(row: ExpiredRow): IngestEvent {
  const { name, settings, sender } = row;
  const { interval, intervalUnit, alertMessage, alertTags, alertPriority, description } = settings;
  return {
    id: newUuid(row.now.getTime()),
    organizationId: row.organization_id,
    environment: row.environment,
    integrationId: row.integration_id,
    integrationName: sender.integrationName,
    receivedAt: row.now.toISOString(),
    dedupScope: 'integration',
    // Only a ping or a person resolves it.
    autoResolveAfterSeconds: null,
    clientId: sender.clientId,
    title: alertMessage ?? `Heartbeat ${name} did not arrive`,
    severity: severities[alertPriority] ?? 'medium',
    status: 'firing',
    source: 'heartbeat',
    description: description ?? `No ping for ${interval} ${interval === 1 ? intervalUnit.slice(0, -1) : intervalUnit}.`,
    fingerprint: heartbeatFingerprint(name),
    fingerprintSource: 'explicit',
    labels: {
      heartbeat: name,
      ...(alertTags.length > 0 && { [tagsLabel]: alertTags.join(', ') }),
      ...sender.staticLabels,
    },
    annotations: {},
    heartbeat: name,
  };
}

/** The interval of each heartbeat begins again. A ping of no heartbeat has no effect. */
export async function applyPings(tx: Tx, partition: number, events: readonly IngestEvent[]): Promise<void> {
  const pings = events.flatMap(({ organizationId: o, environment: e, integrationId: i, heartbeat: n }) =>
    n === undefined ? [] : [{ o, e, i, n }],
  );
  if (pings.length === 0) return;
  await tx.query(
    {
      name: 'heartbeat pings',
      text: `WITH pinged AS (
          SELECT h.organization_id, h.environment, h.integration_id, h.name FROM alerts.heartbeats h
          JOIN json_to_recordset($1::json) AS k(o uuid, e text, i uuid, n text)
            ON h.organization_id = k.o AND h.environment = k.e AND h.integration_id = k.i AND h.name = k.n
          ORDER BY 1, 2, 3, 4 FOR UPDATE OF h)
        UPDATE alerts.heartbeats h SET last_ping_at = clock_timestamp(), waiting_since = clock_timestamp(),
          expired_at = NULL, partition = $2
        FROM pinged p WHERE h.organization_id = p.organization_id AND h.environment = p.environment
          AND h.integration_id = p.integration_id AND h.name = p.name`,
    },
    [JSON.stringify(pings), partition],
  );
}
