/** Workflow runs, and the dry run of a workflow. */
import {
  alertStatuses,
  incidentStatuses,
  unlessStates,
  workflowEvents,
  type AlertStatus,
  type IncidentStatus,
  type Negatable,
  type UnlessState,
  type WorkflowEvent,
} from '@ams/domain';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString } from 'class-validator';
import type { FieldFault } from '../fault.js';
import { operation } from '../operation.js';
import { addressNote, Change, Clearable, nullableText, nullableTime, ListQuery, Sent, time } from './common.js';
import { InstantField } from './fields.js';
import { ChoiceFilter, SortField } from './filters.js';

export const runStatuses = ['running', 'waiting', 'completed', 'failed'] as const;
export type RunStatus = (typeof runStatuses)[number];
export const stepOutcomes = ['pending', 'done', 'skipped', 'failed'] as const;
export type StepOutcome = (typeof stepOutcomes)[number];

const tree = {
  type: 'object',
  additionalProperties: true,
  description:
    'The results of the conditions as a tree: `{path, kind, holds, children}`, with leaves `{field, op, ' +
    'value, actual}`.',
} as const;
const anything = { type: 'object', nullable: true, additionalProperties: true } as const;

export class RunStep {
  @ApiProperty() id!: string;
  @ApiProperty() type!: string;
  @ApiProperty({
    enum: stepOutcomes,
    description:
      'A step that notifies is `done` when one of its messages was sent, and `pending` while one may still be sent. ' +
      'When all have ended and none was sent, it is `failed` if one has failed, otherwise `skipped`.',
  })
  outcome!: StepOutcome;
  @ApiProperty({ ...nullableText, description: 'Why the step was skipped or failed.' }) reason!: string | null;
  @ApiProperty({ ...anything, description: 'What the step did: notifications, on-call members, the incident.' })
  detail!: unknown;
  @ApiProperty({ ...nullableTime, description: 'When the step ran, or when it is due.' }) at!: string | null;
}

export class WorkflowRun {
  @ApiProperty() id!: string;
  @ApiProperty() workflowId!: string;
  @ApiProperty() workflowName!: string;
  @ApiProperty({ type: 'integer', description: 'The version of the workflow in this run.' }) workflowVersion!: number;
  @ApiProperty({
    enum: runStatuses,
    description:
      '`completed`: all steps were done or skipped. `failed`: a step has failed, unless it has `continueOnError`. A ' +
      'step whose messages have failed does not stop the steps after it.',
  })
  status!: RunStatus;
  @ApiProperty({ description: 'The timeline entry that triggered the run.' }) eventId!: string;
  @ApiProperty({ enum: workflowEvents, enumName: 'WorkflowEvent' }) event!: WorkflowEvent;
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'How many workflows triggered each other before. The limit is 5.',
  })
  depth!: number;
  @ApiProperty({ ...nullableText }) alertId!: string | null;
  @ApiProperty({ ...nullableText }) incidentId!: string | null;
  @ApiProperty({ ...nullableText, description: 'The schedule of a hand-off.' }) scheduleId!: string | null;
  @ApiProperty({ ...nullableText, description: 'The suppression window that ends soon.' })
  suppressionWindowId!: string | null;
  @ApiProperty({ ...tree }) trace!: unknown;
  @ApiProperty({ type: [RunStep] }) steps!: RunStep[];
  @ApiProperty({ ...nullableText }) error!: string | null;
  @ApiProperty({ ...time }) createdAt!: string;
  @ApiProperty({ ...nullableTime }) finishedAt!: string | null;
}

export const runSorts = ['createdAt', '-createdAt'] as const;

export class ListRunsQuery extends ListQuery {
  @ChoiceFilter({ allowed: runStatuses, description: 'Only runs with one of these statuses.', example: ['waiting'] })
  status?: Negatable<RunStatus>[];

  @ChoiceFilter({
    mayBeNone: true,
    description: 'Only runs about one of these alerts.',
    example: ['alr_01938f3a7c2e7d4ab1c2d3e4f5061728'],
  })
  alertId?: string[];

  @ChoiceFilter({
    mayBeNone: true,
    description: 'Only runs about one of these incidents.',
    example: ['inc_01938f3a7c2e7d4ab1c2d3e4f5060040'],
  })
  incidentId?: string[];

  @SortField(runSorts, '-createdAt')
  sort?: (typeof runSorts)[number];
}

/** The subject of a dry run: exactly one of the three fields. */
export class TestWorkflow {
  @ApiPropertyOptional({ description: 'An existing alert.' })
  @Sent()
  @IsString()
  alertId?: string;

