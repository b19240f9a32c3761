/** What has to be done now and then. Every replica does it; that several do is harmless. */
import { Database, deleteExpiredIdempotencyKeys } from '@ams/database';
import { Tokens, type Logger, type Part } from '@ams/service';
import { Inject, Injectable } from '@nestjs/common';

const everyMs = 3_600_000;

@Injectable()
export class Maintenance implements Part {
  private timer: NodeJS.Timeout | null = null;
  private round: Promise<void> | null = null;

  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(Tokens.log) private readonly log: Logger,
  ) {}

  start(): Promise<void> {
    this.timer = setInterval(() => this.begin(), everyMs);
    this.begin();
    return Promise.resolve();
  }

  async drain(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    await this.round;
  }

  private begin(): void {
    this.round ??= this.tidy().finally(() => {
      this.round = null;
    });
  }

  private async tidy(): Promise<void> {
    const tasks: Record<string, () => Promise<unknown>> = {
      'partitions of the audit log': () =>
        this.database.query("SELECT public.ensure_partitions('auth.audit_log', now(), 4)"),
      'old answers': () => this.database.asService((tx) => deleteExpiredIdempotencyKeys(tx, 'auth')),
      'old key creations': () =>
        this.database.query("DELETE FROM auth.api_key_creations WHERE created_at < now() - interval '2 days'"),
    };
    for (const [what, task] of Object.entries(tasks)) {
      await task().catch((error: unknown) =>
        this.log.warn({ err: error, what }, 'maintenance failed; it will be tried again in an hour'),
      );
    }
  }
}
