/**
 * The records that every organization starts with: in each environment a schedule, an escalation policy that pages the
 * member on call, which is also the catch-all policy, and a workflow for urgent alerts. They are created once, so
 * changes and deletions by members stay. Organizations of earlier releases get the policy only.
 */
import { auditSubject, newUuid, publicId, type Actor, type AuditRecord, type Tenant } from '@ams/contracts';
import { Database, addToOutbox, type OutboxMessage, type Tx } from '@ams/database';
import { normalizedPolicy, normalizedWorkflow, type OnCallSchedule, type PolicyTarget } from '@ams/domain';
import { environments } from '@ams/scopes';
import { Logger } from '@ams/service';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { insertPolicy } from '../escalation-policies/escalation-policies.service.js';
import { policyRecord } from '../escalation-policies/policy-record.js';
import { setCatchAll } from '../organization/organization.service.js';
import { auditedChanges } from '../records/record-audit.js';
import { insertSchedule } from '../schedules/schedules.service.js';
import { workflowRecord } from '../workflows/workflow-record.js';
import { insertWorkflow } from '../workflows/workflows.service.js';

/** The command that creates an organization waits for this. */
const everyMs = 250;
const atOnce = 100;

const scheduleName = 'Default';

const setup: Actor = { type: 'service', id: null, name: 'setup' };

/** Organizations that lack default records. One without an active owner waits: nobody can be on call for it. */
const waiting = `
  SELECT o.id FROM auth_views.organizations o
  WHERE NOT EXISTS (SELECT 1 FROM resources.defaults_made d WHERE d.organization_id = o.id AND d.policies)
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
  const lacking = await lackingRecords(tx, organizationId);
  if (lacking === 'none') return;
  for (const environment of environments) {
    const tenant = { organizationId, environment };
    if (lacking === 'policy') {
      await makePolicy(tx, tenant, await firstTargets(tx, tenant, owner.id), at);
      continue;
    }
    const scheduleId = await makeSchedule(tx, tenant, owner.id, at);
    await makePolicy(tx, tenant, inTurn(scheduleId), at);
    await makeWorkflow(tx, tenant, scheduleId, at);
  }
}

/** Another transaction that asks for the same organization waits, and then nothing is lacking. */
async function lackingRecords(tx: Tx, organizationId: string): Promise<'all' | 'policy' | 'none'> {
  const [marked] = await tx.query<{ isNew: boolean }>(
    `INSERT INTO resources.defaults_made AS d (organization_id, policies) VALUES ($1, true)
     ON CONFLICT (organization_id) DO UPDATE SET policies = true WHERE NOT d.policies RETURNING d.xmax = 0 AS "isNew"`,
    [organizationId],
  );
  if (!marked) return 'none';
  return marked.isNew ? 'all' : 'policy';
}

/** The targets of each level: the member on call, then the next one. */
const inTurn = (scheduleId: string): PolicyTarget[][] => {
  const id = publicId('schedule', scheduleId);
  return [[{ type: 'schedule', id }], [{ type: 'schedule', id, who: 'next' }]];
};

/** For an organization of an earlier release: its initial schedule, else its oldest one, else the owner (a UUID). */
async function firstTargets(tx: Tx, { organizationId, environment }: Tenant, owner: string): Promise<PolicyTarget[][]> {
  const [schedule] = await tx.query<{ id: string }>(
    `SELECT id FROM resources.schedules WHERE organization_id = $1 AND environment = $2
     ORDER BY name = $3 DESC, created_at, id LIMIT 1 FOR KEY SHARE`,
    [organizationId, environment, scheduleName],
  );
  return schedule ? inTurn(schedule.id) : [[{ type: 'user', id: publicId('member', owner) }]];
}

/** Midnight in UTC that begins the week. */
function mondayOf(at: Date): Date {
  const daysSince = (at.getUTCDay() + 6) % 7;
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() - daysSince));
}

/** The owner (a UUID) is the first in the weekly rotation. Returns the UUID of the schedule. */
async function makeSchedule(tx: Tx, tenant: Tenant, owner: string, at: Date): Promise<string> {
  const layersOf = (member: string): OnCallSchedule['layers'] => [
    {
      id: 'everybody',
      name: 'Everybody in turn',
      members: [member],
      rotation: { unit: 'week', interval: 1, handoffTime: '09:00', handoffDay: 1 },
      startsAt: mondayOf(at).toISOString(),
      endsAt: null,
      restrictions: [],
    },
  ];
  const settings = { name: scheduleName, description: null, teamId: null, timezone: 'UTC' };
  const { id } = await insertSchedule(tx, tenant, { ...settings, layers: layersOf(owner) }, at);
  const record = { ...settings, layers: layersOf(publicId('member', owner)) };
  await addToOutbox(tx, 'resource-api', [
    creation(tenant, { type: 'schedule', id: publicId('schedule', id) }, record, at),
  ]);
  return id;
}

/** A policy with these targets, level by level; the catch-all policy unless the tenant has one. */
async function makePolicy(tx: Tx, tenant: Tenant, targets: PolicyTarget[][], at: Date): Promise<void> {
  const levels = targets.map((ofLevel) => ({ targets: ofLevel, escalateAfterSeconds: 600 }));
  const settings = { name: 'Default', description: null, teamId: null, ...normalizedPolicy({ levels, repeat: 1 }) };
  const policy = await insertPolicy(tx, tenant, settings, at);
  const id = publicId('escalationPolicy', policy.id);
  const entries = [creation(tenant, { type: 'escalation_policy', id }, policyRecord(policy), at)];
  if (await setCatchAll(tx, tenant, policy.id, at)) {
    const organization = { type: 'organization', id: publicId('organization', tenant.organizationId) };
    const changes = auditedChanges({ catchAllPolicyId: null }, { catchAllPolicyId: id });
    entries.push(entry(tenant, 'organization.updated', organization, changes, at));
  }
  await addToOutbox(tx, 'resource-api', entries);
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
    {
      name: 'Open an incident and page',
      description: null,
      enabled: true,
      teamId: null,
      events: trigger.events,
      conditions,
      steps,
    },
    at,
  );
  await addToOutbox(tx, 'resource-api', [
    creation(tenant, { type: 'workflow', id: publicId('workflow', workflow.id) }, workflowRecord(workflow, null), at),
  ]);
}

interface AuditedResource {
  type: string;
  id: string;
}

const creation = (tenant: Tenant, resource: AuditedResource, record: object, at: Date): OutboxMessage =>
  entry(tenant, `${resource.type}.created`, resource, auditedChanges(null, record), at);

/** An entry of the audit log. */
function entry(
  tenant: Tenant,
  type: string,
  resource: AuditedResource,
  changes: AuditRecord['changes'],
  at: Date,
): OutboxMessage {
  const payload: AuditRecord = {
    ...tenant,
    id: newUuid(at.getTime()),
    type,
    occurredAt: at.toISOString(),
    actor: setup,
    ip: null,
    userAgent: null,
    requestId: null,
    resource,
    changes,
  };
  return { subject: auditSubject, messageId: payload.id, payload };
}