  @ApiPropertyOptional({ description: 'An existing incident.' })
  @Sent()
  @IsString()
  incidentId?: string;

  @ApiPropertyOptional({
    description: 'An event as a standard payload of the webhook, or any payload of the integration.',
  })
  @IsOptional()
  payload?: unknown;

  @ApiPropertyOptional({
    ...nullableText,
    description: 'The integration that maps the payload. Without it, the payload must be a standard payload.',
  })
  @Clearable()
  @IsString()
  integrationId?: string | null;

  @ApiPropertyOptional({
    enum: workflowEvents,
    enumName: 'WorkflowEvent',
    description:
      'The event to test. Default: for a payload, the event that it would cause; for an alert or incident, ' +
      'the first event of the trigger.',
  })
  @Sent()
  @IsIn(workflowEvents)
  event?: WorkflowEvent;

  @InstantField({ presence: 'kept', description: 'The simulated time. Default: now.' })
  at?: string;
}

export const incidentDecisions = ['opened', 'joined', 'reopened', 'kept'] as const;
export type IncidentDecisionName = (typeof incidentDecisions)[number];

/** An incident after a simulated step. */
export class ImaginedIncident {
  @ApiProperty({ ...nullableText, description: 'Null for an incident that would only be created.' }) id!: string | null;
  @ApiProperty({ type: 'integer', nullable: true, description: 'Null for an incident that would only be created.' })
  number!: number | null;
  @ApiProperty() title!: string;
  @ApiProperty({ enum: incidentStatuses, enumName: 'IncidentStatus' }) status!: IncidentStatus;
}

export class PlannedIncident extends ImaginedIncident {
  @ApiProperty({
    enum: incidentDecisions,
    description:
      '`opened`: a new incident. `joined`: an open incident of its group. `reopened`: a recently resolved ' +
      'incident of its group. `kept`: the alert is already in an incident.',
  })
  decision!: IncidentDecisionName;
}

export const plannedPolicyWays = ['policy', 'team', 'catchAll', 'incident'] as const;
export type PlannedPolicyWay = (typeof plannedPolicyWays)[number];

export class PlannedLevel {
  @ApiProperty({ description: 'Counts from 1.' }) level!: number;
  @ApiProperty({ type: 'integer', minimum: 0, description: 'The time after the page, if nobody acknowledges.' })
  afterSeconds!: number;
  @ApiProperty({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    description: 'Whom it would tell then, at most 100: `{channel, target, why, onCall, unreachable}`.',
  })
  targets!: unknown[];
}

/** The escalation policy of a page. */
export class PlannedPage {
  @ApiProperty({ ...nullableText, description: 'Null when there is none: then the owners are told.' })
  policyId!: string | null;
  @ApiProperty({ ...nullableText }) policyName!: string | null;
  @ApiProperty({
    enum: plannedPolicyWays,
    enumName: 'PlannedPolicyWay',
    description:
      'How the policy was found: `policy` (named by its id), `team` (that of the team), `catchAll` (no other one), or ' +
      '`incident` (the open incident has another one than the step would find now).',
  })
  by!: PlannedPolicyWay;
  @ApiProperty({ description: 'Why this policy, as a sentence.' }) why!: string;
  @ApiProperty({
    description: 'Whether somebody is told now. Nobody is when the people of an open incident were told before.',
  })
  tellsNow!: boolean;
  @ApiProperty({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    description:
      'Whom the first level of the policy would tell now, at most 100: `{channel, target, why, onCall, unreachable}`.',
  })
  levelOne!: unknown[];
  @ApiProperty({ type: [PlannedLevel], description: 'The levels after the first one, in their first round.' })
  later!: PlannedLevel[];
}

export class PlannedStep {
  @ApiProperty() id!: string;
  @ApiProperty() type!: string;
  @ApiProperty({ ...time, description: 'When the step would run, if nobody acknowledges and nothing resolves before.' })
  at!: string;
  @ApiProperty({ description: 'What the step would do, as a sentence.' }) would!: string;
  @ApiProperty({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    description: 'The recipients, at most 100: `{channel, target, why, onCall, unreachable}`.',
  })
  targets!: unknown[];
  @ApiProperty({
    enum: unlessStates,
    isArray: true,
    description: 'The step is skipped when the alert or the incident then has one of these statuses.',
  })
  unless!: UnlessState[];
  @ApiProperty({
    enum: stepOutcomes,
    description: 'The outcome of the step in a run; `pending` when it waits until the alert fires again.',
  })
  outcome!: StepOutcome;
  @ApiProperty({ ...nullableText, description: 'Why the step would be skipped, fail or wait.' }) reason!: string | null;
  @ApiProperty({
    type: 'boolean',
    nullable: true,
    description: 'Whether the step would change the alert or incident; null for a step type that changes neither.',
  })
  changed!: boolean | null;
  @ApiProperty({
    type: PlannedIncident,
    nullable: true,
    description: 'For `openIncident` and `page`: the resulting incident of the alert.',
  })
  incident!: PlannedIncident | null;
  @ApiProperty({
    type: PlannedPage,
    nullable: true,
    description: 'For `page`: by which escalation policy, and whom its first level would tell now.',
  })
  page!: PlannedPage | null;
}

