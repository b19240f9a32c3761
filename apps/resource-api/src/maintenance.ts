/** Housekeeping. Harmless when several replicas do it. */
import { deleteExpiredIdempotencyKeys } from '@ams/database';
import { Tokens, type Logger, type Part } from '@ams/service';
import { Inject, Injectable } from '@nestjs/common';
import { forgetDeletedClients } from './clients.js';
import { DatabasePart } from './database-part.js';
import { Requests } from './requests.js';
import { IntegrationProjection } from './integration-projection.js';

const oftenMs = 10_000;
const seldomMs = 3_600_000;

@Injectable()
export class Maintenance implements Part {
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly running = new Set<Promise<void>>();

  constructor(
    @Inject(Tokens.log) private readonly log: Logger,
    @Inject(DatabasePart) private readonly databasePart: DatabasePart,
    @Inject(IntegrationProjection) private readonly projection: IntegrationProjection,
    @Inject(Requests) private readonly requests: Requests,
  ) {}

  async start(): Promise<void> {
    this.every(oftenMs, () => this.projection.forgetExpiredTokens());
    this.every(seldomMs, async () => {
      await this.databasePart.database.asService((tx) => deleteExpiredIdempotencyKeys(tx, 'resource-api'));
      await this.databasePart.database.asService(forgetDeletedClients);
      await this.requests.forgetOld();
    });
  }

  private every(ms: number, work: () => Promise<unknown>): void {
    const turn = (): void => {
      const run: Promise<void> = work()
        .then(() => undefined)
        .catch((error: unknown) => this.log.warn({ err: error }, 'housekeeping failed; it will be tried again'))
        .finally(() => this.running.delete(run));
      this.running.add(run);
    };
    turn();
    this.timers.push(setInterval(turn, ms));
  }

  async drain(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer);
    await Promise.all(this.running);
  }
}
