/** What workflows did and would do: runs, and the dry run of one (decisions §8). */
import {
  alertStatuses,
  incidentStatuses,
  unlessStates,
  workflowEvents,
  type AlertStatus,
  type IncidentStatus,
  type UnlessState,
  type WorkflowEvent,
} from '@ams/domain';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsIn, IsOptional, IsString } from 'class-validator';
import type { FieldFault } from '../fault.js';
import { operation } from '../operation.js';
import { Change, Clearable, CommaSeparated, nullableText, nullableTime, PageQuery, Sent, time } from './common.js';
import { InstantField } from './fields.js';

export const runStatuses = ['running', 'waiting', 'completed', 'failed'] as const;
export type RunStatus = (typeof runStatuses)[number];
export const stepOutcomes = ['pending', 'done', 'skipped', 'failed'] as const;
export type StepOutcome = (typeof stepOutcomes)[number];

const tree = {
  type: 'object',
  additionalProperties: true,
  description:
    'The tree of the conditions: `{path, kind, holds, children}`, and at the leaves `{field, op, value, actual}`.',
} as const;
const anything = { type: 'object', nullable: true, additionalProperties: true } as const;

export class RunStep {
  @ApiProperty() id!: string;
  @ApiProperty() type!: string;
  @ApiProperty({ enum: stepOutcomes }) outcome!: StepOutcome;
  @ApiProperty({ ...nullableText, description: 'Why it was skipped or failed.' }) reason!: string | null;
  @ApiProperty({ ...anything, description: 'What was done: notifications, who was on call, the incident.' })
  detail!: unknown;
  @ApiProperty({ ...nullableTime, description: 'When it was done, or when it is due.' }) at!: string | null;
}

export class WorkflowRun {
  @ApiProperty() id!: string;
  @ApiProperty() workflowId!: string;
  @ApiProperty() workflowName!: string;
  @ApiProperty({ type: 'integer', description: 'The version of the workflow that runs.' }) workflowVersion!: number;
  @ApiProperty({ enum: runStatuses }) status!: RunStatus;
  @ApiProperty({ description: 'The entry of the timeline that triggered it.' }) eventId!: string;
  @ApiProperty({ enum: workflowEvents, enumName: 'WorkflowEvent' }) event!: WorkflowEvent;
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'How many workflows caused each other up to here; at 5 it ends.',
  })
  depth!: number;
  @ApiProperty({ ...nullableText }) alertId!: string | null;
  @ApiProperty({ ...nullableText }) incidentId!: string | null;
  @ApiProperty({ ...tree }) trace!: unknown;
  @ApiProperty({ type: [RunStep] }) steps!: RunStep[];
  @ApiProperty({ ...nullableText }) error!: string | null;
  @ApiProperty({ ...time }) createdAt!: string;
  @ApiProperty({ ...nullableTime }) finishedAt!: string | null;
}

export class ListRunsQuery extends PageQuery {
  @ApiPropertyOptional({
    enum: runStatuses,
    isArray: true,
    description: 'Only runs in one of these states.',
    example: ['waiting'],
  })
  @CommaSeparated()
  @IsOptional()
  @IsArray()
  @IsIn(runStatuses, { each: true })
  status?: RunStatus[];

  @ApiPropertyOptional({
    type: 'string',
    isArray: true,
    description: 'Only runs about one of these alerts.',
    example: ['alr_01938f3a7c2e7d4ab1c2d3e4f5061728'],
  })
  @CommaSeparated()
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(100)
  @IsString({ each: true })
  alertId?: string[];

  @ApiPropertyOptional({
    type: 'string',
    isArray: true,
    description: 'Only runs about one of these incidents.',
    example: ['inc_01938f3a7c2e7d4ab1c2d3e4f5060040'],
  })
  @CommaSeparated()
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(100)
  @IsString({ each: true })
  incidentId?: string[];
}

/** What a dry run is about: one of the three. */
export class TestWorkflow {
  @ApiPropertyOptional({ description: 'An alert that is there.' })
  @Sent()
  @IsString()
  alertId?: string;

  @ApiPropertyOptional({ description: 'An incident that is there.' })
  @Sent()
  @IsString()
  incidentId?: string;

  @ApiPropertyOptional({
    description: 'An event as the standard payload of the webhook has it, or any payload of the integration.',
  })
  @IsOptional()
  payload?: unknown;

  @ApiPropertyOptional({
    ...nullableText,
    description: 'The integration that maps the payload; without it the payload is taken as a standard one.',
  })
  @Clearable()
  @IsString()
  integrationId?: string | null;

  @ApiPropertyOptional({
    enum: workflowEvents,
    enumName: 'WorkflowEvent',
    description:
      'The event that is to have happened. When it is left out: of a payload what it would really bring about, of an alert or incident the first of the workflow.',
  })
  @Sent()
  @IsIn(workflowEvents)
  event?: WorkflowEvent;

