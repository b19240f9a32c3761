/**
 * A connection that is closed when a statement gets no answer in time. A connection may become half-open: the server no
 * longer answers, and TCP reports it only after a quarter of an hour. `query_timeout` of pg is not enough: it rejects
 * the query, and the pool hands the connection out again. Here the socket is destroyed, so that every statement on it
 * fails, BEGIN and COMMIT too, and the pool drops the connection.
 */
import pg from 'pg';
import type { Socket } from 'node:net';

/** The code is that of a network time-out. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
  readonly code = 'ETIMEDOUT';

  constructor(timeoutMs: number) {
    super(`the database did not answer within ${timeoutMs} ms`);
  }
}

type Callback = (error: unknown, result?: unknown) => void;

/** The `Client` option of a pool. */
export const clientWithDeadline = (timeoutMs: number): typeof pg.Client =>
  class extends pg.Client {
    // Returns what pg returns for these parameters: a promise, or nothing with a callback.
    override query(...parameters: unknown[]): never {
      const { stream } = (this as unknown as { connection: { stream: Socket } }).connection;
      const timer = setTimeout(() => stream.destroy(new NoAnswerError(timeoutMs)), timeoutMs);
      const answered = (): void => clearTimeout(timer);
      const callback = parameters.at(-1);
      if (typeof callback === 'function') {
        const wrapped: Callback = (error, result) => {
          answered();
          (callback as Callback)(error, result);
        };
        return Reflect.apply(super.query, this, [...parameters.slice(0, -1), wrapped]) as never;
      }
      const result = Reflect.apply(super.query, this, parameters) as Promise<unknown>;
      result.then(answered, answered);
      return result as never;
    }
  };
