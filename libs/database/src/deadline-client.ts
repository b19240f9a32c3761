/**
 * A connection that is closed when a statement gets no answer in time. A connection may become half-open: the server no
 * longer answers, and TCP reports it only after a quarter of an hour. `query_timeout` of pg is not enough: it rejects
 * the query, and the pool hands the connection out again. Here the socket is destroyed, so that every statement on it
 * fails, BEGIN and COMMIT too, and the pool drops the connection.
 */
import pg from 'pg';
import type { Socket } from 'node:net';
import { connectAttemptsTo } from './connect-attempts.js';

/** The code is that of a network time-out. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
  readonly code = 'ETIMEDOUT';

  constructor(timeoutMs: number) {
    super(`the database did not answer within ${timeoutMs} ms`);
  }
}

type Callback = (error: unknown, result?: unknown) => void;

/** The socket of a connection. With TLS, another one after the handshake. */
export const streamOf = (client: pg.Client): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;

/** What is written in this turn of the event loop is sent at its end, in one system call. */
function sendAtEndOfTurn(stream: Socket): void {
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** The `Client` option of a pool, which must have a time limit for connecting. */
export const clientWithDeadline = (timeoutMs: number): typeof pg.Client =>
  class extends pg.Client {
    private readonly connectTimeoutMs: number;

    constructor(config?: string | pg.ClientConfig) {
      super(config);
      const given = typeof config === 'object' ? config.connectionTimeoutMillis : undefined;
      this.connectTimeoutMs = given || Infinity;
    }

    override connect(): Promise<pg.Client>;
    override connect(connected: ((error: Error) => void) | ((error: null, client: pg.Client) => void)): void;
    override connect(connected?: (...outcome: never[]) => void): Promise<pg.Client> | void {
      if (!connected)
        return new Promise((resolve, reject) =>
          this.connect((error: Error | null) => (error ? reject(error) : resolve(this))),
        );
      const stream = streamOf(this);
      const began = performance.now();
      const timeLeft = (): number => 1 - (performance.now() - began) / this.connectTimeoutMs;
      let isOver = false;
      const finish = (error: Error | null): void => {
        if (isOver) return;
        isOver = true;
        (connected as (error: Error | null, client: pg.Client) => void)(error, this);
      };
      // The pool closes the connection when its time is over, also before it was opened.
      const givenUp = (): void => finish(new Error('no connection was opened in time'));
      stream.once('close', givenUp);
      const open = (): Promise<Error | null> => {
        stream.off('close', givenUp);
        if (isOver) return Promise.resolve(null); // the attempt that it waited for has succeeded
        return new Promise<Error | null>((resolve) =>
          super.connect((error: Error | null) => {
            finish(error ?? null); // at once: errors that follow need the listeners of the pool
            resolve(error ?? null);
          }),
        ).catch((error: unknown) => {
          // pg has thrown it, for a port that cannot be one. It does not listen to the stream yet, and ends it with an
          // error when the time for connecting is over.
          stream.destroy();
          return error as Error;
        });
      };
      void connectAttemptsTo(this.host, this.port).make(open, timeLeft).then(finish);
    }

    // Returns what pg returns for these parameters: a promise, or nothing with a callback.
    override query(...parameters: unknown[]): never {
      const stream = streamOf(this);
      sendAtEndOfTurn(stream);
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
