/** Workflows: a trigger, conditions, steps (decisions §8). The domain checks definitions whole. */
import {
  normalizedWorkflow,
  severities,
  validateWorkflow,
  workflowEvents,
  type Condition,
  type WorkflowEvent,
  type WorkflowStep,
} from '@ams/domain';
import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsBoolean, IsIn, IsObject, IsOptional } from 'class-validator';
import type { FieldFault } from '../fault.js';
import { operation } from '../operation.js';
import {
  Clearable,
  CommaSeparated,
  nullableText,
  nullableTime,
  Once,
  PageQuery,
  SearchText,
  Sent,
  sorting,
  time,
  worded,
} from './common.js';
import { NameField, TextField } from './fields.js';
import { conditionRef, conditionSchemas } from './condition-schemas.js';

const text = (maxLength: number, description?: string) => ({
  type: 'string',
  nullable: true,
  minLength: 1,
  maxLength,
  ...(description ? { description } : {}),
});
const reference = (what: string) => ({ type: 'string', description: `The id of a ${what}.` });
const object = (properties: Record<string, object>, required: string[] = [], description?: string) => ({
  type: 'object',
  additionalProperties: false,
  properties,
  ...(required.length > 0 ? { required } : {}),
  ...(description ? { description } : {}),
});
const constant = (word: string) => ({ type: 'string', enum: [word] });
const named = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const targetSchemas = {
  UserTarget: object({ type: constant('user'), id: reference('member') }, ['type', 'id']),
  ScheduleTarget: object(
    {
      type: constant('schedule'),
      id: reference('schedule'),
      who: { type: 'string', enum: ['current', 'next'], description: '`current` when it is left out.' },
    },
    ['type', 'id'],
    'Whoever is on call when the step runs, or who comes next.',
  ),
  EmailTarget: object({ type: constant('email'), address: { type: 'string', format: 'email', maxLength: 254 } }, [
    'type',
    'address',
  ]),
  ChannelTarget: object(
    {
      type: constant('channel'),
      kind: { type: 'string', enum: ['slack', 'teams', 'mattermost', 'discord', 'webhook'] },
      url: { type: 'string', format: 'uri', maxLength: 2048 },
      secret: {
        type: 'string',
        nullable: true,
        maxLength: 500,
        description: 'For `webhook`: signs the messages (Standard Webhooks).',
      },
    },
    ['type', 'kind', 'url'],
    'An incoming webhook of a chat, or a signed webhook.',
  ),
};

/** What every type of step takes in `params`. */
const paramsOf: Record<WorkflowStep['type'], { description: string; params: object; needsParams: boolean }> = {
  notify: {
    description: 'Tells people and channels.',
    needsParams: true,
    params: object(
      {
        targets: { type: 'array', minItems: 1, maxItems: 20, items: { oneOf: Object.keys(targetSchemas).map(named) } },
        subject: text(200),
        message: text(4000),
      },
      ['targets'],
    ),
  },
  webhook: {
    description: 'Posts the event to a URL, signed (Standard Webhooks) when there is a secret.',
    needsParams: true,
    params: object(
      {
        url: { type: 'string', format: 'uri', maxLength: 2048 },
        secret: { type: 'string', nullable: true, maxLength: 500 },
        headers: { type: 'object', additionalProperties: { type: 'string' }, maxProperties: 20 },
        timeoutSeconds: { type: 'integer', minimum: 1, maximum: 30 },
      },
      ['url'],
    ),
  },
  openIncident: {
    description: 'Opens an incident, or adds the alert to the open one of its group.',
    needsParams: false,
    params: object({
      groupBy: {
        type: 'array',
        maxItems: 10,
        uniqueItems: true,
        items: { type: 'string' },
        description:
          '`fingerprint`, `severity`, `source`, `title`, `clientId`, `integrationId`, `labels.<key>`. None: all alerts of the workflow are one group.',
      },
      windowSeconds: {
        type: 'integer',
        minimum: 0,
        maximum: 604_800,
        description:
          'How long after its last alert a resolved incident still takes alerts of its group, and opens again. 0: only while it is open.',
      },
      autoResolve: { type: 'boolean', description: 'Resolve it with its last open alert.' },
      title: text(1024, 'With paths in double braces: `{{labels.service}} is failing`.'),
      severity: {
        type: 'string',
        nullable: true,
        enum: [...severities],
        description: 'That of the alert when it is left out.',
      },
    }),
  },
  setSeverity: {
    description: 'Gives the alert a severity.',
    needsParams: true,
    params: object({ severity: { type: 'string', enum: [...severities] } }, ['severity']),
  },
  addLabels: {
    description: 'Adds labels to the alert.',
    needsParams: true,
    params: object(
      {
        labels: {
          type: 'object',
          minProperties: 1,
          maxProperties: 64,
          additionalProperties: { type: 'string', maxLength: 1024 },
        },
      },
      ['labels'],
    ),
  },
  assign: {
    description: 'Makes a member, or whoever is on call, the assignee.',
    needsParams: true,
    params: {
      oneOf: [
        object({ userId: reference('member') }, ['userId']),
        object({ scheduleId: reference('schedule') }, ['scheduleId']),
      ],
    },
  },
  acknowledge: { description: 'Acknowledges the alert.', needsParams: false, params: object({}) },
  resolve: { description: 'Resolves the alert.', needsParams: false, params: object({}) },
};

