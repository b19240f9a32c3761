/**
 * Why: what became of an alert and what of a payload would, decision by decision. `explain` tells what was recorded when it
 * happened; `simulate` and `replay` decide the same things by the same functions, without effects.
 */
import {
  alertStatuses,
  severities,
  workflowEvents,
  type AlertStatus,
  type FieldMapping,
  type IgnoreCondition,
  type Severity,
  type WorkflowEvent,
} from '@ams/domain';
import { ApiProperty, ApiPropertyOptional, PickType } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import type { FieldFault } from '../fault.js';
import { operation } from '../operation.js';
import { Change, Clearable, nullableText, nullableTime, Sent, time } from './common.js';
import { InstantField } from './fields.js';
import { FieldMappingRule, IgnoreWhen, mappingFaults, PutIntegration } from './integrations.js';
import { Notification } from './notifications.js';
import { ImaginedAlert, ImaginedIncident, plannedExample, PlannedStep } from './workflow-runs.js';

const object = { type: 'object', additionalProperties: true } as const;
const nullableObject = { ...object, nullable: true } as const;
const objects = (description: string) => ({ type: 'array', items: object, description }) as const;

export class ExplainedEvent {
  @ApiProperty() id!: string;
  @ApiProperty({ ...time }) receivedAt!: string;
  @ApiProperty({
    description: '`opened`, `occurred`, `acknowledged`, `suppressed`, `resolved`, `unchanged` or `noMatch`.',
  })
  outcome!: string;
  @ApiProperty({
    ...nullableObject,
    description: 'For each field of the event, the rule that gave it: `{from, path, …}`.',
  })
  mapping!: unknown;
  @ApiProperty({
    ...object,
    description:
      '`{value, source, inputs, scope}`: explicit, or generated of title and source; and among which alerts it was looked for.',
  })
  fingerprint!: unknown;
  @ApiProperty({
    ...objects(
      'The suppression windows that were active then, and whether each matched: `{windowId, name, matched, until}`.',
    ),
  })
  windows!: unknown[];
}

export class ExplainedDecision {
  @ApiProperty({ description: 'The entry of the timeline.' }) eventId!: string;
  @ApiProperty() event!: string;
  @ApiProperty({ ...time }) occurredAt!: string;
  @ApiProperty({
    ...objects(
      'Every workflow that this could trigger: `{workflowId, name, version, outcome, trace, runId}`; the outcome is `run`, `conditions`, `quiet` or `loop`, and the trace says it node by node.',
    ),
  })
  workflows!: unknown[];
}

export class Explanation {
  @ApiProperty() alertId!: string;
  @ApiProperty({ description: 'All of it in a few sentences.' }) summary!: string;
  @ApiProperty({ type: [ExplainedEvent], description: 'What came from the sender, the newest 50, oldest first.' })
  events!: ExplainedEvent[];
  @ApiProperty({ type: [ExplainedDecision], description: 'What each change of the alert could set going.' })
  decisions!: ExplainedDecision[];
  @ApiProperty({
    ...objects(
      'The runs of workflows, each with its steps: what was done, who was on call by which layer, what was skipped and why.',
    ),
  })
  runs!: unknown[];
  @ApiProperty({ type: [Notification], description: 'What was sent, what was not, and why.' })
  notifications!: Notification[];
  @ApiProperty({ type: [Notification], deprecated: true, description: 'The old name of `notifications`.' })
  deliveries!: Notification[];
}

export class Simulate {
  @ApiPropertyOptional({ description: 'A body as a sender posts it. Either this with `integrationId`, or `alert`.' })
  @IsOptional()
  payload?: unknown;

  @ApiPropertyOptional({
    ...nullableText,
    description: 'The integration whose mapping is used; it decides deduplication, client and scope, too.',
  })
  @Clearable()
  @IsString()
  integrationId?: string | null;

  @ApiPropertyOptional({
    ...object,
    description: 'A standard payload, as if an integration without mappings had sent it.',
  })
  @IsOptional()
  alert?: Record<string, unknown>;

  @InstantField({ presence: 'kept', description: 'The time that it is to be; now when it is left out.' })
  at?: string;
}

export const consideredOutcomes = ['run', 'conditions', 'quiet', 'loop'] as const;
export const imaginedRunStatuses = ['completed', 'waiting', 'failed'] as const;

