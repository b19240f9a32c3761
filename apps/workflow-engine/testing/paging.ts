/** Pages of incidents as the pipeline makes them, the ledger, and the looks for missing pages. */
import { newUuid, uuidOf, type WorkflowCommand, type WorkflowCommandReply } from '@ams/contracts';
import type { PageRecipient } from '@ams/alerting';
import type { RunningService } from '@ams/service';
import { eventually } from '@ams/testing';
import { executed } from './neighbours.js';
import type { Tenant, TestWorld } from './support.js';

export interface LineFound {
  alert_id: string;
  workflow_id: string | null;
  outcome: string | null;
  notification_ids: string[];
  repairs: number;
}

export interface TestPaging {
  /** Answers commands of `page` steps: the incident of a new group tells two people. */
  answer(command: WorkflowCommand): Promise<WorkflowCommandReply | null>;
  /** The tenant has a catch-all policy. */
  withCatchAll(tenant: Tenant): Promise<void>;
  /** Creates an alert that fires, with its timeline. Returns its UUID and its event, which is not published. */
  fire(
    tenant: Tenant,
    values?: { severity?: 'critical' | 'low'; service?: number },
  ): Promise<{ alertId: string; event: { id: string } }>;
  linesOf(tenant: Tenant): Promise<LineFound[]>;
  /** All stored times are this much earlier from now on, as if time had passed. */
  passes(seconds: number): Promise<void>;
  /** The looks that are due now are done. */
  looked(): Promise<void>;
  /** A minute and a half passes, with its looks. */
  missed(): Promise<void>;
  /** `ams_pages_missing_total` of these replicas together. */
  counted(replicas: readonly RunningService[]): Promise<Record<string, number>>;
}

export function testPaging(worldOf: () => TestWorld): TestPaging {
  const sql = async <R extends object>(text: string, params: unknown[] = []): Promise<R[]> =>
    (await worldOf().admin.query<R>(text, params)).rows;

  /** Commands of one group are executed one after another. */
  let before: Promise<unknown> = Promise.resolve();

  async function execute(command: WorkflowCommand): Promise<WorkflowCommandReply> {
    const reply = await executed(worldOf().admin, command);
    const incidentId = reply.kind === 'done' ? uuidOf('incident', reply.incident?.id ?? '') : null;
    if (incidentId) await page(command, incidentId);
    return reply;
  }

  const paging: TestPaging = {
    async answer(command) {
      if (command.body.kind !== 'openIncident' || !command.body.page) return null;
      const reply = before.then(() => execute(command));
      before = reply.catch(() => undefined);
      return reply;
    },

    async withCatchAll({ organizationId, environment }) {
      const policyId = newUuid();
      await sql(
        `INSERT INTO resources.escalation_policies (id, organization_id, environment, name, levels, repeat)
         VALUES ($1, $2, $3, 'Default', '[]', 0)`,
        [policyId, organizationId, environment],
      );
      await sql(
        `INSERT INTO resources.organization_settings
           (organization_id, environment, catch_all_policy_id, high_urgency_severities, flap, default_window_seconds)
         VALUES ($1, $2, $3, '{critical,high}', '{"transitions": 4, "windowSeconds": 900, "quietSeconds": 600}', 900)`,
        [organizationId, environment, policyId],
      );
    },

    async fire(tenant, { severity = 'critical', service } = {}) {
      const labels: Record<string, string> = service === undefined ? {} : { service: `s${service}` };
      const alertId = await worldOf().newAlert(tenant, { severity, labels, fingerprint: newUuid() });
      const event = await worldOf().eventOf(tenant, 'alert.created', alertId);
      await sql(
        `INSERT INTO alerts.timeline
           (id, alert_id, organization_id, environment, type, occurred_at, actor, cause, changes, alert_version)
         VALUES ($1, $2, $3, $4, 'alert.created', clock_timestamp(),
           '{"type": "integration", "id": null, "name": "sender"}', '{"type": "event", "id": null}', '[]', 1)`,
        [uuidOf('timelineEntry', event.id), alertId, tenant.organizationId, tenant.environment],
      );
      return { alertId, event };
    },

    linesOf: ({ organizationId }) =>
      sql<LineFound>(
        `SELECT alert_id, workflow_id, outcome, notification_ids, repairs FROM workflows.page_requests
         WHERE organization_id = $1 ORDER BY asked_at, id`,
        [organizationId],
      ),

    async passes(seconds) {
      const earlier = (column: string): string => `${column} = ${column} - interval '${seconds} s'`;
      await sql(`UPDATE workflows.page_looks SET ${earlier('looked_at')}, ${earlier('since')},
        seen = (SELECT coalesce(jsonb_object_agg(key,
          to_char((value::timestamptz - interval '${seconds} s') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
          '{}') FROM jsonb_each_text(seen))`);
      const times = {
        'workflows.page_requests': ['asked_at', 'repaired_at'],
        'workflows.runs': ['previous_done_at', 'due_at'],
        'workflows.notifications': ['created_at', 'next_attempt_at'],
        'workflow_jobs._private_jobs': ['run_at'],
        'alerts.timeline': ['occurred_at'],
        'alerts.pages': ['created_at'],
        'resources.workflows': ['created_at'],
      };
      for (const [table, columns] of Object.entries(times))
        await sql(`UPDATE ${table} SET ${columns.map(earlier).join(', ')}`);
    },

    looked: () =>
      eventually(async () => {
        const due = await sql(
          `SELECT part FROM workflows.page_looks WHERE looked_at < clock_timestamp() - interval '28 s'`,
        );
        expect(due).toEqual([]);
      }),

    async missed() {
      for (let look = 0; look < 3; look++) {
        await paging.passes(31);
        await paging.looked();
      }
    },

    async counted(replicas) {
      const counts: Record<string, number> = {};
      for (const { port } of replicas) {
        const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
        for (const [, missing = '', count] of text.matchAll(/^ams_pages_missing_total\{.*missing="(\w+)".*\} (\d+)$/gm))
          counts[missing] = (counts[missing] ?? 0) + Number(count);
      }
      return counts;
    },
  };

  /** The page of the first level, and its event. */
  async function page({ organizationId, environment, alertId }: WorkflowCommand, incidentId: string): Promise<void> {
    const [paged] = await sql<{ name: string }>(
      `UPDATE alerts.incidents SET paging = '{}', escalation =
         '{"state": "escalating", "episode": 1, "round": 1, "level": 1, "nextAt": "2100-01-01T00:00:00.000Z", "told": []}'
       WHERE id = $1 AND paging IS NULL RETURNING id`,
      [incidentId],
    );
    if (!paged) return;
    const pageId = newUuid();
    const recipients = ['ann', 'bob'].map((name): PageRecipient => ({
      key: name,
      channel: 'email',
      target: name,
      destination: { channel: 'email', address: `${name}-${incidentId}@example.com`, name },
      memberId: null,
      why: 'Level 1 of the escalation policy "Payments" is told.',
      unreachable: null,
      onCall: null,
      notificationId: newUuid(),
    }));
    await sql(
      `INSERT INTO alerts.pages (id, organization_id, environment, incident_id, alert_id, kind, stage, episode, round,
         level, why, recipients, created_at)
       VALUES ($1, $2, $3, $4, $5, 'level', 'policy', 1, 1, 1, 'Level 1 is told.', $6, clock_timestamp())`,
      [pageId, organizationId, environment, incidentId, alertId, JSON.stringify(recipients)],
    );
    const event = await worldOf().eventOf({ organizationId, environment } as Tenant, 'incident.paged', incidentId);
    await worldOf().publish({ ...event, pageId });
  }

  return paging;
}
