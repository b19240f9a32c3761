/** Housekeeping: partitions ahead of time; old answers, runs and what was sent go. Harmless when several replicas do it. */
import { deleteExpiredIdempotencyKeys, type Database } from '@ams/database';
import { Tokens, type Logger, type Part } from '@ams/service';
import { Inject, Injectable } from '@nestjs/common';
import { DatabasePart } from './parts.js';
import type { WorkflowEngineSettings } from './settings.js';

const everyMs = 3_600_000;
const monthsAhead = 3;
/** Rows of one transaction: nobody waits long for what it holds. */
const portion = 5000;

@Injectable()
export class Maintenance implements Part {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(
    @Inject(Tokens.settings) private readonly settings: WorkflowEngineSettings,
    @Inject(Tokens.log) private readonly log: Logger,
    @Inject(DatabasePart) private readonly databasePart: DatabasePart,
  ) {}

  async start(): Promise<void> {
    const turn = (): void => {
      this.running = this.running
        .then(() => this.work())
        .catch((error: unknown) => this.log.warn({ err: error }, 'housekeeping failed; it will be tried again'));
    };
    turn();
    this.timer = setInterval(turn, everyMs);
  }

  private async work(): Promise<void> {
    const { database } = this.databasePart;
    await database.asService(async (tx) => {
      for (const table of ['workflows.considered', 'workflows.notifications'])
        await tx.query('SELECT public.ensure_partitions($1::regclass, now(), $2)', [table, monthsAhead]);
      await deleteExpiredIdempotencyKeys(tx, 'workflow-engine');
    });
    for (const statement of forgetting) await this.inPortions(database, statement);
    // Jobs in whose place others came while they failed.
    await database.query(
      'DELETE FROM workflow_jobs._private_jobs WHERE attempts >= max_attempts AND locked_at IS NULL',
    );
  }

  private async inPortions(database: Database, statement: string): Promise<void> {
    while (!this.stopped && (await database.query(statement, [this.settings.runDays])).length === portion);
  }

  async drain(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    await this.running;
  }
}

/** Runs that wait stay, however old; the ids of the others tell the time that they are of. */
const forgetting = [
  `DELETE FROM workflows.runs WHERE id IN (SELECT id FROM workflows.runs WHERE finished_at < now() - make_interval(days => $1) LIMIT ${portion}) RETURNING 1`,
  `DELETE FROM workflows.notifications WHERE id IN (SELECT id FROM workflows.notifications WHERE id < public.uuid_at(now() - make_interval(days => $1)) AND status <> 'queued' LIMIT ${portion}) RETURNING 1`,
  `DELETE FROM workflows.considered WHERE event_id IN (SELECT event_id FROM workflows.considered WHERE event_id < public.uuid_at(now() - make_interval(days => $1)) LIMIT ${portion}) RETURNING 1`,
];
