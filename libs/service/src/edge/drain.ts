/**
 * How a stopping replica closes its connections without losing a request. From the signal on it still serves requests,
 * and each answer closes its connection. Callers and load balancers then connect to another replica. Fastify's `close`
 * runs `preClose`, stops listening, and returns when every connection is closed.
 *
 * A server that stops listening resets the connections that it has not accepted yet. So it listens until none arrives
 * any more: a load balancer may notice late. A caller that never stops cannot hold it for longer than `moreTurns`.
 */
import type { FastifyInstance } from 'fastify';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Readiness } from '../health/readiness.js';
import type { Connections } from './connections.js';
import { lingerMs } from './linger.js';

const turnMs = 50;
/** How much longer than `settleMs` a replica may listen because connections arrive. */
const moreTurns = 100;
/**
 * After 2.5 s without a request, no connection that is still open has sent a complete request head. Proxies also open
 * connections that they use later: this is longer than `docker/Caddyfile` keeps one without a request (2 s).
 */
const idleTurns = 50;

/**
 * `servers` has one server for each address. `settleMs`: the replica stops listening when no connection has arrived for
 * this time after `close`.
 */
export function drainOnClose(
  app: FastifyInstance,
  servers: readonly Server[],
  { readiness, connections, settleMs }: { readiness: Readiness; connections: Connections; settleMs: number },
): void {
  let inFlight = 0;
  let arrived = 0;
  const onRequest = (_request: IncomingMessage, response: ServerResponse): void => {
    inFlight++;
    response.once('close', () => inFlight--);
    if (readiness.isStopping) response.shouldKeepAlive = false;
  };
  app.addHook('onListen', (done) => {
    for (const server of servers) {
      server.prependListener('request', onRequest);
      server.on('connection', () => arrived++);
    }
    done();
  });
  app.addHook('preClose', async () => {
    await untilNoneArrives();
    connections.stop(lingerMs);
    void closeConnections();
  });

  /** Counts turns of the event loop: time in which this process could not accept a connection proves nothing. */
  async function untilNoneArrives(): Promise<void> {
    const quietTurns = Math.ceil(settleMs / turnMs);
    for (let quiet = 0, turn = 0; quiet < quietTurns && turn < quietTurns + moreTurns; turn++) {
      const before = arrived;
      await sleep(turnMs);
      quiet = arrived === before ? quiet + 1 : 0;
    }
  }

  async function closeConnections(): Promise<void> {
    for (let idle = 0; idle < idleTurns; idle = inFlight > 0 ? 0 : idle + 1) {
      await sleep(turnMs, undefined, { ref: false });
      for (const server of servers) server.closeIdleConnections();
    }
    for (const server of servers) server.closeAllConnections();
  }
}
