/** Housekeeping: partitions of the big tables ahead of time, old idempotent answers. Harmless when several replicas do it. */
import { deleteExpiredIdempotencyKeys } from '@ams/database';
import { Tokens, type Logger, type Part } from '@ams/service';
import { Inject, Injectable } from '@nestjs/common';
import { DatabasePart } from './parts.js';

const everyMs = 6 * 3_600_000;
const monthsAhead = 3;

@Injectable()
export class Maintenance implements Part {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(
    @Inject(Tokens.log) private readonly log: Logger,
    @Inject(DatabasePart) private readonly databasePart: DatabasePart,
  ) {}

  async start(): Promise<void> {
    const turn = (): void => {
      this.running = this.work().catch((error: unknown) =>
        this.log.warn({ err: error }, 'housekeeping failed; it will be tried again'),
      );
    };
    turn();
    this.timer = setInterval(turn, everyMs);
  }

  private async work(): Promise<void> {
    await this.databasePart.database.asService(async (tx) => {
      for (const table of ['alerts.events', 'alerts.timeline', 'alerts.incident_timeline'])
        await tx.query('SELECT public.ensure_partitions($1::regclass, now(), $2)', [table, monthsAhead]);
      await deleteExpiredIdempotencyKeys(tx, 'alert-pipeline');
    });
  }

  async drain(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }
}
