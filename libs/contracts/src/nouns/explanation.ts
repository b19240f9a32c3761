/**
 * Explanations of decisions. `explain` shows the recorded decisions about an alert. `simulate` and `replay` make the
 * same decisions for a payload with the same functions, without effects.
 */
import {
  alertStatuses,
  catchAllOutcomes,
  severities,
  workflowEvents,
  type AlertStatus,
  type CatchAllOutcome,
  type Severity,
  type WorkflowEvent,
} from '@ams/domain';
import { ApiProperty, ApiPropertyOptional, PickType } from '@nestjs/swagger';
import { IsBoolean, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import type { FieldFault } from '../fault.js';
import { operation } from '../operation.js';
import { Actor, addressNote, Change, Clearable, nullableText, nullableTime, Sent, time } from './common.js';
import { InstantField } from './fields.js';
import { mappingFaults, mappingFieldNames, PutIntegration } from './integrations.js';
import { Notification } from './notifications.js';
import { AlertPage } from './pages.js';
import {
  ImaginedAlert,
  ImaginedIncident,
  plannedExample,
  PlannedIncident,
  PlannedPage,
  PlannedStep,
} from './workflow-runs.js';

const object = { type: 'object', additionalProperties: true } as const;
const nullableObject = { ...object, nullable: true } as const;
const objects = (description: string) => ({ type: 'array', items: object, description }) as const;

export class ExplainedEvent {
  @ApiProperty() id!: string;
  @ApiProperty({ ...time }) receivedAt!: string;
  @ApiProperty({
    description:
      '`opened`, `occurred`, `acknowledged`, `suppressed`, `resolved`, `edited`, `noted`, `unchanged` or `noMatch`.',
  })
  outcome!: string;
  @ApiProperty({
    ...nullableObject,
    description: 'The mapping rule that gave each field of the event its value: `{from, path, …}`.',
  })
  mapping!: unknown;
  @ApiProperty({
    ...object,
    description:
      '`{value, source, inputs, scope}`: whether the fingerprint was explicit or generated from title and ' +
      'source, and the scope in which an alert with it was searched.',
  })
  fingerprint!: unknown;
  @ApiProperty({
    ...objects(
      'The suppression windows that were active at that time, and whether each matched: `{windowId, name, ' +
        'matched, until}`. `undecided: true`: comparing it took too much work, so it did not match.',
    ),
  })
  windows!: unknown[];
}

export class ExplainedDecision {
  @ApiProperty({ description: 'The timeline entry.' }) eventId!: string;
  @ApiProperty() event!: string;
  @ApiProperty({ ...time }) occurredAt!: string;
  @ApiProperty({
    ...objects(
      'Every workflow that this event could trigger: `{workflowId, name, version, outcome, trace, runId}`. ' +
        'The outcome is `run`, `conditions`, `quiet`, `loop` or `budget`; the trace shows the result of each node of ' +
        'the conditions. `undecided: true` in a node: it has no result, because evaluating it took too much work.',
    ),
  })
  workflows!: unknown[];
}

export class ExplainedSuppression {
  @ApiProperty({ description: 'The timeline entry.' }) id!: string;
  @ApiProperty({ description: 'The change of the alert, such as `alert.suppressed` or `alert.resumed`.' })
  event!: string;
  @ApiProperty({ ...time }) occurredAt!: string;
  @ApiProperty({ description: 'Whether the alert was hidden from then on.' }) isHidden!: boolean;
  @ApiProperty({ ...nullableText, description: 'The suppression window; null when the sender suppresses the alert.' })
  windowId!: string | null;
  @ApiProperty({
    ...nullableText,
    description: 'The present name of the window; null when it was deleted, or hidden from the key.',
  })
  windowName!: string | null;
  @ApiProperty({ ...nullableTime, description: 'The end that was expected then.' }) until!: string | null;
  @ApiProperty({ type: Actor }) actor!: Actor;
}

/** A line of the page ledger (`GET /pages`). */
export class ExplainedPage extends AlertPage {
  @ApiProperty({ description: 'Why the alert asked for somebody, and how that ended, as one sentence.' }) why!: string;
}

export class Explanation {
  @ApiProperty() alertId!: string;
  @ApiProperty({ description: 'The explanation as text of a few sentences.' }) summary!: string;
  @ApiProperty({ type: [ExplainedEvent], description: 'The requests of the sender: the newest 50, oldest first.' })
  events!: ExplainedEvent[];
  @ApiProperty({
    type: [ExplainedDecision],
    description:
      'The workflows that each change of the alert could trigger. For each change: those that ran, then the others, ' +
      'the nearest first: those whose conditions failed by one node, and those of the team of the alert (the team of ' +
      'its integration, and the one that its label `team` names).',
  })
  decisions!: ExplainedDecision[];
  @ApiProperty({
    type: [ExplainedSuppression],
    description: 'Each time that the alert was hidden and that this ended: the newest 50, oldest first.',
  })
  suppressions!: ExplainedSuppression[];
  @ApiProperty({
    ...objects(
      'The workflow runs with their steps: what was done, who was on call by which layer, and what was ' +
        'skipped and why.',
    ),
  })
  runs!: unknown[];
  @ApiProperty({
    type: [Notification],
    description:
      'The notifications about the alert, and those of its incident, that were sent or not sent, with the reason.',
  })
  notifications!: Notification[];
  @ApiProperty({
    type: [ExplainedPage],
    description:
      'The lines of the page ledger: each time that the alert asked for somebody, and how that ended. The newest 50, ' +
      'oldest first.',
  })
  pages!: ExplainedPage[];
  @ApiProperty({ type: [Notification], deprecated: true, description: 'The previous name of `notifications`.' })
  deliveries!: Notification[];
}

export class Simulate {
  @ApiPropertyOptional({
    description: 'A body as a sender posts it. Send either this with `integrationId`, or `alert`.',
  })
  @IsOptional()
  payload?: unknown;

  @ApiPropertyOptional({
    ...nullableText,
    description: 'The integration whose mapping is used. It also determines deduplication, client and scope.',
  })
  @Clearable()
  @IsString()
  integrationId?: string | null;

  @ApiPropertyOptional({
    ...object,
    description: 'A standard payload, processed as if an integration without mappings had received it.',
  })
  @IsOptional()
  alert?: Record<string, unknown>;

  @InstantField({ presence: 'kept', description: 'The simulated time. Default: now.' })
  at?: string;
}

export const consideredOutcomes = ['run', 'conditions', 'quiet', 'loop', 'budget'] as const;
export const imaginedRunStatuses = ['completed', 'waiting', 'failed'] as const;

/** A workflow that an event could trigger, and what it would do. */
export class SimulatedWorkflow {
  @ApiProperty() workflowId!: string;
  @ApiProperty() name!: string;
  @ApiProperty({ type: 'integer' }) version!: number;
  @ApiProperty({ enum: workflowEvents, enumName: 'WorkflowEvent' }) event!: WorkflowEvent;
  @ApiProperty({
    enum: consideredOutcomes,
    description:
      '`run`, or why the workflow would not run: `conditions` (they do not hold), `quiet` (the alert is not ' +
      'firing), `loop` (too many workflows triggered each other) or `budget` (the first event of this chain of ' +
      'workflows has caused as many runs as it may).',
  })
  outcome!: (typeof consideredOutcomes)[number];
  @ApiProperty({ ...object, description: 'The result of each node of the conditions.' }) trace!: unknown;
  @ApiProperty({ type: [PlannedStep], description: 'What each step would do, when, and whom it would notify.' })
  steps!: PlannedStep[];
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'How many workflows triggered each other before. The limit is 5.',
  })
  depth!: number;
  @ApiProperty({
    enum: imaginedRunStatuses,
    enumName: 'SimulatedRunStatus',
    nullable: true,
    description:
      'The final status of the run; `waiting` when a message is held until the alert fires again. Null when ' +
      'there would be no run.',
  })
  runStatus!: (typeof imaginedRunStatuses)[number] | null;
}