/** The effect of a payload on the alert of its fingerprint. */
export class ImaginedAlert {
  @ApiProperty({
    description:
      '`opened`, a change of the open alert (`occurred`, `acknowledged`, `suppressed`, `resolved`), ' +
      '`unchanged` or `noMatch`.',
  })
  decision!: string;
  @ApiProperty({
    ...nullableText,
    description: 'The open alert that has the fingerprint; null when the payload would open a new alert.',
  })
  alertId!: string | null;
  @ApiProperty({
    enum: alertStatuses,
    enumName: 'AlertStatus',
    nullable: true,
    description: 'The resulting status of the alert.',
  })
  status!: AlertStatus | null;
  @ApiProperty({ type: [Change] }) changes!: Change[];
}

export class WorkflowTest {
  @ApiProperty({ description: 'Whether the workflow would run.' }) runs!: boolean;
  @ApiProperty({
    enum: ['trigger', 'conditions', 'quiet', 'disabled'],
    enumName: 'WorkflowTestReason',
    nullable: true,
    description: 'Why the workflow would not run.',
  })
  reason!: string | null;
  @ApiProperty({ ...tree }) trace!: unknown;
  @ApiProperty({
    type: [PlannedStep],
    description: 'What the workflow would do if it ran. `POST /simulate` also shows the effects of other workflows.',
  })
  steps!: PlannedStep[];
  @ApiProperty({
    enum: workflowEvents,
    enumName: 'WorkflowEvent',
    nullable: true,
    description:
      'The tested event: the one that was sent, otherwise the one that the payload would cause. Null when ' +
      'the payload would cause no event.',
  })
  event!: WorkflowEvent | null;
  @ApiProperty({
    type: ImaginedAlert,
    nullable: true,
    description: 'For a payload: the alert that it would open or change.',
  })
  alert!: ImaginedAlert | null;
  @ApiProperty({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    description:
      'For a payload: the suppression windows that are active then, and whether each matches: `{windowId, ' +
      'name, matched, until}`.',
  })
  windows!: unknown[];
}

const oneSubject = (body: Record<string, unknown>): FieldFault[] =>
  ['alertId', 'incidentId', 'payload'].filter((field) => body[field] !== undefined).length === 1
    ? []
    : [{ path: 'alertId', rule: 'oneOf', message: 'send exactly one of alertId, incidentId and payload' }];

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
    page: null,
  },
  {
    id: 'page',
    type: 'page',
    at: '2026-11-20T14:00:00.000Z',
    would:
      'join incident 12 "Checkout is slow", which is open (one incident for each service, alert name or ' +
      'fingerprint), which pages by the escalation policy "Payments" (the alert names the team "payments")',
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
    page: {
      policyId: 'pol_01938f3a7c2e7d4ab1c2d3e4f50600b0',
      policyName: 'Payments',
      by: 'team',
      why: 'The alert names the team "payments".',
      tellsNow: false,
      levelOne: [targetExample],
      later: [{ level: 2, afterSeconds: 300, targets: [{ ...targetExample, target: 'ada@example.com' }] }],
    },
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
    'Newest first: what triggered each run, the result of each node of the conditions, and the outcome of each step. ' +
    'The values that the conditions compared (`actual`) are null without `alerts:read` and `incidents:read`. ' +
    addressNote,
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
          scheduleId: null,
          suppressionWindowId: null,
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
  needs: ['alerts:read', 'incidents:read'],
  tag: 'Workflows',
  summary: 'Test a workflow',
  description:
    'A dry run with an alert, an incident or a payload: the result of each node of the conditions, and what ' +
    'the steps would do. A payload is processed as if it was received now, with the suppression windows and ' +
    'the alert that it would open or change. Nothing is changed and nobody is notified. ' +
    addressNote,
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
