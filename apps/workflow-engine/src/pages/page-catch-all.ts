/** Asks the catch-all policy for alerts for which no workflow runs: the job `pageCatchAll`. */
import { uuidOf, workflowCommandRequest, type Alert, type WorkflowCommand } from '@ams/contracts';
import { alertFromRow, alertIsResolved, shownAlertColumns, type ShownAlertRow } from '@ams/alerting';
import { Database } from '@ams/database';
import { groupKeyOf, usualGroupBy } from '@ams/domain';
import { RpcClient } from '@ams/messaging';
import type { Environment } from '@ams/scopes';
import { Injectable } from '@nestjs/common';
import { JobRunner } from '../jobs/job-runner.js';

const commandTimeoutMs = 5000;

interface OpenRequest {
  organizationId: string;
  environment: Environment;
  alertId: string;
  eventId: string;
}

/** The command that opens the incident of an alert for which no workflow runs. The ids are UUIDs. */
export const catchAllCommand = (
  { id, organizationId, environment, alertId, eventId, depth }: OpenRequest & { id: string; depth: number },
  alert: Alert,
): WorkflowCommand => ({
  organizationId,
  environment,
  workflow: null,
  runId: id,
  depth,
  rootEventId: eventId,
  alertId,
  incidentId: null,
  body: {
    kind: 'openIncident',
    groupKey: `catch-all ${groupKeyOf([usualGroupBy(alert)], alert)}`,
    windowSeconds: null,
    autoResolve: true,
    title: alert.title,
    severity: null,
    page: { catchAll: true },
  },
});

@Injectable()
export class PageCatchAll {
  constructor(
    private readonly database: Database,
    private readonly rpc: RpcClient,
    jobs: JobRunner,
  ) {
    jobs.handle(
      'pageCatchAll',
      ({ pageRequestId }) => this.page(pageRequestId),
      ({ pageRequestId }) => this.end(pageRequestId, 'nobody', 'it failed several times because of an internal error'),
    );
  }

  /** A command that is sent twice changes nothing. */
  private async page(id: string): Promise<void> {
    const [request] = await this.database.query<OpenRequest>(
      `SELECT organization_id AS "organizationId", environment, alert_id AS "alertId", event_id AS "eventId"
       FROM workflows.page_requests
       WHERE id = $1 AND outcome IS NULL AND incident_id IS NULL`,
      [id],
    );
    if (!request) return;
    const alert = await this.alertOf(request);
    if (!alert || alert.status === 'resolved') return this.end(id, 'resolved', alertIsResolved);
    const reply = await this.rpc.request(workflowCommandRequest, catchAllCommand({ id, ...request, depth: 1 }, alert), {
      timeoutMs: commandTimeoutMs,
      requestId: id,
    });
    if (reply.kind === 'refused')
      return this.end(id, reply.reason === alertIsResolved ? 'resolved' : 'nobody', reply.reason);
    await this.database.query('UPDATE workflows.page_requests SET incident_id = $2 WHERE id = $1 AND outcome IS NULL', [
      id,
      uuidOf('incident', reply.incident?.id ?? ''),
    ]);
  }

  private async alertOf({ organizationId, environment, alertId }: OpenRequest): Promise<Alert | null> {
    const [row] = await this.database.query<ShownAlertRow>(
      `SELECT ${shownAlertColumns} FROM alerts_views.alerts
       WHERE organization_id = $1 AND environment = $2 AND id = $3`,
      [organizationId, environment, alertId],
    );
    return row ? alertFromRow(row) : null;
  }

  private async end(id: string, outcome: 'resolved' | 'nobody', reason: string): Promise<void> {
    await this.database.query(
      `UPDATE workflows.page_requests SET outcome = $2, reason = $3, ended_at = clock_timestamp()
       WHERE id = $1 AND outcome IS NULL`,
      [id, outcome, reason],
    );
  }
}
