/**
 * The records that every organization starts with: in each environment a schedule, an escalation policy that pages the
 * member on call, which is also the catch-all policy, and a workflow that pages for urgent alerts. They are created once,
 * so changes and deletions by members stay. Organizations of earlier releases get the policy, and the workflow of that
 * release becomes the present one if nobody has changed it.
 */
import { versionOf } from '@ams/alerting';
import { auditSubject, newUuid, publicId, type Actor, type AuditRecord, type Tenant } from '@ams/contracts';
import { Database, addToOutbox, selectOf, type OutboxMessage, type Tx } from '@ams/database';
import {
  defaultWorkflow,
  formerWorkflowName,
  isUnchangedFormerDefault,
  normalizedPolicy,
  type PolicyTarget,
  type StoredLayer,
} from '@ams/domain';
import { environments } from '@ams/scopes';
import { Logger, Rounds } from '@ams/service';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { insertPolicy } from '../escalation-policies/escalation-policies.service.js';
import { policyRecord } from '../escalation-policies/policy-record.js';
import { setCatchAll, settingsOf as storedSettings } from '../organization/organization.service.js';
import { changeRecord } from '../records/entity-records.js';
import { auditedChanges } from '../records/record-audit.js';
import { everybodyOf } from '../members/member-queries.js';
import { scheduleRecord } from '../schedules/schedule-record.js';
import { settingsDefaults } from '../schedules/schedule-settings.js';
import { insertSchedule } from '../schedules/schedules.service.js';
import { replaceReferences } from '../workflows/workflow-queries.js';
import { workflowDefaults, workflowRecord, workflows } from '../workflows/workflow-record.js';
import { WorkflowEntity } from '../workflows/workflow.entity.js';
import { insertWorkflow } from '../workflows/workflows.service.js';

/** The command that creates an organization waits for this. */
const everyMs = 250;
const atOnce = 100;

const scheduleName = 'Default';

const setup: Actor = { type: 'service', id: null, name: 'setup' };

/** Organizations that lack default records. One without an active owner waits: nobody can be on call for it. */
const waiting = `
  SELECT o.id FROM auth_views.organizations o
  WHERE NOT EXISTS (SELECT 1 FROM resources.defaults_made d WHERE d.organization_id = o.id AND d.policies
      AND d.pages)
    AND EXISTS (
      SELECT 1 FROM auth_views.members m WHERE m.organization_id = o.id AND m.role = 'owner' AND m.status = 'active'
    )
  ORDER BY o.id LIMIT ${atOnce}`;

/** Looks for new organizations. When several replicas find the same one, one of them makes its defaults. */
@Injectable()
export class OrganizationDefaults implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly rounds: Rounds;

  constructor(
    private readonly log: Logger,
    private readonly database: Database,
  ) {
    this.rounds = new Rounds({
      everyMs,
      work: () => this.work(),
      onError: (error) => this.log.warn({ err: error }, 'new organizations could not be read; trying again'),
    });
  }

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.rounds.stop();
  }

  private async work(): Promise<boolean> {
    for (const { id } of await this.database.query<{ id: string }>(waiting)) {
      if (this.rounds.isStopped) break;
      await this.database
        .asService((tx) => ensureDefaults(tx, id, new Date()))
        .catch((error: unknown) =>
          this.log.warn(
            { err: error, organizationId: id },
            'the defaults of an organization could not be made; trying again',
          ),
        );
    }
    return false;
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
  const had = await markDefaults(tx, organizationId);
  for (const environment of environments) {
    const tenant = { organizationId, environment };
    if (had === 'none') {
      const scheduleId = await makeSchedule(tx, tenant, at);
      await makePolicy(tx, tenant, inTurn(scheduleId), at);
      await makeWorkflow(tx, tenant, at);
      continue;
    }
    if (!had.policies) await makePolicy(tx, tenant, await firstTargets(tx, tenant, owner.id), at);
    if (!had.pages) await replaceFormerWorkflow(tx, tenant, at);
  }
}

interface DefaultsMade {
  policies: boolean;
  /** Whether the workflow of an earlier release was considered. */
  pages: boolean;
}

/** What the organization had. Another transaction that asks for the same organization waits, and then it has all. */
async function markDefaults(tx: Tx, organizationId: string): Promise<DefaultsMade | 'none'> {
  const added = await tx.query(
    `INSERT INTO resources.defaults_made (organization_id, policies, pages) VALUES ($1, true, true)
     ON CONFLICT DO NOTHING RETURNING organization_id`,
    [organizationId],
  );
  if (added.length > 0) return 'none';
  const [had] = await tx.query<DefaultsMade>(
    'SELECT policies, pages FROM resources.defaults_made WHERE organization_id = $1 FOR UPDATE',
    [organizationId],
  );
  await tx.query('UPDATE resources.defaults_made SET policies = true, pages = true WHERE organization_id = $1', [
    organizationId,
  ]);
  return had ?? { policies: true, pages: true };
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
    { name: scheduleName, description: null, teamId: null, ...settingsDefaults, layers: [layer] },
    at,
  );
  const record = scheduleRecord(schedule, [versionOf(schedule)], [], at);
  await addToOutbox(tx, 'resource-api', [creation(tenant, { type: 'schedule', id: record.id }, record, at)]);
  return schedule.id;
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

async function makeWorkflow(tx: Tx, tenant: Tenant, at: Date): Promise<void> {
  const { name, trigger, conditions, steps } = defaultWorkflow;
  const settings = { ...workflowDefaults, name, events: trigger.events, conditions, steps };
  const workflow = await insertWorkflow(tx, tenant, settings, at);
  await addToOutbox(tx, 'resource-api', [creation(tenant, resourceOf(workflow), workflowRecord(workflow, null), at)]);
}

/**
 * The workflow keeps its id and name. Without a catch-all policy it is not replaced: alerts without a team would page
 * only the owners.
 */
async function replaceFormerWorkflow(tx: Tx, tenant: Tenant, at: Date): Promise<void> {
  const { organizationId, environment } = tenant;
  const { settings } = await storedSettings(tx, tenant);
  if (settings.catchAllPolicyId === null) return;
  const stored = await tx.query<WorkflowEntity>(
    `SELECT ${selectOf(tx, WorkflowEntity, 'w')} FROM resources.workflows w
     WHERE w.organization_id = $1 AND w.environment = $2 AND w.name = $3 ORDER BY w.id FOR UPDATE`,
    [organizationId, environment, formerWorkflowName],
  );
  for (const workflow of stored) {
    if (!isUnchangedFormerDefault({ ...workflow, trigger: { events: workflow.events } })) continue;
    const changed = await changeRecord(tx, workflows, workflow, { steps: defaultWorkflow.steps }, at);
    await replaceReferences(tx, changed);
    const changes = auditedChanges(workflowRecord(workflow, null), workflowRecord(changed, null));
    await addToOutbox(tx, 'resource-api', [entry(tenant, 'workflow.updated', resourceOf(changed), changes, at)]);
  }
}

const resourceOf = ({ id }: WorkflowEntity): AuditedResource => ({ type: 'workflow', id: publicId('workflow', id) });

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
