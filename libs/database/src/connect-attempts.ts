/**
 * How connections to a server are opened while it does not answer. A server that stands still, or is overloaded, keeps
 * each attempt in its queue. When it works again, it first makes a process for every one of them, also for those that
 * were given up long ago. Attempts that wait behind them time out too, and new ones make the queue longer. So after an
 * attempt without an answer, only one at a time is made. While there is still no answer, all who come meanwhile fail
 * with it.
 */
import pg from 'pg';

/** Null: connected. */
type Outcome = Error | null;

export class ConnectAttempts {
  private isSilent = false;
  private current: Promise<Outcome> | null = null;

  /**
   * `open` makes one attempt, which has a time limit. It is not called when the attempt that was waited for got no
   * answer: then the outcome is that error. Any answer, also a refusal of another user, means that the server works.
   * An attempt after such a wait has less time, so its failure says nothing.
   */
  async make(open: () => Promise<Outcome>): Promise<Outcome> {
    const other = this.isSilent ? this.current : null;
    if (other) {
      const outcome = await other;
      return isSilence(outcome) ? outcome : open();
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
