/** The status of the service as an organization sees it: what was last read of all, and its own records. */
import type { Input, NoQuery, Principal, ServiceStatus } from '@ams/contracts';
import { Database, type Tx } from '@ams/database';
import { seenParts, worstOf, type Readings, type StatesSince } from '@ams/domain';
import { Injectable } from '@nestjs/common';

/** Rows are counted up to this number. */
const mostCounted = 1000;

interface StatusRow {
  now: Date;
  readAt: Date | null;
  readings: Readings;
  states: StatesSince;
}

@Injectable()
export class StatusService {
  constructor(private readonly database: Database) {}

  async get({ principal }: Input<NoQuery, undefined>): Promise<ServiceStatus> {
    const own = await this.database.readAs(principal, (tx) => ownReadings(tx, principal));
    const [row] = await this.database.query<StatusRow>(
      `SELECT clock_timestamp() AS now, read_at AS "readAt", readings, states FROM workflows.service_status`,
    );
    if (!row) throw new Error('workflows.service_status has no row');
    const { now, readings, states } = row;
    const readAt = row.readAt?.toISOString() ?? null;
    const parts = seenParts({ readAt, readings, states }, own, now.toISOString()).map(
      ({ part, state, since, readings: judged }) => ({
        part,
        state,
        since,
        readings: judged.map(({ name, of, state: its, value, unit, ageSeconds, degradedFrom, downFrom }) => ({
          name,
          of,
          state: its,
          value: rounded(value),
          unit,
          ageSeconds: rounded(ageSeconds),
          degradedFrom,
          downFrom,
        })),
      }),
    );
    return { state: worstOf(parts.map(({ state }) => state)), readAt, parts };
  }
}

const rounded = (value: number | null): number | null => (value === null ? null : Math.round(value * 100) / 100);

/** A page whose run waits for a step with a delay is not due yet. */
const waitsForStep = `EXISTS (SELECT FROM workflows.runs r WHERE r.workflow_id = p.workflow_id AND r.event_id = p.event_id
  AND r.organization_id = $1 AND r.environment = $2 AND r.status = 'waiting' AND r.due_at > clock_timestamp())`;

async function ownReadings(tx: Tx, { organizationId, environment }: Principal): Promise<Readings> {
  const [row] = await tx.query<{
    due: number;
    dueSeconds: number;
    missing: number;
    waiting: number;
    waitingSeconds: number;
  }>(
    `SELECT lines.*, messages.* FROM (
       SELECT count(*)::int AS due, ${ageOf('asked_at')} AS "dueSeconds", count(*) FILTER (WHERE repairs > 0)::int AS missing
       FROM (SELECT asked_at, repairs FROM workflows.page_requests p
         WHERE organization_id = $1 AND environment = $2 AND outcome IS NULL AND repairs >= 0
           AND NOT ${waitsForStep}
         ORDER BY asked_at LIMIT ${mostCounted}) AS open) AS lines
     CROSS JOIN (
       SELECT count(*)::int AS waiting, ${ageOf('created_at')} AS "waitingSeconds"
       FROM (SELECT created_at FROM workflows.notifications
         WHERE organization_id = $1 AND environment = $2 AND status = 'queued' AND attempts = 0
           AND NOT waits_in_order
         ORDER BY created_at LIMIT ${mostCounted}) AS queued) AS messages`,
    [organizationId, environment],
  );
  if (!row) return {};
  const now = (value: number) => ({ value, ageSeconds: 0 });
  return {
    pagesDue: now(row.due),
    oldestPageDue: now(row.dueSeconds),
    pagesMissing: now(row.missing),
    notificationsWaiting: now(row.waiting),
    oldestNotificationWaiting: now(row.waitingSeconds),
  };
}

/** Seconds since the earliest time, by the clock of the database; 0 without one. */
const ageOf = (column: string): string =>
  `greatest(coalesce(extract(epoch FROM clock_timestamp() - min(${column})), 0), 0)::float8`;