const stepName = (type: string): string => `${type[0]?.toUpperCase()}${type.slice(1)}Step`;
const stepSchemas = Object.fromEntries(
  Object.entries(paramsOf).map(([type, { description, params, needsParams }]) => [
    stepName(type),
    object(
      {
        id: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$', description: 'Unique in the workflow.' },
        type: constant(type),
        params,
        delaySeconds: {
          type: 'integer',
          minimum: 0,
          maximum: 2_592_000,
          description: 'Waits before the step, also over a restart of the service.',
        },
        unless: {
          type: 'array',
          uniqueItems: true,
          items: { type: 'string', enum: ['acknowledged', 'resolved'] },
          description: 'Skips the step when the alert or the incident is in one of these states by then.',
        },
        continueOnError: { type: 'boolean', description: 'Go on with the next step when this one fails.' },
      },
      ['id', 'type', ...(needsParams ? ['params'] : [])],
      description,
    ),
  ]),
);

export const workflowSchemas: Record<string, object> = {
  ...conditionSchemas,
  ...targetSchemas,
  ...stepSchemas,
  WorkflowStep: {
    description: 'Steps run in order. Escalation is a `notify`, then a `notify` with a delay and `unless`.',
    oneOf: Object.keys(stepSchemas).map(named),
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(
        Object.keys(paramsOf).map((type) => [type, `#/components/schemas/${stepName(type)}`]),
      ),
    },
  },
};

const steps = { type: 'array', items: named('WorkflowStep') } as const;

export class WorkflowTrigger {
  @ApiProperty({ enum: workflowEvents, enumName: 'WorkflowEvent', isArray: true, minItems: 1, uniqueItems: true })
  events!: WorkflowEvent[];
}

export class Workflow {
  @ApiProperty() id!: string;
  @ApiProperty({ maxLength: 200 }) name!: string;
  @ApiProperty({ ...nullableText }) description!: string | null;
  @ApiProperty() enabled!: boolean;
  @ApiProperty({ type: WorkflowTrigger }) trigger!: WorkflowTrigger;
  @ApiProperty({ allOf: [conditionRef], nullable: true, description: 'Null: whenever one of the events happens.' })
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

  @ApiPropertyOptional({ type: WorkflowTrigger })
  @Sent()
  @IsObject()
  trigger?: WorkflowTrigger;

  @ApiPropertyOptional({ allOf: [conditionRef], nullable: true })
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

export class ListWorkflowsQuery extends PageQuery {
  @ApiPropertyOptional({
    enum: ['true', 'false'],
    description: 'Only those that run, or only those that are switched off.',
  })
  @Once()
  @IsOptional()
  @IsIn(['true', 'false'])
  enabled?: 'true' | 'false';

  @ApiPropertyOptional({
    enum: workflowEvents,
    enumName: 'WorkflowEvent',
    isArray: true,
    description: 'Only workflows that one of these events triggers.',
    example: ['alert.created'],
  })
  @CommaSeparated()
  @IsOptional()
  @IsArray()
  @IsIn(workflowEvents, { each: true })
  event?: WorkflowEvent[];

  @SearchText('name', 'page')
  q?: string;

  @ApiPropertyOptional({ enum: workflowSorts, default: 'name', ...sorting })
  @Once()
  @IsOptional()
  @IsIn(workflowSorts)
  sort?: (typeof workflowSorts)[number];
}

/** What the domain checks of trigger, conditions and steps together. */
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
  description: 'The workflows in the environment of the key, by name unless `sort` says otherwise.',
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
    'A trigger, conditions over the alert or incident, and steps that run in order. Faults name the node or the parameter.',
  body: PostWorkflow,
  check: workflowFaults,
  reply: 'created',
  item: Workflow,
  schemas: workflowSchemas,
  versioned: true,
  faults: ['IDEMPOTENCY_KEY_REUSED'],
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
  description: 'Changes what is sent and keeps the rest; `null` clears. `steps` replaces all of them.',
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
  description: 'What it has opened stays, and no longer names it.',
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
  description: 'One that is enabled already stays as it is.',
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
  description: 'No event triggers it any more. One that is disabled already stays as it is.',
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