export class SimulatedCause {
  @ApiProperty({
    enum: ['alert', 'incident', 'workflow', 'catchAll'],
    description:
      'The cause: a workflow, a change of the incident of an alert, a change of the alerts of an incident, or the ' +
      'catch-all policy, which was asked because no workflow runs.',
  })
  type!: 'alert' | 'incident' | 'workflow' | 'catchAll';
  @ApiProperty({
    ...nullableText,
    description: 'The workflow that caused the change; null when the sender or the catch-all policy caused it.',
  })
  workflowId!: string | null;
  @ApiProperty({ ...nullableText }) workflowName!: string | null;
  @ApiProperty({ ...nullableText, description: 'The step of that workflow.' }) stepId!: string | null;
}

export class FollowingAlert {
  @ApiProperty({ ...nullableText, description: 'Null for a record that would only be created.' }) id!: string | null;
  @ApiProperty() title!: string;
  @ApiProperty() fingerprint!: string;
  @ApiProperty({ enum: severities, enumName: 'Severity' }) severity!: Severity;
  @ApiProperty({ enum: alertStatuses, enumName: 'AlertStatus' }) status!: AlertStatus;
}

/** Whether an alert for which no workflow runs asks the catch-all policy, and what that does. */
export class SimulatedCatchAll {
  @ApiProperty({
    enum: catchAllOutcomes,
    enumName: 'CatchAllOutcome',
    description:
      '`asked`, or why it is not asked: `workflow` (a workflow runs), `event` (the event asks for nobody), ' +
      '`notFiring`, `inIncident` (the alert is in an incident already), `noPolicy` (the organization has no catch-all ' +
      'policy) or `lowUrgency`.',
  })
  outcome!: CatchAllOutcome;
  @ApiProperty({ description: 'What would happen, or why nothing would, as a sentence.' }) would!: string;
  @ApiProperty({ type: PlannedIncident, nullable: true, description: 'The resulting incident of the alert.' })
  incident!: PlannedIncident | null;
  @ApiProperty({ type: PlannedPage, nullable: true }) page!: PlannedPage | null;
  @ApiProperty({ ...objects('Who would be told now, at most 100: `{channel, target, why, onCall, unreachable}`.') })
  targets!: unknown[];
}

