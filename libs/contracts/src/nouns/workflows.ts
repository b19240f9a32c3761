/** Workflows: a trigger, conditions, steps. The domain validates definitions. */
import {
  componentsOf,
  conditionSchema,
  normalizedWorkflow,
  stepSchema,
  validateWorkflow,
  workflowEvents,
  type Condition,
  type WorkflowEvent,
  type WorkflowStep,
  type Negatable,
} from '@ams/domain';
import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsBoolean, IsIn, IsObject, IsOptional } from 'class-validator';
import type { FieldFault } from '../fault.js';
import { operation } from '../operation.js';
import { Clearable, nullableText, nullableTime, Once, ListQuery, SearchText, Sent, time, worded } from './common.js';
import { ChoiceFilter, SortField } from './filters.js';
import { NameField, TextField } from './fields.js';
import { TeamField, TeamFilter, TeamId } from './team-field.js';

export const workflowSchemas = componentsOf(conditionSchema, stepSchema);

const condition = { $ref: '#/components/schemas/Condition' } as const;
const steps = { type: 'array', items: { $ref: '#/components/schemas/WorkflowStep' } } as const;

export class WorkflowTrigger {
  @ApiProperty({ enum: workflowEvents, enumName: 'WorkflowEvent', isArray: true, minItems: 1, uniqueItems: true })
  events!: WorkflowEvent[];
}

export class Workflow {
  @ApiProperty() id!: string;
  @ApiProperty({ maxLength: 200 }) name!: string;
  @ApiProperty({ ...nullableText }) description!: string | null;
  @ApiProperty() enabled!: boolean;
  @TeamId() teamId!: string | null;
  @ApiProperty({ type: WorkflowTrigger }) trigger!: WorkflowTrigger;
  @ApiProperty({ allOf: [condition], nullable: true, description: 'Null: the workflow runs on each of its events.' })
  conditions!: Condition | null;
  @ApiProperty({ ...steps }) steps!: WorkflowStep[];
  @ApiProperty({ ...nullableTime }) lastRunAt!: string | null;
  @ApiProperty({ ...time }) createdAt!: string;
  @ApiProperty({ ...time }) updatedAt!: string;
  @ApiProperty({ type: 'integer', minimum: 1 }) version!: number;
}

export class PutWorkflow {
  @NameField({ presence: 'kept' })
  name?: string;

  @TextField(4096, { presence: 'clearable' })
  description?: string | null;

  @ApiPropertyOptional({ default: true })
  @Sent()
  @IsBoolean()
  enabled?: boolean;

  @TeamField()
  teamId?: string | null;

  @ApiPropertyOptional({ type: WorkflowTrigger })
  @Sent()
  @IsObject()
  trigger?: WorkflowTrigger;

  @ApiPropertyOptional({ allOf: [condition], nullable: true })
  @Clearable()
  @IsObject()
  conditions?: Condition | null;

  @ApiPropertyOptional({ ...steps, minItems: 1, maxItems: 50 })
  @Sent()
  @IsArray()
  @ArrayMaxSize(50)
  steps?: WorkflowStep[];
}

export class PostWorkflow extends OmitType(PutWorkflow, ['name', 'trigger', 'steps'] as const) {
  @NameField()
  name!: string;

  @ApiProperty({ type: WorkflowTrigger })
  @IsObject()
  trigger!: WorkflowTrigger;

  @ApiProperty({ ...steps, minItems: 1, maxItems: 50 })
  @IsArray()
  @ArrayMaxSize(50)
  steps!: WorkflowStep[];
}

export const workflowSorts = ['name', '-name', 'createdAt', '-createdAt'] as const;

export class ListWorkflowsQuery extends ListQuery {
  @ApiPropertyOptional({
    enum: ['true', 'false'],
    description: 'Only enabled workflows, or only disabled ones.',
  })
  @Once()
  @IsOptional()
  @IsIn(['true', 'false'])
  enabled?: 'true' | 'false';

  @ChoiceFilter({
    allowed: workflowEvents,
    description: 'Only workflows that one of these events triggers.',
    example: ['alert.created'],
  })
  event?: Negatable<WorkflowEvent>[];

  @TeamFilter('workflows')
  teamId?: string[];

  @SearchText('name', 'page')
  q?: string;

  @SortField(workflowSorts, 'name')
  sort?: (typeof workflowSorts)[number];
}

/** Validates trigger, conditions and steps together by the rules of the domain. */
export const workflowFaults = ({ trigger, conditions = null, steps: sent }: Record<string, unknown>): FieldFault[] =>
  worded(validateWorkflow({ trigger, conditions, steps: sent }));

const stepsExample: unknown[] = [
  { id: 'incident', type: 'openIncident', params: { groupBy: ['fingerprint'], autoResolve: true } },
  {
    id: 'page',
    type: 'notify',
    params: { targets: [{ type: 'schedule', id: 'sch_01938f3a7c2e7d4ab1c2d3e4f5060050' }] },
  },
  {
    id: 'escalate',
    type: 'notify',
    params: { targets: [{ type: 'user', id: 'usr_01938f3a7c2e7d4ab1c2d3e4f5060031' }] },
    delaySeconds: 600,
    unless: ['acknowledged', 'resolved'],
  },
];
const definitionExample = {
  trigger: { events: ['alert.created', 'alert.resumed'] as WorkflowEvent[] },
  conditions: {
    all: [
      { field: 'severity', op: 'gte', value: 'high' },
      { field: 'labels.env', op: 'neq', value: 'staging' },
    ],
  } as Condition,
};
const workflowExample = {
  id: 'wfl_01938f3a7c2e7d4ab1c2d3e4f5060070',
  name: 'Page for what is urgent',
  description: null,
  enabled: true,
  teamId: null,
  ...definitionExample,
  steps: normalizedWorkflow({ ...definitionExample, steps: stepsExample }).steps,
  lastRunAt: null,
  createdAt: '2026-11-20T13:00:00.000Z',
  updatedAt: '2026-11-20T13:00:00.000Z',
  version: 1,
};
const id = workflowExample.id;