  @InstantField({ presence: 'kept', description: 'The time that it is to be; now when it is left out.' })
  at?: string;
}

export const incidentDecisions = ['opened', 'joined', 'reopened', 'kept'] as const;
export type IncidentDecisionName = (typeof incidentDecisions)[number];

/** An incident as it would be then. */
export class ImaginedIncident {
  @ApiProperty({ ...nullableText, description: 'Null for one that would only be opened.' }) id!: string | null;
  @ApiProperty({ type: 'integer', nullable: true, description: 'Null for one that would only be opened.' }) number!:
    number | null;
  @ApiProperty() title!: string;
  @ApiProperty({ enum: incidentStatuses, enumName: 'IncidentStatus' }) status!: IncidentStatus;
}

export class PlannedIncident extends ImaginedIncident {
  @ApiProperty({
    enum: incidentDecisions,
    description:
      '`opened`: a new one. `joined`: one of its group that is open. `reopened`: one of its group that was resolved a short while ago. `kept`: the alert is in one already.',
  })
  decision!: IncidentDecisionName;
}

export class PlannedStep {
  @ApiProperty() id!: string;
  @ApiProperty() type!: string;
  @ApiProperty({ ...time, description: 'When, if nobody acknowledges and nothing resolves before.' }) at!: string;
  @ApiProperty({ description: 'What it would do, in a sentence.' }) would!: string;
  @ApiProperty({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    description: 'Whom it would tell: `{channel, target, why, onCall, unreachable}`.',
  })
  targets!: unknown[];
  @ApiProperty({
    enum: unlessStates,
    isArray: true,
    description: 'The step is left out when the alert or the incident is in one of these states by then.',
  })
  unless!: UnlessState[];
  @ApiProperty({
    enum: stepOutcomes,
    description: 'What would become of it, as a run says it; `pending` for what waits until the alert fires again.',
  })
  outcome!: StepOutcome;
  @ApiProperty({ ...nullableText, description: 'Why it would be skipped, fail or wait.' }) reason!: string | null;
  @ApiProperty({
    type: 'boolean',
    nullable: true,
    description: 'Whether it would change the alert or incident; null for a step that changes none.',
  })
  changed!: boolean | null;
  @ApiProperty({
    type: PlannedIncident,
    nullable: true,
    description: 'Of `openIncident`: the incident that the alert would then be in.',
  })
  incident!: PlannedIncident | null;
}

/** What a payload would make of the alert of its fingerprint. */
export class ImaginedAlert {
  @ApiProperty({
    description:
      '`opened`, a change of the open alert (`occurred`, `acknowledged`, `suppressed`, `resolved`), `unchanged` or `noMatch`.',
  })
  decision!: string;
  @ApiProperty({ ...nullableText, description: 'The open alert that it meets; null for one that it would open.' })
  alertId!: string | null;
  @ApiProperty({
    type: 'string',
    enum: [...alertStatuses, null],
    nullable: true,
    description: 'The status that the alert would have.',
  })
  status!: AlertStatus | null;
  @ApiProperty({ type: [Change] }) changes!: Change[];
}

export class WorkflowTest {
  @ApiProperty({ description: 'Whether the workflow would run.' }) runs!: boolean;
  @ApiProperty({
    ...nullableText,
    enum: ['trigger', 'conditions', 'quiet', 'disabled'],
    description: 'Why it would not.',
  })
  reason!: string | null;
  @ApiProperty({ ...tree }) trace!: unknown;
  @ApiProperty({
    type: [PlannedStep],
    description: 'What would be done, if it ran; of what other workflows would do `POST /simulate` tells.',
  })
  steps!: PlannedStep[];
  @ApiProperty({
    type: 'string',
    enum: [...workflowEvents, null],
    nullable: true,
    description:
      'The event that is to have happened: the one that was sent, else what the payload would bring about. Null when nobody would hear of it.',
  })
  event!: WorkflowEvent | null;
  @ApiProperty({
    type: ImaginedAlert,
    nullable: true,
    description: 'Of a payload: the alert that it would open or meet.',
  })
  alert!: ImaginedAlert | null;
  @ApiProperty({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    description:
      'Of a payload: the suppression windows that are active then, and whether each matches: `{windowId, name, matched, until}`.',
  })
  windows!: unknown[];
}

const oneSubject = (body: Record<string, unknown>): FieldFault[] =>
  ['alertId', 'incidentId', 'payload'].filter((field) => body[field] !== undefined).length === 1
    ? []
    : [{ path: 'alertId', rule: 'oneOf', message: 'Send one of alertId, incidentId and payload.' }];

