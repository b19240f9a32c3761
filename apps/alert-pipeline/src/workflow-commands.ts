/** What workflows do to alerts and incidents: `executeCommand` on locked rows, in the order in which people and events lock them. */
import { workflowCommandSubject, type WorkflowCommand, type WorkflowCommandReply } from '@ams/contracts';
import {
  alertRecordOf,
  executeCommand,
  findIncidentOf,
  storedAlertColumns,
  Windows,
  type CommandRecords,
  type StoredAlert,
} from '@ams/alerting';
import { type Tx } from '@ams/database';
import { asFault, Subscriptions, type NatsConnection } from '@ams/messaging';
import { Tokens, type Logger, type Part } from '@ams/service';
import { Inject, Injectable } from '@nestjs/common';
import { AlertChanges } from './alert-changes.js';
import { IncidentChanges, lockIncidents } from './incident-changes.js';
import { nextNumber } from './incidents.js';
import { DatabasePart } from './parts.js';
import { Relay } from './relay.js';

@Injectable()
export class WorkflowCommands implements Part {
  private subscriptions: Subscriptions | null = null;

  constructor(
    @Inject(Tokens.log) private readonly log: Logger,
    @Inject(Tokens.broker) private readonly broker: NatsConnection,
    @Inject(DatabasePart) private readonly databasePart: DatabasePart,
    @Inject(Relay) private readonly relay: Relay,
  ) {}

  async start(): Promise<void> {
    this.subscriptions = new Subscriptions(this.broker, 'alert-pipeline', this.log);
    this.subscriptions.serve(workflowCommandSubject, async (message) => {
      const command = message.json<WorkflowCommand>();
      try {
        const reply = await this.databasePart.database.asService((tx) => execute(tx, command));
        this.relay.kick();
        return reply;
      } catch (error) {
        // Without an answer it is asked again, which makes sense as long as the database is away.
        if (asFault(error, command.runId).code === 'UNAVAILABLE') throw error;
        this.log.error(
          { runId: command.runId, command: command.body.kind, err: error },
          'a command of a workflow failed',
        );
        return { kind: 'refused', reason: 'something went wrong in the service' } satisfies WorkflowCommandReply;
      }
    });
  }

  async drain(): Promise<void> {
    await this.subscriptions?.drain();
  }
}

export async function execute(tx: Tx, command: WorkflowCommand): Promise<WorkflowCommandReply> {
  const at = new Date().toISOString();
  const alerts = new AlertChanges(at);
  const incidents = new IncidentChanges();
  const reply = await executeCommand(lockedRecords(tx, command, alerts, incidents), command, at);
  await incidents.write(tx);
  await alerts.write(tx);
  return reply;
}

function lockedRecords(
  tx: Tx,
  { organizationId, environment }: WorkflowCommand,
  alerts: AlertChanges,
  incidents: IncidentChanges,
): CommandRecords {
  const lockAlerts = async (condition: string, id: string) => {
    const rows = await tx.query<StoredAlert>(
      `SELECT ${storedAlertColumns} FROM alerts.alerts WHERE organization_id = $1 AND environment = $2 AND ${condition} ORDER BY id FOR UPDATE`,
      [organizationId, environment, id],
    );
    return rows.map(alertRecordOf);
  };
  const incident = async (id: string) => (await lockIncidents(tx, [id]))[0];
  return {
    alert: async (id) => (await lockAlerts('id = $3', id))[0],
    openAlertsOf: (id) => lockAlerts(`incident_id = $3 AND status <> 'resolved'`, id),
    incident,
    async incidentOf(group, at) {
      // Of those that open one for the same group at once, one goes first; the others then find it.
      await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
        `${group.workflowId} ${group.groupKey}`,
      ]);
      const found = await findIncidentOf(tx, group, at);
      return found === null ? undefined : incident(found);
    },
    windowsFor: (alert) => Windows.of(tx, [alert]),
    nextNumber: (organization) => nextNumber(tx, organization),
    changeAlert: (record, next, why) => alerts.change(record, next, why),
    openIncident: (record, why) => incidents.open(record, why),
    changeIncident: (record, next, why) => incidents.change(record, next, why),
  };
}