export const listWorkflows = operation({
  id: 'workflows.list',
  operationId: 'listWorkflows',
  owner: 'resource-api',
  method: 'GET',
  path: '/workflows',
  scope: 'workflows:read',
  tag: 'Workflows',
  summary: 'List workflows',
  description: 'The workflows in the environment of the key. By default, they are sorted by name.',
  query: ListWorkflowsQuery,
  reply: 'list',
  item: Workflow,
  schemas: workflowSchemas,
  faults: ['INVALID_CURSOR'],
  example: {
    query: { enabled: 'true' },
    reply: { data: [workflowExample], meta: { limit: 50, hasMore: false, nextCursor: null, total: 1 } },
  },
});

export const createWorkflow = operation({
  id: 'workflows.create',
  operationId: 'createWorkflow',
  owner: 'resource-api',
  method: 'POST',
  path: '/workflows',
  scope: 'workflows:write',
  tag: 'Workflows',
  summary: 'Create a workflow',
  description:
    'A trigger, conditions on the alert or incident, and steps that run in order. Errors name the node or parameter.',
  body: PostWorkflow,
  check: workflowFaults,
  reply: 'created',
  item: Workflow,
  schemas: workflowSchemas,
  versioned: true,
  faults: ['QUOTA_EXCEEDED', 'IDEMPOTENCY_KEY_REUSED'],
  example: {
    body: { name: 'Page for what is urgent', ...definitionExample, steps: stepsExample },
    reply: { data: workflowExample },
  },
});

export const getWorkflow = operation({
  id: 'workflows.get',
  operationId: 'getWorkflow',
  owner: 'resource-api',
  method: 'GET',
  path: '/workflows/{id}',
  scope: 'workflows:read',
  tag: 'Workflows',
  summary: 'Get a workflow',
  description: 'One workflow.',
  reply: 'one',
  item: Workflow,
  schemas: workflowSchemas,
  versioned: true,
  example: { params: { id }, reply: { data: workflowExample } },
});

export const updateWorkflow = operation({
  id: 'workflows.update',
  operationId: 'updateWorkflow',
  owner: 'resource-api',
  method: 'PUT',
  path: '/workflows/{id}',
  scope: 'workflows:write',
  tag: 'Workflows',
  summary: 'Update a workflow',
  description:
    'Changes the fields that are sent and keeps the others; `null` clears a field. `steps` replaces all steps.',
  body: PutWorkflow,
  reply: 'one',
  item: Workflow,
  schemas: workflowSchemas,
  versioned: true,
  faults: ['VERSION_MISMATCH'],
  example: {
    params: { id },
    body: { description: null, conditions: definitionExample.conditions },
    reply: { data: workflowExample },
  },
});

export const deleteWorkflow = operation({
  id: 'workflows.delete',
  operationId: 'deleteWorkflow',
  owner: 'resource-api',
  method: 'DELETE',
  path: '/workflows/{id}',
  scope: 'workflows:write',
  tag: 'Workflows',
  summary: 'Delete a workflow',
  description: 'The incidents that it opened remain, without a reference to it.',
  reply: 'none',
  versioned: true,
  faults: ['VERSION_MISMATCH'],
  example: { params: { id }, reply: null },
});

export const enableWorkflow = operation({
  id: 'workflows.enable',
  operationId: 'enableWorkflow',
  owner: 'resource-api',
  method: 'POST',
  path: '/workflows/{id}/enable',
  scope: 'workflows:write',
  tag: 'Workflows',
  summary: 'Enable a workflow',
  description: 'If the workflow is already enabled, it does not change.',
  reply: 'one',
  item: Workflow,
  schemas: workflowSchemas,
  versioned: true,
  faults: ['VERSION_MISMATCH', 'IDEMPOTENCY_KEY_REUSED'],
  example: { params: { id }, reply: { data: workflowExample } },
});

export const disableWorkflow = operation({
  id: 'workflows.disable',
  operationId: 'disableWorkflow',
  owner: 'resource-api',
  method: 'POST',
  path: '/workflows/{id}/disable',
  scope: 'workflows:write',
  tag: 'Workflows',
  summary: 'Disable a workflow',
  description: 'No event triggers the workflow any more. If it is already disabled, it does not change.',
  reply: 'one',
  item: Workflow,
  schemas: workflowSchemas,
  versioned: true,
  faults: ['VERSION_MISMATCH', 'IDEMPOTENCY_KEY_REUSED'],
  example: { params: { id }, reply: { data: { ...workflowExample, enabled: false, version: 2 } } },
});

export const workflowOperations = [
  listWorkflows,
  createWorkflow,
  getWorkflow,
  updateWorkflow,
  deleteWorkflow,
  enableWorkflow,
  disableWorkflow,
];
