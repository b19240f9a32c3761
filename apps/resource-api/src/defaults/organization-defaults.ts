/**
 * The records that every organization starts with: in each environment a schedule, and a workflow that opens incidents
 * for urgent alerts and pages the member on call. They are created once, so changes and deletions by members stay.
 */
import { versionOf } from '@ams/alerting';
import { auditSubject, newUuid, publicId, type Actor, type AuditRecord, type Tenant } from '@ams/contracts';
import { Database, addToOutbox, type OutboxMessage, type Tx } from '@ams/database';
import { normalizedWorkflow, type StoredLayer } from '@ams/domain';
import { environments } from '@ams/scopes';
import { Logger } from '@ams/service';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { auditedChanges } from '../records/record-audit.js';
import { everybodyOf } from '../members/member-queries.js';
import { scheduleRecord } from '../schedules/schedule-record.js';
import { settingsDefaults } from '../schedules/schedule-settings.js';
import { insertSchedule } from '../schedules/schedules.service.js';
import { workflowRecord } from '../workflows/workflow-record.js';
import { insertWorkflow } from '../workflows/workflows.service.js';

const everyMs = 2000;
const atOnce = 100;

const setup: Actor = { type: 'service', id: null, name: 'setup' };

/** New organizations. One without an active owner waits: nobody can be on call for it. */
const waiting = `
  SELECT o.id FROM auth_views.organizations o
  WHERE NOT EXISTS (SELECT 1 FROM resources.defaults_made d WHERE d.organization_id = o.id)
    AND EXISTS (
      SELECT 1 FROM auth_views.members m WHERE m.organization_id = o.id AND m.role = 'owner' AND m.status = 'active'
    )
  ORDER BY o.id LIMIT ${atOnce}`;

/** Looks for new organizations. When several replicas find the same one, one of them makes its defaults. */
@Injectable()
export class OrganizationDefaults implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(
    private readonly log: Logger,
    private readonly database: Database,
  ) {}

  onApplicationBootstrap(): void {
    this.turn();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private turn(): void {
    this.running = this.work()
      .catch((error: unknown) => this.log.warn({ err: error }, 'new organizations could not be read; trying again'))
      .finally(() => {
        if (!this.stopped) this.timer = setTimeout(() => this.turn(), everyMs);
      });
  }

  private async work(): Promise<void> {
    for (const { id } of await this.database.query<{ id: string }>(waiting)) {
      if (this.stopped) return;
      await this.database
        .asService((tx) => ensureDefaults(tx, id, new Date()))
        .catch((error: unknown) =>
          this.log.warn(
            { err: error, organizationId: id },
            'the defaults of an organization could not be made; trying again',
          ),
        );
    }
  }
}

/**
 * Makes the defaults of an organization (a UUID) in both environments, unless they were made before or it has no active
 * owner.
 */
export async function ensureDefaults(tx: Tx, organizationId: string, at: Date): Promise<void> {
  const [owner] = await tx.query<{ id: string }>(
    `SELECT id FROM auth_views.members WHERE organization_id = $1 AND role = 'owner' AND status = 'active'
     ORDER BY created_at, id LIMIT 1`,
    [organizationId],
  );
  if (!owner) return;
  const [first] = await tx.query(
    'INSERT INTO resources.defaults_made (organization_id) VALUES ($1) ON CONFLICT DO NOTHING RETURNING 1',
    [organizationId],
  );
  if (!first) return;
  for (const environment of environments) {
    const tenant = { organizationId, environment };
    const scheduleId = await makeSchedule(tx, tenant, at);
    await makeWorkflow(tx, tenant, scheduleId, at);
  }
}

/** Midnight in UTC that begins the week. */
function mondayOf(at: Date): Date {
  const daysSince = (at.getUTCDay() + 6) % 7;
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() - daysSince));
}

/** Everybody is on call in turn, week by week. Returns the UUID of the schedule. */
async function makeSchedule(tx: Tx, tenant: Tenant, at: Date): Promise<string> {
  const layer: StoredLayer = {
    id: 'everybody',
    name: 'Everybody in turn',
    everybody: true,
    members: await everybodyOf(tx, tenant),
    rotation: { unit: 'week', interval: 1, handoffTime: '09:00', handoffDay: 1 },
    startsAt: mondayOf(at).toISOString(),
    endsAt: null,
    restrictions: [],
    timezone: null,
    perTurn: 1,
  };
  const schedule = await insertSchedule(
    tx,
    tenant,
    { name: 'Default', description: null, ...settingsDefaults, layers: [layer] },
    at,
  );
  const record = scheduleRecord(schedule, [versionOf(schedule)], [], at);
  await addToOutbox(tx, 'resource-api', [creation(tenant, { type: 'schedule', id: record.id }, record, at)]);
  return schedule.id;
}

async function makeWorkflow(tx: Tx, tenant: Tenant, scheduleId: string, at: Date): Promise<void> {
  const targets = [{ type: 'schedule', id: publicId('schedule', scheduleId) }];
  const { trigger, conditions, steps } = normalizedWorkflow({
    trigger: { events: ['alert.created', 'alert.resumed', 'alert.severityChanged'] },
    conditions: { field: 'severity', op: 'gte', value: 'high' },
    steps: [
      { id: 'incident', type: 'openIncident', params: { groupBy: ['fingerprint'], autoResolve: true } },
      { id: 'page', type: 'notify', params: { targets } },
      { id: 'escalate', type: 'notify', params: { targets }, delaySeconds: 600, unless: ['acknowledged', 'resolved'] },
    ],
  });
  const workflow = await insertWorkflow(
    tx,
    tenant,
    { name: 'Open an incident and page', description: null, enabled: true, events: trigger.events, conditions, steps },
    at,
  );
  await addToOutbox(tx, 'resource-api', [
    creation(tenant, { type: 'workflow', id: publicId('workflow', workflow.id) }, workflowRecord(workflow, null), at),
  ]);
}

/** The entry of the audit log. */
function creation(tenant: Tenant, resource: { type: string; id: string }, record: object, at: Date): OutboxMessage {
  const entry: AuditRecord = {
    ...tenant,
    id: newUuid(at.getTime()),
    type: `${resource.type}.created`,
    occurredAt: at.toISOString(),
    actor: setup,
    ip: null,
    userAgent: null,
    requestId: null,
    resource,
    changes: auditedChanges(null, record),
  };
  return { subject: auditSubject, messageId: entry.id, payload: entry };
}
