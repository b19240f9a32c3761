/** Replacements for the services that the engine calls: the alert pipeline and the notifier. */
import {
  shownAlertColumns,
  alertFromRow,
  shownIncidentColumns,
  incidentFromRow,
  type ShownAlertRow,
  type ShownIncidentRow,
} from '@ams/alerting';
import {
  attemptResultRequest,
  sealAddressRequest,
  sendRequest,
  workflowCommandRequest,
  type Alert,
  type Destination,
  type Incident,
  type SendingReply,
  type SendReply,
  type SendRequest,
  type ServiceRequest,
  type WorkflowCommand,
  type WorkflowCommandReply,
} from '@ams/contracts';
import { replacedInDestination } from '@ams/domain';
import type { NatsConnection } from '@ams/messaging';
import { newDataKey, TenantSecrets } from '@ams/service';
import { insertIncident } from '@ams/testing';
import type { Subscription } from '@nats-io/transport-node';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/** A reply, or a promise that the test settles, or none at all. */
type Reply<T> = T | Promise<T> | 'no reply';

export async function alertNow(admin: pg.Pool, id: string): Promise<Alert | null> {
  const { rows } = await admin.query<ShownAlertRow>(`SELECT ${shownAlertColumns} FROM alerts.alerts WHERE id = $1`, [
    id,
  ]);
  return rows[0] ? alertFromRow(rows[0]) : null;
}

export async function incidentNow(admin: pg.Pool, id: string): Promise<Incident | null> {
  const { rows } = await admin.query<ShownIncidentRow>(
    `SELECT ${shownIncidentColumns} FROM alerts.incidents WHERE id = $1`,
    [id],
  );
  return rows[0] ? incidentFromRow(rows[0]) : null;
}

export class Neighbours {
  readonly commands: WorkflowCommand[] = [];
  readonly sent: (SendRequest & { at: number })[] = [];
  private commandAnswer: ((command: WorkflowCommand) => Reply<WorkflowCommandReply | null>) | null = null;
  private sendAnswer: ((request: SendRequest) => Reply<SendReply>) | null = null;
  private subscriptions: Subscription[] = [];
  private readonly attempts = new Map<string, Promise<SendReply | 'no reply'>>();

  constructor(
    private readonly nats: NatsConnection,
    private readonly admin: pg.Pool,
  ) {}

  /** By default, and for `null`, the pipeline executes the commands on which the engine relies. */
  answerCommands(answer: ((command: WorkflowCommand) => Reply<WorkflowCommandReply | null>) | null): void {
    this.commandAnswer = answer;
  }

  /** By default every notification is sent. */
  answerSends(answer: ((request: SendRequest) => Reply<SendReply>) | null): void {
    this.sendAnswer = answer;
  }

  start(): void {
    this.subscriptions = [
      this.serve(workflowCommandRequest, async (command) => {
        this.commands.push(command);
        const answer = (await this.commandAnswer?.(command)) ?? null;
        return answer ?? executed(this.admin, command);
      }),
      this.serve(sendRequest, async (request) => {
        this.sent.push({ ...request, at: Date.now() });
        const answer = Promise.resolve(this.sendAnswer?.(request) ?? { kind: 'sent' as const, detail: '250 OK' });
        this.attempts.set(request.notificationId, answer);
        return inTime(answer, request.waitMs);
      }),
      this.serve(sealAddressRequest, ({ organizationId, environment, record, destination }) => {
        const sealing = new TenantSecrets(dataKey, { organizationId, environment }).sealing(record);
        return Promise.resolve({
          destination: { ...replacedInDestination(destination, sealing), sealedFor: record } as Destination,
        });
      }),
      this.serve(attemptResultRequest(replicaId), ({ notificationId, waitMs }) =>
        inTime<SendReply>(this.attempts.get(notificationId)!, waitMs),
      ),
    ];
  }

  async stop(): Promise<void> {
    await Promise.all(this.subscriptions.map((subscription) => subscription.drain()));
  }

  private serve<Request, Answer>(
    { subject }: ServiceRequest<Request, Answer>,
    handle: (request: Request) => Promise<Answer | 'no reply'>,
  ): Subscription {
    return this.nats.subscribe(subject, {
      queue: 'test',
      callback: (_error, message) =>
        void handle(message.json<Request>()).then((answer) => {
          if (answer !== 'no reply') message.respond(JSON.stringify(answer));
        }),
    });
  }
}

const replicaId = 'test';
const dataKey = newDataKey();

/** The result, or `sending` when it does not come in time. */
const inTime = <T>(result: Promise<T | 'no reply'>, waitMs = 60_000): Promise<T | 'no reply' | SendingReply> =>
  Promise.race([result, sleep<SendingReply>(waitMs, { kind: 'sending', replicaId }, { ref: false })]);

/** The behaviour on which the engine relies: an alert joins the open incident of its group. */
export async function executed(
  admin: pg.Pool,
  { organizationId, environment, workflow, alertId, body }: WorkflowCommand,
): Promise<WorkflowCommandReply> {
  const alert = alertId ? await alertNow(admin, alertId) : null;
  if (body.kind !== 'openIncident' || !alertId)
    return { kind: 'done', changed: true, alert, incident: null, joined: false };
  const { rows: own } = await admin.query<{ id: string; first: boolean }>(
    `SELECT i.id, i.opened_by = a.id AS first
     FROM alerts.alerts a JOIN alerts.incidents i ON i.id = a.incident_id WHERE a.id = $1`,
    [alertId],
  );
  const { rows: open } = await admin.query<{ id: string }>(
    `SELECT id FROM alerts.incidents WHERE workflow_id IS NOT DISTINCT FROM $1::uuid AND group_key = $2 AND status <> 'resolved'`,
    [workflow?.id ?? null, body.groupKey],
  );
  const incidentId =
    own[0]?.id ??
    open[0]?.id ??
    (await insertIncident(
      admin,
      { organizationId, environment },
      {
        workflowId: workflow?.id ?? null,
        groupKey: body.groupKey,
        title: body.title,
        severity: 'critical',
        alertCount: 1,
        openAlertCount: 1,
        openedBy: alertId,
      },
    ));
  await admin.query('UPDATE alerts.alerts SET incident_id = $2 WHERE id = $1', [alertId, incidentId]);
  return {
    kind: 'done',
    changed: own.length === 0,
    alert: await alertNow(admin, alertId),
    incident: await incidentNow(admin, incidentId),
    joined: own[0] ? !own[0].first : open.length > 0,
  };
}
