/** Escalation policies, and the commands of `page` steps, for tests. */
import {
  newUuid,
  publicId,
  uuidOf,
  workflowCommandRequest,
  type Incident,
  type WorkflowCommand,
  type WorkflowCommandReply,
} from '@ams/contracts';
import type { PolicyLevel } from '@ams/domain';
import { incidentFromRow, shownIncidentColumns, type PageKind, type PageRecipient } from '@ams/alerting';
import { insertWorkflow } from '@ams/testing';
import type { Sender, TestPipeline } from './support.js';

export interface PageFound {
  kind: PageKind;
  stage: string;
  episode: number;
  round: number;
  level: number;
  recipients: PageRecipient[];
}

export interface TestPaging {
  /** Returns the public id of the policy. */
  newPolicy(
    sender: Sender,
    levels: Omit<PolicyLevel, 'id'>[],
    more?: { repeat?: number; ackTimeoutSeconds?: number },
  ): Promise<string>;
  /** Sets the catch-all policy. */
  catchAll(sender: Sender, policyId: string): Promise<void>;
  /** The id of a workflow (UUID). */
  newWorkflow(sender: Sender): Promise<string>;
  /** Executes the command of a `page` step for an alert (public id). */
  page(sender: Sender, workflowId: string, alertId: string, body?: object): Promise<WorkflowCommandReply>;
  incidentsNow(sender: Sender): Promise<Incident[]>;
  pagesOf(sender: Sender): Promise<PageFound[]>;
}

export const testPaging = (pipelineOf: () => TestPipeline): TestPaging => ({
  async newPolicy(
    { organizationId, environment },
    levels,
    { repeat = 0, ackTimeoutSeconds = null as number | null } = {},
  ) {
    const id = newUuid();
    await pipelineOf().admin.query(
      `INSERT INTO resources.escalation_policies (id, organization_id, environment, name, levels, repeat, ack_timeout_seconds)
       VALUES ($1, $2, $3, 'Policy', $4, $5, $6)`,
      [
        id,
        organizationId,
        environment,
        JSON.stringify(levels.map((level, index) => ({ id: `level-${index + 1}`, ...level }))),
        repeat,
        ackTimeoutSeconds,
      ],
    );
    return publicId('escalationPolicy', id);
  },
  async catchAll({ organizationId, environment }, policyId) {
    await pipelineOf().admin.query(
      `INSERT INTO auth.organizations (id, name, slug, created_at, updated_at) VALUES ($1, 'o', $2, now(), now())
       ON CONFLICT DO NOTHING`,
      [organizationId, organizationId],
    );
    await pipelineOf().admin.query(
      `INSERT INTO resources.organization_settings
         (organization_id, environment, catch_all_policy_id, high_urgency_severities, flap, default_window_seconds)
       VALUES ($1, $2, $3, '{critical,high}', '{"transitions": 4, "windowSeconds": 900, "quietSeconds": 600}', 900)`,
      [organizationId, environment, uuidOf('escalationPolicy', policyId)],
    );
  },
  newWorkflow: (sender) => insertWorkflow(pipelineOf().admin, sender),
  async page({ organizationId, environment }, workflowId, alertId, body = {}) {
    const command: WorkflowCommand = {
      organizationId,
      environment,
      workflow: { id: workflowId, name: 'Page' },
      runId: newUuid(),
      depth: 1,
      alertId: uuidOf('alert', alertId),
      incidentId: null,
      body: {
        kind: 'openIncident',
        groupKey: 'g',
        windowSeconds: null,
        autoResolve: true,
        title: 'Checkout is slow',
        severity: null,
        page: { catchAll: true },
        ...body,
      },
    };
    const reply = await pipelineOf().nats.request(workflowCommandRequest.subject, JSON.stringify(command), {
      timeout: 60_000,
    });
    return reply.json<WorkflowCommandReply>();
  },
  async incidentsNow({ organizationId }) {
    const { rows } = await pipelineOf().admin.query(
      `SELECT ${shownIncidentColumns} FROM alerts.incidents WHERE organization_id = $1 ORDER BY number`,
      [organizationId],
    );
    return rows.map(incidentFromRow);
  },
  async pagesOf({ organizationId }) {
    const { rows } = await pipelineOf().admin.query<PageFound>(
      `SELECT kind, stage, episode, round, level, recipients FROM alerts.pages WHERE organization_id = $1
       ORDER BY created_at, episode, array_position(ARRAY['policy', 'catchAll', 'owners'], stage), round, level`,
      [organizationId],
    );
    return rows;
  },
});