/** A message of an incident that follows its alerts, such as a severity that rises. No step sends it. */
export class SimulatedPage {
  @ApiProperty({ type: ImaginedIncident }) incident!: ImaginedIncident;
  @ApiProperty({ description: 'Why these recipients are told, as a sentence.' }) why!: string;
  @ApiProperty({ ...objects('The recipients, at most 100: `{channel, target, why, onCall, unreachable}`.') })
  targets!: unknown[];
}

/** A later change of an alert or incident, as a domain event would report it. */
export class SimulatedFollow {
  @ApiProperty({ enum: workflowEvents, enumName: 'WorkflowEvent' }) event!: WorkflowEvent;
  @ApiProperty({ ...time }) at!: string;
  @ApiProperty({ type: 'integer', minimum: 0, description: 'How many workflows triggered each other before.' })
  depth!: number;
  @ApiProperty({ type: SimulatedCause, description: 'Why.' }) cause!: SimulatedCause;
  @ApiProperty({ type: FollowingAlert, nullable: true, description: 'The changed alert, as it is after the change.' })
  alert!: FollowingAlert | null;
  @ApiProperty({
    type: ImaginedIncident,
    nullable: true,
    description: 'The changed incident, as it is after the change.',
  })
  incident!: ImaginedIncident | null;
  @ApiProperty({ type: [Change] }) changes!: Change[];
  @ApiProperty({ type: [SimulatedWorkflow], description: 'Every workflow that the change could trigger.' })
  workflows!: SimulatedWorkflow[];
  @ApiProperty({
    type: SimulatedCatchAll,
    nullable: true,
    description: 'For changes of alerts: whether the catch-all policy is asked. Null for changes of incidents.',
  })
  catchAll!: SimulatedCatchAll | null;
}

