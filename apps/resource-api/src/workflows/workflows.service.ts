/** Workflows: a trigger, conditions, steps. */
import {
  newUuid,
  publicId,
  type Input,
  type ListWorkflowsQuery,
  type NoQuery,
  type Page,
  type PostWorkflow,
  type PutWorkflow,
  type Tenant,
  type Workflow,
} from '@ams/contracts';
import { Database, page, withIdempotency, type Tx } from '@ams/database';
import { Injectable } from '@nestjs/common';
import {
  findRecord,
  insertRecord,
  deleteRecord,
  lockRecord,
  patch,
  settingsOf,
  changeRecord,
} from '../records/entity-records.js';
import { requireRoom } from '../records/record-room.js';
import { auditedChanges, recordAudit } from '../records/record-audit.js';
import { count, sortBy } from '../records/tenant-queries.js';
import { throwFaults } from '../records/throw-faults.js';
import { Secrets } from '../secrets/secrets.js';
import { teamFaults, teamUuid } from '../teams/held-team.js';
import { changesDefinition, checkedDefinition, mergedDefinition, refuseToEnable } from './workflow-definition.js';
import {
  lastRunAtOf,
  listedColumns,
  replaceReferences,
  workflowsMatching,
  type ListedWorkflow,
} from './workflow-queries.js';
import { workflowDefaults, workflowRecord, workflows, type WorkflowSettings } from './workflow-record.js';
import { secretsIn } from './workflow-secrets.js';
import type { WorkflowEntity } from './workflow.entity.js';

const sorts = { name: { column: 'name', type: 'text' }, createdAt: { column: 'created_at', type: 'time' } } as const;

@Injectable()
export class WorkflowsService {
  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
  ) {}

  list({ principal, query }: Input<ListWorkflowsQuery, undefined>): Promise<Page<Workflow>> {
    const { limit, cursor, ...filters } = query;
    const where = workflowsMatching(principal, filters);
    return this.database.readAs(principal, (tx) =>
      page<ListedWorkflow, Workflow>(tx, {
        select: listedColumns(tx),
        from: 'resources.workflows',
        where,
        sort: sortBy(filters.sort ?? 'name', sorts),
        id: 'id',
        limit,
        cursor,
        boundTo: ['workflows', filters],
        total: () => count(tx, 'resources.workflows', where),
        item: (workflow) => workflowRecord(workflow, workflow.lastRunAt),
      }),
    );
  }

  get(input: Input<NoQuery, undefined>): Promise<Workflow> {
    return this.database.readAs(input.principal, async (tx) => answerOf(tx, await findRecord(tx, workflows, input)));
  }

  create(input: Input<NoQuery, PostWorkflow>): Promise<Workflow> {
    const { body, principal } = input;
    return this.database.writeAs(principal, (tx) =>
      withIdempotency(tx, 'resource-api', principal, input.idempotency, async () => {
        await requireRoom(tx, principal, 'workflows');
        const { trigger, conditions, steps } = body;
        const at = new Date();
        const id = newUuid(at.getTime());
        const { secrets } = this;
        const definition = await checkedDefinition(tx, principal, { trigger, conditions, steps }, { id, secrets });
        throwFaults(await teamFaults(tx, principal, body.teamId));
        const settings = patch(workflowDefaults, { ...body, teamId: teamUuid(body.teamId), ...definition });
        const workflow = await insertWorkflow(tx, principal, settings, at, id);
        await audit(tx, input, 'workflow.created', null, workflow, at);
        return workflowRecord(workflow, null);
      }),
    );
  }

  update(input: Input<NoQuery, PutWorkflow>): Promise<Workflow> {
    const { body, principal } = input;
    return this.database.writeAs(principal, async (tx) => {
      const workflow = await lockRecord(tx, workflows, input);
      const { name, description, enabled } = body;
      const definition = changesDefinition(body)
        ? await checkedDefinition(tx, principal, mergedDefinition(workflow, body), {
            ...workflow,
            secrets: this.secrets,
          })
        : {};
      throwFaults(await teamFaults(tx, principal, body.teamId));
      if (enabled === true && !workflow.enabled) refuseToEnable({ ...workflow, ...definition });
      const changes = { name, description, enabled, teamId: teamUuid(body.teamId), ...definition };
      return answerOf(tx, await change(tx, input, 'workflow.updated', workflow, changes));
    });
  }

  delete(input: Input<NoQuery, undefined>): Promise<void> {
    return this.database.writeAs(input.principal, async (tx) => {
      const workflow = await lockRecord(tx, workflows, input);
      await deleteRecord(tx, workflows, workflow);
      await audit(tx, input, 'workflow.deleted', workflow, null, new Date());
    });
  }

  enable(input: Input<NoQuery, undefined>): Promise<Workflow> {
    return this.setEnabled(input, true, 'workflow.enabled');
  }

  disable(input: Input<NoQuery, undefined>): Promise<Workflow> {
    return this.setEnabled(input, false, 'workflow.disabled');
  }

  private setEnabled(input: Input<NoQuery, undefined>, enabled: boolean, type: string): Promise<Workflow> {
    const { principal } = input;
    return this.database.writeAs(principal, (tx) =>
      withIdempotency(tx, 'resource-api', principal, input.idempotency, async () => {
        const workflow = await lockRecord(tx, workflows, input);
        if (enabled && !workflow.enabled) refuseToEnable(workflow);
        return answerOf(tx, await change(tx, input, type, workflow, { enabled }));
      }),
    );
  }
}

