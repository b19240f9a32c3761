/** Executes the commands of workflows on alerts and incidents: `executeCommand` on locked rows. */
import type { WorkflowCommand, WorkflowCommandReply } from '@ams/contracts';
import { executeCommand } from '@ams/alerting';
import { Database, isMessageFault, type Tx } from '@ams/database';
import { Logger } from '@ams/messaging';
import { Outbox } from '@ams/persistence';
import { Injectable } from '@nestjs/common';
import { AlertChanges } from '../alerts/alert-changes.js';
import { IncidentChanges } from '../incidents/incident-changes.js';
import { lockedRecords } from './locked-records.js';

@Injectable()
export class WorkflowCommandsService {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly log: Logger,
  ) {}

  /** Refuses only a command that is at fault. After any other error the engine sends the command again. */
  async execute(command: WorkflowCommand): Promise<WorkflowCommandReply> {
    try {
      const reply = await this.database.asService((tx) => executeLocked(tx, command));
      this.outbox.publishNow();
      return reply;
    } catch (error) {
      if (!isMessageFault(error)) throw error;
      const facts = { runId: command.runId, command: command.body.kind, err: error };
      this.log.error(facts, 'workflow command failed');
      return { kind: 'refused', reason: 'an internal error of the service' };
    }
  }
}

async function executeLocked(tx: Tx, command: WorkflowCommand): Promise<WorkflowCommandReply> {
  const at = new Date().toISOString();
  const alerts = new AlertChanges(at);
  const incidents = new IncidentChanges();
  const reply = await executeCommand(lockedRecords(tx, command, alerts, incidents), command, at);
  await incidents.write(tx);
  await alerts.write(tx);
  return reply;
}