export class SimulatedItem {
  @ApiProperty({ enum: ['event', 'ignored', 'faulty'] }) outcome!: 'event' | 'ignored' | 'faulty';
  @ApiProperty({ ...nullableText }) reason!: string | null;
  @ApiProperty({ ...objects('The errors of the item.') }) faults!: unknown[];
  @ApiProperty({ ...nullableObject, description: 'The event after mapping.' }) event!: unknown;
  @ApiProperty({ ...nullableObject, description: 'The same as in an explanation.' }) mapping!: unknown;
  @ApiProperty({ ...nullableObject, description: 'The same as in an explanation.' }) fingerprint!: unknown;
  @ApiProperty({
    type: ImaginedAlert,
    nullable: true,
    description:
      '`{decision, alertId, status, changes}`. The decision is `opened`, a change of the open alert, ' +
      '`unchanged` or `noMatch`.',
  })
  alert!: ImaginedAlert | null;
  @ApiProperty({ ...objects('The same as in an explanation.') }) windows!: unknown[];
  @ApiProperty({ type: [SimulatedWorkflow], description: 'Every workflow that the event could trigger.' })
  workflows!: SimulatedWorkflow[];
  @ApiProperty({
    type: SimulatedCatchAll,
    nullable: true,
    description: 'Whether the catch-all policy is asked, and whom it would tell. Null when the event changes no alert.',
  })
  catchAll!: SimulatedCatchAll | null;
  @ApiProperty({
    type: [SimulatedPage],
    description: 'The messages of an incident to which the alert belongs already, such as a severity that rises.',
  })
  pages!: SimulatedPage[];
  @ApiProperty({
    type: [SimulatedFollow],
    description:
      'The consequences in chronological order: changes of alerts and incidents by workflow steps, incidents ' +
      'that resolve with their last alert, and the workflows that these changes trigger.',
  })
  follows!: SimulatedFollow[];
  @ApiProperty({
    description:
      'Whether the consequences are incomplete. The last ones are left out when the response would become too large.',
  })
  leftOut!: boolean;
}

export class Simulation {
  @ApiProperty({ ...time }) at!: string;
  @ApiProperty({
    type: [SimulatedItem],
    description: 'The first 25 items of the payload, or fewer when the response would become too large.',
  })
  items!: SimulatedItem[];
}

/** Changed settings of an integration; fields that are left out stay unchanged. */
export class ReplayPayloads extends PickType(PutIntegration, mappingFieldNames) {
  @InstantField({
    presence: 'kept',
    description: 'Only payloads that were received at or after this time. Default: all stored payloads.',
  })
  since?: string;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: 100,
    default: 100,
    description: 'The maximum number of payloads, newest first.',
  })
  @Sent()
  @IsInt()
  @Min(1)
  @Max(100)
  limit?: number;

  @ApiPropertyOptional({
    default: true,
    description:
      'With false, the changed settings are saved, unless they would reject a payload that was accepted ' +
      'before. Payloads are not processed again.',
  })
  @Sent()
  @IsBoolean()
  dryRun?: boolean;
}

export class ReplayedPayload {
  @ApiProperty({ description: 'The id of the request in `GET /integrations/{id}/requests`.' })
  integrationRequestId!: string;
  @ApiProperty({ deprecated: true, description: 'The previous name of `integrationRequestId`.' }) deliveryId!: string;
  @ApiProperty({ ...time }) receivedAt!: string;
  @ApiProperty({ enum: ['same', 'changed', 'nowAccepted', 'nowRefused'] }) difference!:
    'same' | 'changed' | 'nowAccepted' | 'nowRefused';
  @ApiProperty({
    ...objects('The result of each item with the current settings: `{outcome, …}`, with the fields of the event.'),
  })
  before!: unknown[];
  @ApiProperty({ ...objects('The result of each item with the changed settings.') }) after!: unknown[];
  @ApiProperty({ ...objects('The differences: `{item, field, before, after}`.') }) changes!: unknown[];
}

