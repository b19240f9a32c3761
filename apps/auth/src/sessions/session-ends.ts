/**
 * The end of sessions takes effect at once, as the revocation of a key does (`revocation.ts`): after the commit admission
 * refuses them, every gateway is notified, and this waits for the transactions that began with them.
 */
import { sessionsEndedRequest, type SessionsEndedNotice } from '@ams/contracts';
import { Database } from '@ams/database';
import { Logger, RpcClient } from '@ams/messaging';
import { Housekeeping } from '@ams/persistence';
import { Injectable } from '@nestjs/common';

/** Settles when the gateways have confirmed, with their number. Throws when NATS is disconnected or none listens. */
export async function notifyOfEnds(rpc: RpcClient, notice: SessionsEndedNotice): Promise<number> {
  return (await rpc.requestAll(sessionsEndedRequest, notice, { stallMs: 50, maxWaitMs: 300 })).length;
}

/** Settles when every transaction that began with one of the sessions has ended: each holds the row of its session. */
export async function waitForTransactionsOfSessions(database: Database, sessionIds: string[]): Promise<void> {
  const lock = 'SELECT FROM auth.sessions WHERE id = ANY ($1) ORDER BY id FOR UPDATE';
  await database.asService((tx) => tx.query(lock, [sessionIds]));
}

/** What became of sessions that an operator has ended. */
export interface EndedSessions {
  sessions: number;
  /** How many gateways confirmed; 0 when NATS was disconnected, and when there were no sessions. */
  gatewaysTold: number;
  /** Whether all transactions of the sessions have ended. If not, a write of theirs may still be committed. */
  ended: boolean;
}

/** For the admin command, after the commit. `rpc`: `null` without NATS. */
export async function afterEndsByOperator(
  database: Database,
  rpc: RpcClient | null,
  sessionIds: string[],
): Promise<EndedSessions> {
  if (sessionIds.length === 0) return { sessions: 0, gatewaysTold: 0, ended: true };
  const [gatewaysTold, ended] = await Promise.all([
    rpc === null ? 0 : notifyOfEnds(rpc, { sessionIds, sparedRequestId: null }).catch(() => 0),
    waitForTransactionsOfSessions(database, sessionIds).then(
      () => true,
      () => false,
    ),
  ]);
  return { sessions: sessionIds.length, gatewaysTold, ended };
}

@Injectable()
export class SessionEnds {
  constructor(
    private readonly database: Database,
    private readonly rpc: RpcClient,
    private readonly log: Logger,
    housekeeping: Housekeeping,
  ) {
    housekeeping.add({
      name: 'sessions that have ended',
      everyMs: 3_600_000,
      run: async () => {
        await database.query(
          "DELETE FROM auth.sessions WHERE expires_at < now() - interval '1 day' OR ended_at < now() - interval '1 day'",
        );
        await database.query("DELETE FROM auth.member_windows WHERE started_at < now() - interval '2 days'");
      },
    });
  }

  /** Call it after the commit. `sparedRequestId`: the request that ended its own session. */
  async afterwards(sessionIds: string[], sparedRequestId: string | null = null): Promise<void> {
    if (sessionIds.length === 0) return;
    await Promise.all([
      this.notify({ sessionIds, sparedRequestId }),
      waitForTransactionsOfSessions(this.database, sessionIds),
    ]);
  }

  /** The sessions have ended even if no gateway answers: admission refuses them. */
  private async notify(notice: SessionsEndedNotice): Promise<void> {
    try {
      this.log.debug({ gateways: await notifyOfEnds(this.rpc, notice) }, 'gateways confirmed the end of sessions');
    } catch (error) {
      this.log.warn({ err: error }, 'no gateway could be notified of the end of sessions');
    }
  }
}