/** A workflow that something could trigger, and what it would do. */
export class SimulatedWorkflow {
  @ApiProperty() workflowId!: string;
  @ApiProperty() name!: string;
  @ApiProperty({ type: 'integer' }) version!: number;
  @ApiProperty({ enum: workflowEvents, enumName: 'WorkflowEvent' }) event!: WorkflowEvent;
  @ApiProperty({
    enum: consideredOutcomes,
    description:
      '`run`, or why not: the conditions, `quiet` (the alert does not fire), `loop` (too many workflows have caused each other).',
  })
  outcome!: (typeof consideredOutcomes)[number];
  @ApiProperty({ ...object, description: 'What each node of the conditions says.' }) trace!: unknown;
  @ApiProperty({ type: [PlannedStep], description: 'What each step would do when, and whom it would tell.' })
  steps!: PlannedStep[];
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'How many workflows caused each other up to here; at 5 it ends.',
  })
  depth!: number;
  @ApiProperty({
    type: 'string',
    enum: [...imaginedRunStatuses, null],
    nullable: true,
    description:
      'What would become of its run in the end; `waiting` when a message is held back until the alert fires again. Null when there is none.',
  })
  runStatus!: (typeof imaginedRunStatuses)[number] | null;
}

export class SimulatedCause {
  @ApiProperty({
    enum: ['alert', 'incident', 'workflow'],
    description: 'A workflow; or what happened to the incident of an alert, or to the alerts of an incident.',
  })
  type!: 'alert' | 'incident' | 'workflow';
  @ApiProperty({ ...nullableText, description: 'The workflow that did it in the end; null when the sender did.' })
  workflowId!: string | null;
  @ApiProperty({ ...nullableText }) workflowName!: string | null;
  @ApiProperty({ ...nullableText, description: 'The step of that workflow.' }) stepId!: string | null;
}

export class FollowingAlert {
  @ApiProperty({ ...nullableText, description: 'Null for one that would only be opened.' }) id!: string | null;
  @ApiProperty() title!: string;
  @ApiProperty() fingerprint!: string;
  @ApiProperty({ enum: severities, enumName: 'Severity' }) severity!: Severity;
  @ApiProperty({ enum: alertStatuses, enumName: 'AlertStatus' }) status!: AlertStatus;
}

/** What would happen to an alert or an incident after it, as its readers would hear of it. */
export class SimulatedFollow {
  @ApiProperty({ enum: workflowEvents, enumName: 'WorkflowEvent' }) event!: WorkflowEvent;
  @ApiProperty({ ...time }) at!: string;
  @ApiProperty({ type: 'integer', minimum: 0, description: 'How many workflows caused each other up to here.' })
  depth!: number;
  @ApiProperty({ type: SimulatedCause, description: 'Why.' }) cause!: SimulatedCause;
  @ApiProperty({ type: FollowingAlert, nullable: true, description: 'The alert that it happens to, as it is then.' })
  alert!: FollowingAlert | null;
  @ApiProperty({ type: ImaginedIncident, nullable: true, description: 'Or the incident.' })
  incident!: ImaginedIncident | null;
  @ApiProperty({ type: [Change] }) changes!: Change[];
  @ApiProperty({ type: [SimulatedWorkflow], description: 'Every workflow that it could trigger.' })
  workflows!: SimulatedWorkflow[];
}

export class SimulatedItem {
  @ApiProperty({ enum: ['event', 'ignored', 'faulty'] }) outcome!: 'event' | 'ignored' | 'faulty';
  @ApiProperty({ ...nullableText }) reason!: string | null;
  @ApiProperty({ ...objects('What is wrong with it.') }) faults!: unknown[];
  @ApiProperty({ ...nullableObject, description: 'The event after mapping.' }) event!: unknown;
  @ApiProperty({ ...nullableObject, description: 'As in an explanation.' }) mapping!: unknown;
  @ApiProperty({ ...nullableObject, description: 'As in an explanation.' }) fingerprint!: unknown;
  @ApiProperty({
    type: ImaginedAlert,
    nullable: true,
    description:
      '`{decision, alertId, status, changes}`: `opened`, a change of the open alert, `unchanged` or `noMatch`.',
  })
  alert!: ImaginedAlert | null;
  @ApiProperty({ ...objects('As in an explanation.') }) windows!: unknown[];
  @ApiProperty({ type: [SimulatedWorkflow], description: 'Every workflow that it could trigger.' })
  workflows!: SimulatedWorkflow[];
  @ApiProperty({
    type: [SimulatedFollow],
    description:
      'What follows from it, in the order in which it happens: what steps do to alerts and incidents, an incident that resolves with its last alert, and the workflows that wait for any of it.',
  })
  follows!: SimulatedFollow[];
  @ApiProperty({
    description:
      'Whether more would happen than is shown: what comes last is left out of an answer that grows too large.',
  })
  leftOut!: boolean;
}

