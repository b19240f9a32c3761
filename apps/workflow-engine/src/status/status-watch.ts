/**
 * Collects every 5 s, by the clock of the database, what the replicas of all services report, and follows since when
 * each part has its state. One replica collects at a time: it locks the row of `workflows.service_status`, and another
 * one collects when that replica dies. When the reports cannot be read, the readings of the row become old.
 */
import { Database, type Tx } from '@ams/database';
import { followStates, judgeParts, readingsOf, type StatesSince } from '@ams/domain';
import { Logger, NatsConnection, readReports } from '@ams/messaging';
import { Rounds } from '@ams/service';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';

const turnMs = 2000;
/** With the pause between two turns it is 5 s. */
const everySeconds = 4;

@Injectable()
export class StatusWatch implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly rounds: Rounds;

  constructor(
    private readonly database: Database,
    private readonly nats: NatsConnection,
    log: Logger,
  ) {
    this.rounds = new Rounds({
      everyMs: turnMs,
      work: async () => {
        await this.database.asService((tx) => this.collect(tx));
        return false;
      },
      onError: (error) => log.warn({ err: error }, 'the status of the service could not be read; trying again'),
    });
  }

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.rounds.stop();
  }

  private async collect(tx: Tx): Promise<void> {
    const [before] = await tx.query<{ readAt: Date | null; states: StatesSince }>(
      `SELECT read_at AS "readAt", states FROM workflows.service_status
       WHERE read_at IS NULL OR read_at <= clock_timestamp() - interval '${everySeconds} s' FOR UPDATE SKIP LOCKED`,
    );
    if (!before) return;
    const [clock] = await tx.query<{ now: Date }>('SELECT clock_timestamp() AS now');
    if (!clock) return;
    // The time before it is read: readings are as old as that, or younger.
    const readings = readingsOf(await readReports(this.nats));
    const readAt = before.readAt?.toISOString() ?? null;
    const states = followStates(before.states, readAt, judgeParts(readings, ['service']), clock.now.toISOString());
    await tx.query('UPDATE workflows.service_status SET read_at = $1, readings = $2, states = $3', [
      clock.now,
      JSON.stringify(readings),
      JSON.stringify(states),
    ]);
  }
}
