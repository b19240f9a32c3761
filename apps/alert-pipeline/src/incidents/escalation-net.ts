/**
 * Looks each half minute, by the clock of the database, for escalations that would never go on: the time of their next
 * step is lost, or an alert fires and nothing is due. It mends them, and `EscalationWatch` goes on. One replica looks at
 * a time: the look locks its row of `alerts.page_looks`, and another one looks when that replica dies.
 */
import {
  escalationActor,
  incidentColumns,
  incidentRecordOf,
  type IncidentRecord,
  type IncidentRow,
} from '@ams/alerting';
import { publicId, type Tenant } from '@ams/contracts';
import { Database, type Tx } from '@ams/database';
import { mended } from '@ams/domain';
import { Outbox } from '@ams/persistence';
import { Logger, Measurement, Metrics, Rounds } from '@ams/service';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { IncidentChanges } from './incident-changes.js';

const turnMs = 2000;
/** With the pause between two turns it is half a minute. */
const everySeconds = 28;
/** Incidents of one look. */
const atOnce = 200;

interface Suspect extends Tenant {
  id: string;
}

@Injectable()
export class EscalationNet implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly missing;
  private readonly rounds: Rounds;
  private readonly measurement: Measurement;

  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly log: Logger,
    metrics: Metrics,
  ) {
    this.rounds = new Rounds({
      everyMs: turnMs,
      work: () => this.work(),
      onError: (error) => this.log.warn({ err: error }, 'escalations could not be checked; trying again'),
    });
    this.missing = metrics.counter(
      'ams_pages_missing_total',
      'Escalations that would never have gone on, and were put on their way again. 0 in a healthy system.',
      ['missing'] as const,
    );
    this.missing.inc({ missing: 'escalation' }, 0);
    const lastLook = metrics.gauge(
      'ams_pages_last_look_seconds',
      'Time since the last look for pages that are missing, by the clock of the database.',
      ['missing'],
    );
    this.measurement = new Measurement({
      metrics,
      log,
      name: 'escalations',
      gauges: [lastLook],
      read: async () => {
        const [row] = await database.query<{ seconds: number }>(
          `SELECT extract(epoch FROM clock_timestamp() - greatest(looked_at, since))::float8 AS seconds
           FROM alerts.page_looks WHERE part = 'escalation'`,
        );
        if (!row) return {};
        const missingPagesLook = Math.max(0, row.seconds);
        lastLook.set({ missing: 'escalation' }, missingPagesLook);
        return { missingPagesLook };
      },
    });
  }

  onApplicationBootstrap(): void {
    this.rounds.start();
    this.measurement.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([this.rounds.stop(), this.measurement.stop()]);
  }

  private async work(): Promise<boolean> {
    for (const suspect of await this.database.asService(suspects)) {
      if (this.rounds.isStopped) break;
      const isMended = await this.database
        .asService((tx) => mend(tx, suspect))
        .catch((error: unknown) => {
          this.log.warn({ err: error, incidentId: publicId('incident', suspect.id) }, 'an escalation was not mended');
          return false;
        });
      if (!isMended) continue;
      this.outbox.publishNow();
      this.missing.inc({ missing: 'escalation' });
      this.log.error(
        { incidentId: publicId('incident', suspect.id) },
        'the next step of an escalation was lost, and the escalation goes on',
      );
    }
    return false;
  }
}

/** The earliest time that the incident waits for, from its values. */
const wanted = `least(
  CASE WHEN escalation->>'state' IN ('escalating', 'waiting') THEN (escalation->>'nextAt')::timestamptz END,
  CASE WHEN (paging->'joined'->>'untold')::int > 0
    THEN (paging->'joined'->>'toldAt')::timestamptz + interval '5 minutes' END,
  (paging->>'flappingUntil')::timestamptz, (paging->>'refireAt')::timestamptz)`;

/** None when the look is not due, or another replica looks. */
async function suspects(tx: Tx): Promise<Suspect[]> {
  const [look] = await tx.query(
    `SELECT FROM alerts.page_looks WHERE part = 'escalation'
       AND looked_at <= clock_timestamp() - interval '${everySeconds} s' FOR UPDATE SKIP LOCKED`,
  );
  if (!look) return [];
  const found = await tx.query<Suspect>(
    `SELECT id, organization_id AS "organizationId", environment FROM alerts.incidents i
     WHERE status <> 'resolved' AND updated_at < now() - interval '1 minute' AND (
       due_at < now() - interval '1 minute'
       OR (${wanted} < now() - interval '1 minute' AND (due_at IS NULL OR due_at > now()))
       OR (status = 'triggered' AND paging IS NOT NULL AND escalation->>'state' <> 'exhausted'
         AND (escalation->>'state' <> 'escalating' OR escalation->>'nextAt' IS NULL)
         AND EXISTS (SELECT FROM alerts.alerts a WHERE a.incident_id = i.id AND a.status = 'firing'
           AND a.organization_id = i.organization_id AND a.environment = i.environment)))
     ORDER BY updated_at LIMIT ${atOnce}`,
  );
  await tx.query(`UPDATE alerts.page_looks SET looked_at = clock_timestamp() WHERE part = 'escalation'`);
  return found;
}

/** False when nothing is lost: the incident is only late, or another replica has mended it. */
async function mend(tx: Tx, { id, ...tenant }: Suspect): Promise<boolean> {
  const [row] = await tx.query<IncidentRow & { now: Date; firing: number }>(
    `SELECT ${incidentColumns}, clock_timestamp() AS now, (SELECT count(*)::int FROM alerts.alerts a
       WHERE a.incident_id = i.id AND a.status = 'firing' AND a.organization_id = i.organization_id
         AND a.environment = i.environment) AS firing
     FROM alerts.incidents i
     WHERE id = $1 AND organization_id = $2 AND environment = $3 FOR UPDATE SKIP LOCKED`,
    [id, tenant.organizationId, tenant.environment],
  );
  if (!row) return false;
  const record = incidentRecordOf(row);
  const now = row.now.toISOString();
  const at = now > record.updatedAt ? now : record.updatedAt;
  const result = mended(record.state, row.firing, at);
  if (!result) return false;
  await write(tx, record, result, at);
  return true;
}

async function write(
  tx: Tx,
  record: IncidentRecord,
  { incident, decision }: NonNullable<ReturnType<typeof mended>>,
  at: string,
): Promise<void> {
  const changes = new IncidentChanges();
  const cause = { type: 'incident' as const, id: publicId('incident', record.id) };
  if (decision) {
    const { type, changes: fields } = decision;
    changes.change(record, incident, { type, changes: fields, actor: escalationActor, cause, at });
  } else changes.keep(record, incident);
  await changes.write(tx);
}