export class Simulation {
  @ApiProperty({ ...time }) at!: string;
  @ApiProperty({
    type: [SimulatedItem],
    description: 'The first 25 items of the payload, as many as fit into an answer.',
  })
  items!: SimulatedItem[];
}

/** Changed settings of an integration; what is left out stays as it is. */
export class ReplayPayloads extends PickType(PutIntegration, [
  'itemsPath',
  'parseJson',
  'severityMap',
  'statusMap',
  'staticLabels',
] as const) {
  @ApiPropertyOptional({ type: [FieldMappingRule], nullable: true, maxItems: 200 })
  @IsOptional()
  fieldMappings?: FieldMapping[] | null;

  @ApiPropertyOptional({ enum: severities, nullable: true })
  @IsOptional()
  @IsIn([...severities, null])
  defaultSeverity?: Severity | null;

  @ApiPropertyOptional({ type: [IgnoreWhen], nullable: true })
  @IsOptional()
  ignoreWhen?: IgnoreCondition[] | null;

  @InstantField({
    presence: 'kept',
    description: 'Only payloads that came at or after this time; all that are kept when it is left out.',
  })
  since?: string;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: 100,
    default: 100,
    description: 'The newest so many payloads.',
  })
  @Sent()
  @IsInt()
  @Min(1)
  @Max(100)
  limit?: number;

  @ApiPropertyOptional({
    default: true,
    description:
      'With false the changed settings are saved, if the answer has no payload that was accepted before and would be refused now. Payloads are not sent again.',
  })
  @Sent()
  @IsBoolean()
  dryRun?: boolean;
}

export class ReplayedPayload {
  @ApiProperty({ description: 'The id of the request in `GET /integrations/{id}/requests`.' })
  integrationRequestId!: string;
  @ApiProperty({ deprecated: true, description: 'The old name of `integrationRequestId`.' }) deliveryId!: string;
  @ApiProperty({ ...time }) receivedAt!: string;
  @ApiProperty({ enum: ['same', 'changed', 'nowAccepted', 'nowRefused'] }) difference!:
    'same' | 'changed' | 'nowAccepted' | 'nowRefused';
  @ApiProperty({
    ...objects('What the settings as they are make of each item: `{outcome, …}`, with the fields of the event.'),
  })
  before!: unknown[];
  @ApiProperty({ ...objects('What the changed ones would.') }) after!: unknown[];
  @ApiProperty({ ...objects('What differs: `{item, field, before, after}`.') }) changes!: unknown[];
}

export class Replay {
  @ApiProperty() saved!: boolean;
  @ApiProperty({ ...nullableTime, description: 'The oldest payload that was looked at.' }) since!: string | null;
  @ApiProperty({ type: 'integer' }) same!: number;
  @ApiProperty({ type: 'integer' }) changed!: number;
  @ApiProperty({ type: 'integer' }) nowAccepted!: number;
  @ApiProperty({ type: 'integer' }) nowRefused!: number;
  @ApiProperty({
    type: [ReplayedPayload],
    description: 'Those that differ, newest first; as many as fit into an answer.',
  })
  payloads!: ReplayedPayload[];
}

const oneInput = (body: Record<string, unknown>): FieldFault[] =>
  ['payload', 'alert'].filter((field) => body[field] !== undefined).length === 1
    ? []
    : [{ path: 'payload', rule: 'oneOf', message: 'Send either payload or alert.' }];

const alertId = 'alr_01938f3a7c2e7d4ab1c2d3e4f5061728';
const integrationId = 'int_01938f3a7c2e7d4ab1c2d3e4f5060001';
const traceExample = {
  path: 'conditions',
  kind: 'predicate',
  holds: true,
  field: 'severity',
  op: 'gte',
  value: 'high',
  actual: 'critical',
};
const workflowExample = {
  workflowId: 'wfl_01938f3a7c2e7d4ab1c2d3e4f5060070',
  name: 'Page for what is urgent',
  version: 1,
  outcome: 'run',
  trace: traceExample,
};
const fingerprintExample = {
  value: 'cpu-web-01',
  source: 'explicit',
  inputs: { fingerprint: 'cpu-web-01' },
  scope: 'integration',
};

const simulatedWorkflowExample = {
  ...workflowExample,
  event: 'alert.created',
  steps: plannedExample,
  depth: 0,
  runStatus: 'completed',
};
const followExample = {
  event: 'alert.severityChanged',
  at: '2026-11-20T14:00:00.000Z',
  depth: 1,
  cause: {
    type: 'workflow',
    workflowId: workflowExample.workflowId,
    workflowName: workflowExample.name,
    stepId: 'severity',
  },
  alert: { id: null, title: 'High CPU', fingerprint: 'cpu-web-01', severity: 'high', status: 'firing' },
  incident: null,
  changes: [{ field: 'severity', before: 'critical', after: 'high' }],
  workflows: [],
};

