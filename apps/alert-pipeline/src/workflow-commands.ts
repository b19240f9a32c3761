/** What workflows do to alerts and incidents: `executeCommand` on locked rows, in the order in which people and events lock them. */
import { workflowCommandSubject, type WorkflowCommand, type WorkflowCommandReply } from '@ams/contracts';
import { executeCommand } from '@ams/alerting';
import { type Tx } from '@ams/database';
import { asFault, Subscriptions, type NatsConnection } from '@ams/messaging';
import { Tokens, type Logger, type Part } from '@ams/service';
import { Inject, Injectable } from '@nestjs/common';
import { AlertChanges } from './alert-changes.js';
import { IncidentChanges } from './incident-changes.js';
import { lockedRecords } from './locked-records.js';
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
