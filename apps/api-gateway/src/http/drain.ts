/**
 * How a stopping replica closes its connections without losing a request. Fastify's `close` runs `preClose`, stops
 * listening, and returns when every connection is closed. In `preClose` the replica still serves requests, and each
 * answer closes its connection. Callers and load balancers then connect to another replica.
 */
import type { FastifyInstance } from 'fastify';
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const turnMs = 50;
/** After this time without a request, no connection that is still open has sent a complete request head. */
const idleTurns = 20;

/** `servers` has one server for each address. */
export function drainOnClose(app: FastifyInstance, servers: readonly Server[], settleMs: number): void {
  let stopping = false;
  let inFlight = 0;
  app.addHook('onRequest', (_request, reply, done) => {
    inFlight++;
    reply.raw.once('close', () => inFlight--);
    done();
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (stopping) reply.header('connection', 'close');
    done(null, payload);
  });
  app.addHook('preClose', async () => {
    stopping = true;
    await sleep(settleMs);
    void closeConnections();
  });

  async function closeConnections(): Promise<void> {
    for (let idle = 0; idle < idleTurns; idle = inFlight > 0 ? 0 : idle + 1) {
      await sleep(turnMs, undefined, { ref: false });
      for (const server of servers) server.closeIdleConnections();
    }
    for (const server of servers) server.closeAllConnections();
  }
}