export const explainAlert = operation({
  id: 'alerts.explain',
  operationId: 'explainAlert',
  owner: 'workflow-engine',
  method: 'GET',
  path: '/alerts/{id}/explain',
  scope: 'alerts:read',
  tag: 'Alerts',
  summary: 'Explain an alert',
  description:
    'Every decision about it and why, as it was recorded when it was made: mapping, fingerprint, windows, workflows, who was on call, what was sent and what not.',
  reply: 'one',
  item: Explanation,
  example: {
    params: { id: alertId },
    reply: {
      data: {
        alertId,
        summary:
          'Opened by "Prometheus EU" at 14:00 UTC as critical. "Page for what is urgent" ran and told mira@example.com.',
        events: [
          {
            id: 'evt_01938f3a7c2e7d4ab1c2d3e4f5060010',
            receivedAt: '2026-11-20T14:00:00.000Z',
            outcome: 'opened',
            mapping: { title: { from: 'mapping', path: 'check.name' } },
            fingerprint: fingerprintExample,
            windows: [],
          },
        ],
        decisions: [
          {
            eventId: 'tml_01938f3a7c2e7d4ab1c2d3e4f5060003',
            event: 'alert.created',
            occurredAt: '2026-11-20T14:00:00.000Z',
            workflows: [workflowExample],
          },
        ],
        runs: [],
        notifications: [],
        deliveries: [],
      },
    },
  },
});

export const simulate = operation({
  id: 'simulation.run',
  operationId: 'simulate',
  owner: 'workflow-engine',
  method: 'POST',
  path: '/simulate',
  scope: 'workflows:read',
  tag: 'Workflows',
  summary: 'Simulate a payload',
  description:
    'The whole path without effects: mapping, deduplication, windows, workflows, who would be told; then what the steps of those workflows and the resolving of alerts would bring about, up to the guard against loops. Decided by the same functions as the real path, as if nobody did anything meanwhile.',
  body: Simulate,
  check: oneInput,
  verbatim: true,
  reply: 'one',
  item: Simulation,
  faults: ['IDEMPOTENCY_KEY_REUSED'],
  example: {
    body: { alert: { title: 'High CPU', severity: 'critical', fingerprint: 'cpu-web-01' } },
    reply: {
      data: {
        at: '2026-11-20T14:00:00.000Z',
        items: [
          {
            outcome: 'event',
            reason: null,
            faults: [],
            event: { title: 'High CPU', severity: 'critical', status: 'firing' },
            mapping: { title: { from: 'standard', path: 'title' } },
            fingerprint: fingerprintExample,
            alert: { decision: 'opened', alertId: null, status: 'firing', changes: [] },
            windows: [],
            workflows: [simulatedWorkflowExample],
            follows: [followExample],
            leftOut: false,
          },
        ],
      },
    },
  },
});

export const replayIntegration = operation({
  id: 'integrations.replay',
  operationId: 'replayIntegration',
  owner: 'resource-api',
  method: 'POST',
  path: '/integrations/{id}/replay',
  scope: 'integrations:write',
  tag: 'Integrations',
  summary: 'Try changed settings on the payloads that came',
  description:
    "Maps the kept payloads with the settings as they are and as they would be, each as the API that it came by does (our webhook, PagerDuty's, Opsgenie's), and answers the difference; with `dryRun: false` the settings are then saved.",
  body: ReplayPayloads,
  check: mappingFaults,
  reply: 'one',
  item: Replay,
  faults: ['CONFLICT', 'VERSION_MISMATCH', 'IDEMPOTENCY_KEY_REUSED'],
  example: {
    params: { id: integrationId },
    body: { severityMap: { P1: 'critical' }, dryRun: true },
    reply: {
      data: {
        saved: false,
        since: '2026-11-20T13:00:00.000Z',
        same: 3,
        changed: 1,
        nowAccepted: 0,
        nowRefused: 0,
        payloads: [
          {
            integrationRequestId: 'req_01938f3a7c2e7d4ab1c2d3e4f5060009',
            deliveryId: 'req_01938f3a7c2e7d4ab1c2d3e4f5060009',
            receivedAt: '2026-11-20T14:05:00.000Z',
            difference: 'changed',
            before: [{ outcome: 'event', title: 'High CPU', severity: 'medium' }],
            after: [{ outcome: 'event', title: 'High CPU', severity: 'critical' }],
            changes: [{ item: 0, field: 'severity', before: 'medium', after: 'critical' }],
          },
        ],
      },
    },
  },
});

export const explanationOperations = [explainAlert, simulate, replayIntegration];