const answerOf = async (tx: Tx, workflow: WorkflowEntity): Promise<Workflow> =>
  workflowRecord(workflow, await lastRunAtOf(tx, workflow));

/** Stores a workflow whose definition has been checked. `id`: the UUID for which its secrets are sealed. */
export async function insertWorkflow(
  tx: Tx,
  { organizationId, environment }: Tenant,
  settings: WorkflowSettings,
  at: Date,
  id = newUuid(at.getTime()),
): Promise<WorkflowEntity> {
  const stored = { createdAt: at, updatedAt: at, version: 1 };
  const workflow: WorkflowEntity = { id, organizationId, environment, ...settings, ...stored };
  await insertRecord(tx, workflows, workflow);
  await replaceReferences(tx, workflow);
  return workflow;
}

/** Stores a workflow with its changes, if there are any, and their entry in the audit log. */
async function change(
  tx: Tx,
  input: Input<unknown, unknown>,
  type: string,
  workflow: WorkflowEntity,
  changes: Partial<WorkflowSettings>,
): Promise<WorkflowEntity> {
  const before = settingsOf(workflowDefaults, workflow);
  const after = patch(before, changes);
  if (auditedChanges(before, after).length === 0) return workflow;
  const at = new Date();
  const changed = await changeRecord(tx, workflows, workflow, after, at);
  if (after.steps !== before.steps) await replaceReferences(tx, changed);
  await audit(tx, input, type, workflow, changed, at);
  return changed;
}

const audit = (
  tx: Tx,
  input: Input<unknown, unknown>,
  type: string,
  before: WorkflowEntity | null,
  after: WorkflowEntity | null,
  at: Date,
): Promise<void> =>
  recordAudit(tx, input, type, {
    resource: workflows.resource,
    id: publicId('workflow', (after ?? before)?.id ?? ''),
    before: before && audited(before),
    after: after && audited(after),
    hidden: ['secrets'],
    at,
  });

/** The record with its secrets, so that a replaced secret is a change. The audit entry hides their values. */
function audited(workflow: WorkflowEntity): object {
  const secrets = secretsIn(workflow.steps);
  const { lastRunAt: _, ...record } = workflowRecord(workflow, null);
  return { ...record, secrets: secrets.length === 0 ? null : secrets };
}