export class Replay {
  @ApiProperty() saved!: boolean;
  @ApiProperty({ ...nullableTime, description: 'When the oldest examined payload was received.' }) since!:
    string | null;
  @ApiProperty({ type: 'integer' }) same!: number;
  @ApiProperty({ type: 'integer' }) changed!: number;
  @ApiProperty({ type: 'integer' }) nowAccepted!: number;
  @ApiProperty({ type: 'integer' }) nowRefused!: number;
  @ApiProperty({
    type: [ReplayedPayload],
    description: 'The payloads with differences, newest first; fewer when the response would become too large.',
  })
  payloads!: ReplayedPayload[];
}

const oneInput = (body: Record<string, unknown>): FieldFault[] =>
  ['payload', 'alert'].filter((field) => body[field] !== undefined).length === 1
    ? []
    : [{ path: 'payload', rule: 'oneOf', message: 'send either payload or alert' }];

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
  catchAll: {
    outcome: 'inIncident',
    would: 'The catch-all policy is not asked: the alert is in an incident already.',
    incident: null,
    page: null,
    targets: [],
  },
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
    'Every decision about the alert with its reason, as recorded when it was made: mapping, fingerprint, ' +
    'suppression windows, workflows, on-call members, notifications, and how each page ended. Each part needs the scope ' +
    'that reads it directly, and is empty without it: `decisions` and `runs` need `workflows:read`, `pages` ' +
    '`incidents:read`, and the windows of events `suppression:read`. ' +
    addressNote,
  reply: 'one',
  item: Explanation,
  example: {
    params: { id: alertId },
    reply: {
      data: {
        alertId,
        summary:
          'Opened by "Prometheus EU" at 14:00 UTC as critical. "Page for what is urgent" ran. Notified: ' +
          'mira@example.com (email) on 2026-11-20 at 14:00:01 UTC.',
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
        suppressions: [
          {
            id: 'tml_01938f3a7c2e7d4ab1c2d3e4f5060004',
            event: 'alert.suppressed',
            occurredAt: '2026-11-20T14:30:00.000Z',
            isHidden: true,
            windowId: 'sup_01938f3a7c2e7d4ab1c2d3e4f5060060',
            windowName: 'Maintenance',
            until: '2026-11-20T15:00:00.000Z',
            actor: { type: 'service', id: null, name: 'suppression' },
          },
        ],
        runs: [],
        notifications: [],
        pages: [
          {
            id: 'pag_01938f3a7c2e7d4ab1c2d3e4f50600a0',
            alertId,
            incidentId: 'inc_01938f3a7c2e7d4ab1c2d3e4f5060040',
            workflowId: 'wfl_01938f3a7c2e7d4ab1c2d3e4f5060070',
            outcome: 'told',
            reason: 'Somebody was told.',
            notificationIds: ['ntf_01938f3a7c2e7d4ab1c2d3e4f5060090'],
            askedAt: '2026-11-20T14:00:00.300Z',
            endedAt: '2026-11-20T14:00:01.900Z',
            repairs: 0,
            why:
              '"Page for what is urgent" ran on alert.created, and mira@example.com was told by the escalation policy ' +
              '"Payments".',
          },
        ],
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
  needs: ['alerts:read', 'incidents:read'],
  tag: 'Workflows',
  summary: 'Simulate a payload',
  description:
    'Processes a payload without effects: mapping, deduplication, suppression windows, workflows and ' +
    'notifications, and the catch-all policy when no workflow runs for an urgent alert. It then follows the ' +
    'consequences: the effects of workflow steps and of resolved alerts, ' +
    'up to the limit for workflows that trigger each other. The decisions come from the same functions as in ' +
    'real processing. It assumes that nobody acts in the meantime. ' +
    addressNote,
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
            catchAll: {
              outcome: 'workflow',
              would: 'The catch-all policy is not asked: a workflow runs.',
              incident: null,
              page: null,
              targets: [],
            },
            pages: [],
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
  summary: 'Test changed settings with recent payloads',
  description:
    'Maps the stored payloads with the current and with the changed settings, each in the format of the API ' +
    'that received it (webhook, PagerDuty or Opsgenie). The response contains the differences. With `dryRun: ' +
    'false`, the settings are then saved.',
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
