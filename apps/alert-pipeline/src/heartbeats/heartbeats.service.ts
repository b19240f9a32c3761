/** The heartbeats of senders: create, get, list, update, delete. Every query names the tenant and the integration. */
import {
  heartbeatLimit,
  type Heartbeat,
  type HeartbeatReply,
  type HeartbeatRequest,
  type HeartbeatSettings,
  type HeartbeatUnit,
  type SenderRequest,
} from '@ams/contracts';
import { Database, type Tx } from '@ams/database';
import { Injectable } from '@nestjs/common';

/** `enabled` is a column. */
type StoredSettings = Omit<HeartbeatSettings, 'enabled'>;

interface HeartbeatRow {
  name: string;
  enabled: boolean;
  settings: StoredSettings;
  last_ping_at: Date | null;
  expired_at: Date | null;
}

const columns = 'name, enabled, settings, last_ping_at, expired_at';
const ofSender = 'organization_id = $1 AND environment = $2 AND integration_id = $3';
const sender = ({ organizationId, environment, integrationId }: SenderRequest): unknown[] => [
  organizationId,
  environment,
  integrationId,
];

const seconds: Record<HeartbeatUnit, number> = { minutes: 60, hours: 3_600, days: 86_400 };
const secondsOf = ({ interval, intervalUnit }: StoredSettings): number => interval * seconds[intervalUnit];

const heartbeatOf = ({ name, enabled, settings, last_ping_at, expired_at }: HeartbeatRow): Heartbeat => ({
  ...settings,
  name,
  enabled,
  expired: expired_at !== null,
  lastPingTime: last_ping_at?.toISOString() ?? null,
});

@Injectable()
export class HeartbeatsService {
  constructor(private readonly database: Database) {}

  async list(request: SenderRequest): Promise<{ heartbeats: Heartbeat[] }> {
    const rows = await this.database.query<HeartbeatRow>(
      `SELECT ${columns} FROM alerts.heartbeats WHERE ${ofSender} ORDER BY name`,
      sender(request),
    );
    return { heartbeats: rows.map(heartbeatOf) };
  }

  execute(request: HeartbeatRequest): Promise<HeartbeatReply> {
    return this.database.asService(async (tx) => {
      const { command } = request;
      if (command.kind === 'create') return create(tx, request, command.settings);
      const present = await find(tx, request, command.kind !== 'get');
      if (!present) return { kind: 'missing' };
      if (command.kind === 'update') return update(tx, request, present, command.settings);
      if (command.kind === 'delete')
        await tx.query(`DELETE FROM alerts.heartbeats WHERE ${ofSender} AND name = $4`, [
          ...sender(request),
          request.name,
        ]);
      return { kind: 'done', heartbeat: heartbeatOf(present) };
    });
  }
}

async function find(tx: Tx, request: HeartbeatRequest, lock: boolean): Promise<HeartbeatRow | undefined> {
  const [row] = await tx.query<HeartbeatRow>(
    `SELECT ${columns} FROM alerts.heartbeats WHERE ${ofSender} AND name = $4${lock ? ' FOR UPDATE' : ''}`,
    [...sender(request), request.name],
  );
  return row;
}

/** The interval begins with the first ping: before it the sender may not be set up yet. */
async function create(
  tx: Tx,
  request: HeartbeatRequest,
  { enabled, ...settings }: HeartbeatSettings,
): Promise<HeartbeatReply> {
  const [counted] = await tx.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM alerts.heartbeats WHERE ${ofSender}`,
    sender(request),
  );
  if ((counted?.n ?? 0) >= heartbeatLimit) return { kind: 'tooMany' };
  const [row] = await tx.query<HeartbeatRow>(
    `INSERT INTO alerts.heartbeats
       (organization_id, environment, integration_id, name, partition, interval_seconds, enabled, settings, sender)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING RETURNING ${columns}`,
    [
      ...sender(request),
      request.name,
      request.partition,
      secondsOf(settings),
      enabled,
      JSON.stringify(settings),
      JSON.stringify(request.sender),
    ],
  );
  return row ? { kind: 'done', heartbeat: heartbeatOf(row) } : { kind: 'exists' };
}

/** The interval begins again. A heartbeat that is disabled is not expired; its alert stays as it is. */
async function update(
  tx: Tx,
  request: HeartbeatRequest,
  present: HeartbeatRow,
  sent: Partial<HeartbeatSettings>,
): Promise<HeartbeatReply> {
  const { enabled, ...settings } = { enabled: present.enabled, ...present.settings, ...sent };
  const [row] = await tx.query<HeartbeatRow>(
    `UPDATE alerts.heartbeats SET partition = $5, interval_seconds = $6, enabled = $7, settings = $8, sender = $9,
       waiting_since = CASE WHEN last_ping_at IS NULL THEN NULL ELSE clock_timestamp() END,
       expired_at = CASE WHEN $7 THEN expired_at END
     WHERE ${ofSender} AND name = $4 RETURNING ${columns}`,
    [
      ...sender(request),
      request.name,
      request.partition,
      secondsOf(settings),
      enabled,
      JSON.stringify(settings),
      JSON.stringify(request.sender),
    ],
  );
  return row ? { kind: 'done', heartbeat: heartbeatOf(row) } : { kind: 'missing' };
}
