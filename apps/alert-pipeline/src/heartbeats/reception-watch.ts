/**
 * Stores the reception: the time since when pings could arrive without an interruption. Every few seconds it asks all
 * ingest gateways how long each has received. If one of them has received since the last answer or longer, there was no
 * interruption, even if this service or the database was down meanwhile. Otherwise the reception begins again. The
 * times are by the clock of the database; the gateways reply only with durations.
 *
 * Every replica asks, because the row is the same whichever replica writes it.
 */
import { receivingRequest } from '@ams/contracts';
import { Database } from '@ams/database';
import { Logger, RpcClient } from '@ams/messaging';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { PipelineSettings } from '../settings.js';

const stallMs = 300;
const maxWaitMs = 1_000;

@Injectable()
export class ReceptionWatch implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private asking: Promise<void> | null = null;

  constructor(
    private readonly settings: PipelineSettings,
    private readonly database: Database,
    private readonly rpc: RpcClient,
    private readonly log: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.asking ??= this.ask()
        .catch((error: unknown) =>
          this.log.debug({ err: error }, 'the reception of the gateways is unknown; no heartbeat expires'),
        )
        .finally(() => {
          this.asking = null;
        });
    }, this.settings.heartbeatCheckSeconds * 1000);
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.asking;
  }

  private async ask(): Promise<void> {
    const [row] = await this.database.query<{ asked: string }>('SELECT clock_timestamp()::text AS asked');
    const started = performance.now();
    const replies = await this.rpc.requestAll(receivingRequest, {}, { stallMs, maxWaitMs });
    // `receivingMs` counts back from the reply, which was sent after `asked`. So the waiting time is subtracted.
    const waitedMs = performance.now() - started;
    const receivedMs = Math.max(0, ...replies.map(({ receivingMs }) => receivingMs)) - waitedMs;
    if (receivedMs <= 0) return;
    await this.database.query(
      `INSERT INTO alerts.reception AS r (receiving_since, seen_at)
       VALUES ($1::timestamptz - make_interval(secs => $2), $1::timestamptz)
       ON CONFLICT (one) DO UPDATE SET seen_at = excluded.seen_at,
         receiving_since = CASE WHEN excluded.receiving_since <= r.seen_at
           THEN r.receiving_since ELSE excluded.receiving_since END
       WHERE excluded.seen_at > r.seen_at`,
      [row?.asked, receivedMs / 1000],
    );
  }
}
