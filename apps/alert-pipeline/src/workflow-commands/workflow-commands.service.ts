/** Executes the commands of workflows on alerts and incidents: `executeCommand` on locked rows. */
import { publicId, type WorkflowCommand, type WorkflowCommandReply } from '@ams/contracts';
import { batchOfCommand, executeTogether, shareOfCommand } from '@ams/alerting';
import { Database, isMessageFault, type Tx } from '@ams/database';
import { Logger } from '@ams/messaging';
import { Outbox } from '@ams/persistence';
import { activeSpan, keepSpan, within } from '@ams/tracing';
import { Injectable } from '@nestjs/common';
import { AlertChanges } from '../alerts/alert-changes.js';
import { lockAlerts } from '../alerts/locked-alerts.js';
import { IncidentChanges } from '../incidents/incident-changes.js';
import { IncidentNumbers } from '../incidents/incident-number.js';
import { timeUnderLock } from '../time-under-lock.js';
import { lockedRecords } from './locked-records.js';

/** The maximum number of commands in a transaction: another team of the organization waits for its end. */
const maxTogether = 50;

interface Waiting {
  command: WorkflowCommand;
  resolve: (reply: WorkflowCommandReply) => void;
  reject: (error: unknown) => void;
}

/**
 * Commands that open incidents for a team change the same incident or take numbers from the same row, so only one
 * transaction at a time can execute them. Those that arrive meanwhile wait, and are executed together by the next one:
 * a storm takes one connection, not all. Other commands, and other teams, take turns (`Database.sharing`).
 */
@Injectable()
export class WorkflowCommandsService {
  private readonly queues = new Map<string, Waiting[]>();

  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly log: Logger,
  ) {}

  /** Refuses only a command that is at fault. After any other error the engine sends the command again. */
  execute(command: WorkflowCommand): Promise<WorkflowCommandReply> {
    showCommand(command);
    keepSpan(command);
    const batch = batchOfCommand(command);
    return batch === null ? this.executeAlone(command) : this.executeInBatch(batch, command);
  }

  /** The caller waits for its own reply, not for those that come after it. */
  private executeInBatch(batch: string, command: WorkflowCommand): Promise<WorkflowCommandReply> {
    return new Promise((resolve, reject) => {
      const one = { command, resolve, reject };
      const waiting = this.queues.get(batch);
      if (waiting) waiting.push(one);
      else {
        this.queues.set(batch, [one]);
        // It is done for others, too.
        within(undefined, () => void this.work(batch));
      }
    });
  }

  /** Never rejects: what fails is told to the callers. */
  private async work(batch: string): Promise<void> {
    for (;;) {
      const together = this.queues.get(batch)?.splice(0, maxTogether) ?? [];
      if (together.length === 0) break;
      await this.executeAll(together);
    }
    this.queues.delete(batch);
  }

  /** A command that is at fault is found by executing each one alone. */
  private async executeAll(together: readonly Waiting[]): Promise<void> {
    try {
      const replies = await this.inTransaction(together.map(({ command }) => command));
      together.forEach(({ resolve }, index) => resolve(replies[index] as WorkflowCommandReply));
    } catch (error) {
      if (!isMessageFault(error) || together.length === 1) {
        for (const { command, resolve, reject } of together)
          if (isMessageFault(error)) resolve(this.refusal(command, error));
          else reject(error);
        return;
      }
      for (const { command, resolve, reject } of together) await this.executeAlone(command).then(resolve, reject);
    }
  }

  private async executeAlone(command: WorkflowCommand): Promise<WorkflowCommandReply> {
    try {
      const [reply] = await this.inTransaction([command]);
      return reply as WorkflowCommandReply;
    } catch (error) {
      if (!isMessageFault(error)) throw error;
      return this.refusal(command, error);
    }
  }

  private refusal(command: WorkflowCommand, error: unknown): WorkflowCommandReply {
    this.log.error({ runId: command.runId, command: command.body.kind, err: error }, 'workflow command failed');
    return { kind: 'refused', reason: 'an internal error of the service' };
  }

  /** The commands are of one tenant and one team. */
  private async inTransaction(commands: readonly WorkflowCommand[]): Promise<WorkflowCommandReply[]> {
    const [first] = commands;
    if (!first) return [];
    const replies = await this.database.sharing(shareOfCommand(first), () =>
      this.database.asService((tx) => executeLocked(tx, commands)),
    );
    this.outbox.publishNow();
    return replies;
  }
}

/** In the span of the request, if it is traced. */
function showCommand({ organizationId, environment, alertId, runId, body }: WorkflowCommand): void {
  activeSpan()?.setAttributes({
    'ams.organization.id': organizationId,
    'ams.environment': environment,
    'ams.command': body.kind,
    'ams.run.id': runId,
    ...(alertId !== null && { 'ams.alert.id': publicId('alert', alertId) }),
  });
}

/** The commands are of one tenant. */
export async function executeLocked(tx: Tx, commands: readonly WorkflowCommand[]): Promise<WorkflowCommandReply[]> {
  const [first] = commands;
  if (!first) return [];
  const ids = commands.map(({ alertId }) => alertId).filter((id) => id !== null);
  const locked = await lockAlerts(tx, first, [...new Set(ids)]);
  const at = timeUnderLock(locked).toISOString();
  const alerts = new AlertChanges(at);
  const incidents = new IncidentChanges();
  const numbers = new IncidentNumbers(tx, first.organizationId);
  const records = lockedRecords(tx, first, { alerts, incidents, numbers }, locked);
  const replies = await executeTogether(records, commands, at);
  await numbers.write();
  await incidents.write(tx);
  await alerts.write(tx);
  return replies;
}
