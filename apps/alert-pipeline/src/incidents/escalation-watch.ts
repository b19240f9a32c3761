/**
 * Lets escalations go on: levels, ends of acknowledgements and snoozes, gathered messages. What is due is a column of
 * the incident (`due_at`), so a restart loses nothing. Any replica may take an incident: the lock of its row keeps the
 * others away, and they find nothing due after it. All times are by the clock of the database.
 */
import {
  changeWithIncident,
  escalationActor,
  incidentColumns,
  incidentContext,
  incidentRecordOf,
  pagingReads,
  tellDue,
  tellNotice,
  Windows,
  type AlertRecord,
  type IncidentRecord,
  type IncidentRow,
} from '@ams/alerting';
import { publicId, type Tenant } from '@ams/contracts';
import { Database, type Tx } from '@ams/database';
import { decideDue } from '@ams/domain';
import { Outbox } from '@ams/persistence';
import { Logger, Rounds } from '@ams/service';
import { beginWork, inSpan, SpanKind, type SpanFacts } from '@ams/tracing';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { AlertChanges } from '../alerts/alert-changes.js';
import { lockOpenAlerts } from '../alerts/locked-alerts.js';
import { followAgain } from './follow-incidents.js';
import { IncidentChanges } from './incident-changes.js';

const pollMs = 250;
const retryMs = 2000;
/** Incidents of one poll. Then what is due is read again: it may be that of another team. */
const atOnce = 50;

interface DueIncident extends Tenant {
  id: string;
}

@Injectable()
export class EscalationWatch implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly rounds: Rounds;
  /** Incidents whose last try failed, and when they are tried again. Monotonic clock. */
  private readonly failed = new Map<string, number>();

  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly log: Logger,
  ) {
    this.rounds = new Rounds({
      everyMs: pollMs,
      work: () => this.work(),
      onError: (error) => this.log.warn({ err: error }, 'escalations could not be read; trying again'),
    });
  }

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.rounds.stop();
  }

  /** True when there may be more that is due. */
  private async work(): Promise<boolean> {
    for (const [id, at] of this.failed) if (at <= performance.now()) this.failed.delete(id);
    let changes = 0;
    const all = await dueIncidents(this.database, [...this.failed.keys()]);
    for (const due of all) {
      if (this.rounds.isStopped) return false;
      const span = beginWork(() => spanOfDue(due));
      const changed = await inSpan(span, () => this.database.asService((tx) => goOn(tx, due))).catch(
        (error: unknown) => {
          this.failed.set(due.id, performance.now() + retryMs);
          this.log.warn({ err: error, incidentId: publicId('incident', due.id) }, 'an escalation failed; trying again');
          return false;
        },
      );
      if (!changed) continue;
      changes++;
      this.outbox.publishNow();
    }
    return changes > 0 && all.length === atOnce;
  }
}

const spanOfDue = ({ id, organizationId, environment }: DueIncident): SpanFacts => ({
  name: 'escalation',
  kind: SpanKind.INTERNAL,
  attributes: {
    'ams.organization.id': organizationId,
    'ams.environment': environment,
    'ams.incident.id': publicId('incident', id),
  },
});

/**
 * Organizations take turns, and within one those who are paged by different policies. Each begins with what is overdue
 * longest.
 */
const dueIncidents = (database: Database, except: readonly string[]): Promise<DueIncident[]> =>
  database.query<DueIncident>(
    `SELECT id, organization_id AS "organizationId", environment FROM (
       SELECT id, organization_id, environment, due_at,
         row_number() OVER (PARTITION BY organization_id ORDER BY of_policy, due_at) AS of_organization
       FROM (SELECT id, organization_id, environment, due_at,
           row_number() OVER (PARTITION BY organization_id, environment, policy_id ORDER BY due_at) AS of_policy
         FROM (SELECT id, organization_id, environment, due_at, policy_id FROM alerts.incidents
           WHERE due_at <= now() AND id <> ALL($1::uuid[]) ORDER BY due_at LIMIT 5000) AS due) AS due) AS due
     ORDER BY of_organization, due_at LIMIT ${atOnce}`,
    [except],
  );

/** Does what is due for one incident. False when another replica has done it, or does it now. */
export async function goOn(tx: Tx, { id, ...tenant }: DueIncident): Promise<boolean> {
  // Alerts are locked before their incident, as in every transaction. Few things that are due change alerts.
  const [before] = await tx.query<{ changesAlerts: boolean }>(
    `SELECT status = 'acknowledged' OR paging->>'refireAt' IS NOT NULL AS "changesAlerts" FROM alerts.incidents
     WHERE id = $1 AND organization_id = $2 AND environment = $3`,
    [id, tenant.organizationId, tenant.environment],
  );
  const alerts = before?.changesAlerts ? await lockOpenAlerts(tx, tenant, id) : null;
  const [row] = await tx.query<IncidentRow & { now: Date }>(
    `SELECT ${incidentColumns}, clock_timestamp() AS now FROM alerts.incidents
     WHERE id = $1 AND organization_id = $2 AND environment = $3 FOR UPDATE SKIP LOCKED`,
    [id, tenant.organizationId, tenant.environment],
  );
  if (!row) return false;
  const now = row.now.toISOString();
  const record = incidentRecordOf(row);
  return doDue(tx, record, alerts, now > record.updatedAt ? now : record.updatedAt);
}

async function doDue(tx: Tx, record: IncidentRecord, alerts: AlertRecord[] | null, at: string): Promise<boolean> {
  const reads = pagingReads(tx);
  const context = await incidentContext(reads, record, record.state.policyId);
  const due = decideDue(record.state, record.state.openAlertCount, at, escalationActor, context);
  if (!due) return false;
  const needsAlerts = due.kind === 'triggered' || due.kind === 'refire';
  // The incident was acknowledged after the first look: the next poll locks the alerts.
  if (needsAlerts && !alerts) return false;
  const changes = new IncidentChanges();
  const cause = { type: 'incident' as const, id: publicId('incident', record.id) };
  const decision = 'decision' in due ? due.decision : null;
  if (decision) {
    const { incident, type, changes: fields } = decision;
    changes.change(record, incident, { type, changes: fields, actor: escalationActor, cause, at });
  } else if ('incident' in due) changes.keep(record, due.incident);
  if (due.kind === 'notice') await tellNotice(changes.effects, reads, record, due.notice, at);
  if (due.kind === 'level') await tellDue(changes.effects, reads, record, at);
  await changes.write(tx);
  if (needsAlerts) {
    const alertChanges = new AlertChanges(at);
    const changeAlert = alertChanges.change.bind(alertChanges);
    const windows = await Windows.of(tx, [record]);
    changeWithIncident({ changeAlert }, record.id, alerts ?? [], 'fire', { actor: escalationActor, at, windows });
    await alertChanges.write(tx);
  }
  // The severity follows the alerts again when one no longer flaps.
  const keepsSeverity = due.kind !== 'notice' || due.notice.kind !== 'flappingOver';
  if (due.kind !== 'level') await followAgain(tx, record, escalationActor, at, { keepsSeverity });
  return true;
}
