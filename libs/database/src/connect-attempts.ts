/**
 * How connections to a server are opened while it does not answer. A server that stands still, or is overloaded, keeps
 * each attempt in its queue. When it works again, it first makes a process for every one of them, also for those that
 * were given up long ago. Attempts that wait behind them time out too, and new ones make the queue longer. So after an
 * attempt without an answer, only one at a time is made, and all who come meanwhile wait for its outcome.
 */
import pg from 'pg';

/** Null: connected. */
type Outcome = Error | null;

export class ConnectAttempts {
  private isSilent = false;
  private current: Promise<Outcome> | null = null;

  /**
   * `open` makes one attempt, which has a time limit; `timeLeft` says which part of its time is left. Any answer to the
   * attempt that was waited for, also a refusal of another user, means that the server works. Without an answer, who has
   * half of the time tries next or waits for the next attempt, and who has less fails with that error.
   */
  async make(open: () => Promise<Outcome>, timeLeft: () => number): Promise<Outcome> {
    while (this.isSilent && this.current) {
      const outcome = await this.current;
      // It has less than its full time, so its failure says nothing about the server.
      if (!isSilence(outcome)) return open();
      if (timeLeft() < 0.5) return outcome;
    }
    const attempt = open().then((outcome) => {
      this.isSilent = isSilence(outcome);
      if (this.current === attempt) this.current = null;
      return outcome;
    });
    this.current = attempt;
    return attempt;
  }
}

/** An error of PostgreSQL is an answer, and so is that nobody listens there. */
const isSilence = (outcome: Outcome): boolean =>
  outcome !== null &&
  !(outcome instanceof pg.DatabaseError) &&
  (outcome as NodeJS.ErrnoException).code !== 'ECONNREFUSED';

const byServer = new Map<string, ConnectAttempts>();

/** Those of this process to a server, over all pools. */
export function connectAttemptsTo(host: string, port: number): ConnectAttempts {
  const server = `${host}:${port}`;
  let attempts = byServer.get(server);
  if (!attempts) byServer.set(server, (attempts = new ConnectAttempts()));
  return attempts;
}