const id = 'wfl_01938f3a7c2e7d4ab1c2d3e4f5060070';
const traceExample = {
  path: 'conditions',
  kind: 'predicate',
  holds: true,
  field: 'severity',
  op: 'gte',
  value: 'high',
  actual: 'critical',
};
const targetExample = {
  channel: 'email',
  target: 'mira@example.com',
  why: 'You are on call in "Primary".',
  unreachable: null,
  onCall: {
    scheduleId: 'sch_01938f3a7c2e7d4ab1c2d3e4f5060050',
    scheduleName: 'Primary',
    source: 'layer',
    layer: 'Weekly',
    until: '2026-11-23T08:00:00.000Z',
  },
};

export const plannedExample = [
  {
    id: 'incident',
    type: 'openIncident',
    at: '2026-11-20T14:00:00.000Z',
    would: 'join incident 12 "Checkout is slow" (one for each labels.service)',
    targets: [],
    unless: [],
    outcome: 'done',
    reason: null,
    changed: true,
    incident: {
      decision: 'joined',
      id: 'inc_01938f3a7c2e7d4ab1c2d3e4f5060040',
      number: 12,
      title: 'Checkout is slow',
      status: 'triggered',
    },
  },
  {
    id: 'severity',
    type: 'setSeverity',
    at: '2026-11-20T14:00:00.000Z',
    would: 'set the severity to high',
    targets: [],
    unless: [],
    outcome: 'done',
    reason: null,
    changed: true,
    incident: null,
  },
  {
    id: 'page',
    type: 'notify',
    at: '2026-11-20T14:00:00.000Z',
    would: 'nothing: the incident was open already and its people knew',
    targets: [],
    unless: ['acknowledged'],
    outcome: 'skipped',
    reason: 'joined',
    changed: null,
    incident: null,
  },
];

export const listWorkflowRuns = operation({
  id: 'workflows.runs',
  operationId: 'listWorkflowRuns',
  owner: 'workflow-engine',
  method: 'GET',
  path: '/workflows/{id}/runs',
  scope: 'workflows:read',
  tag: 'Workflows',
  summary: 'List the runs of a workflow',
  description:
    'Newest first: what triggered each, what every node of the conditions said, and what became of every step.',
  query: ListRunsQuery,
  reply: 'list',
  item: WorkflowRun,
  faults: ['INVALID_CURSOR'],
  example: {
    params: { id },
    query: { status: 'waiting,completed' },
    reply: {
      data: [
        {
          id: 'run_01938f3a7c2e7d4ab1c2d3e4f5060080',
          workflowId: id,
          workflowName: 'Page for what is urgent',
          workflowVersion: 1,
          status: 'waiting',
          eventId: 'tml_01938f3a7c2e7d4ab1c2d3e4f5060003',
          event: 'alert.created',
          depth: 0,
          alertId: 'alr_01938f3a7c2e7d4ab1c2d3e4f5061728',
          incidentId: null,
          trace: traceExample,
          steps: [
            {
              id: 'page',
              type: 'notify',
              outcome: 'done',
              reason: null,
              detail: { notifications: [targetExample] },
              at: '2026-11-20T14:00:00.300Z',
            },
            {
              id: 'escalate',
              type: 'notify',
              outcome: 'pending',
              reason: null,
              detail: null,
              at: '2026-11-20T14:10:00.300Z',
            },
          ],
          error: null,
          createdAt: '2026-11-20T14:00:00.250Z',
          finishedAt: null,
        },
      ],
      meta: { limit: 50, hasMore: false, nextCursor: null, total: 1 },
    },
  },
});

export const testWorkflow = operation({
  id: 'workflows.test',
  operationId: 'testWorkflow',
  owner: 'workflow-engine',
  method: 'POST',
  path: '/workflows/{id}/test',
  scope: 'workflows:read',
  tag: 'Workflows',
  summary: 'Try a workflow',
  description:
    'A dry run against an alert, an incident or a payload: which conditions hold, node by node, and what would be done. A payload is decided as if it came now: the alert that it would open or meet, with the suppression windows. Nothing is changed and nobody is told.',
  body: TestWorkflow,
  check: oneSubject,
  reply: 'one',
  item: WorkflowTest,
  faults: ['IDEMPOTENCY_KEY_REUSED'],
  example: {
    params: { id },
    body: { payload: { title: 'High CPU', severity: 'critical' } },
    reply: {
      data: {
        runs: true,
        reason: null,
        trace: traceExample,
        steps: plannedExample,
        event: 'alert.created',
        alert: { decision: 'opened', alertId: null, status: 'firing', changes: [] },
        windows: [],
      },
    },
  },
});

export const workflowRunOperations = [listWorkflowRuns, testWorkflow];
