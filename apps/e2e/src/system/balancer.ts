/**
 * A client that acts like a load balancer in front of the replicas. Connections are kept alive. Requests go to replicas
 * that are ready. A replica that accepts no connection is left out, and a connection that was closed while it was idle
 * is opened again. The caller sees every other failure.
 */
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Replica } from './replica.js';

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
  ms: number;
  /** How often the request was sent: once more for each connection that was already closed. */
  sent: number;
}

export interface Balancer {
  send(
    method: string,
    path: string,
    options?: { headers?: Record<string, string>; body?: unknown; timeoutMs?: number },
  ): Promise<Answer>;
  close(): void;
}

interface Failure extends NodeJS.ErrnoException {
  /** The connection was a reused one and was closed before the first byte of the answer. */
  wasIdle?: boolean;
}

/** Requests that the replicas have at the same time. The next ones wait here, and choose a replica when they go out. */
const maxInFlight = 128;

export function balancer(replicas: readonly Replica[]): Balancer {
  const agent = new Agent({ keepAlive: true });
  const waiting: (() => void)[] = [];
  let inFlight = 0;
  const ready = new Map(replicas.map((replica) => [replica, true]));
  let closed = false;
  let turn = 0;
  const look = async (replica: Replica): Promise<void> => {
    while (!closed) {
      ready.set(replica, await replica.isReady());
      await pause(100);
    }
  };
  for (const replica of replicas) void look(replica);

  const choose = (): Replica => {
    const candidates = replicas.filter((replica) => ready.get(replica));
    const list = candidates.length > 0 ? candidates : replicas;
    return list[turn++ % list.length] as Replica;
  };
  const once = (
    replica: Replica,
    method: string,
    path: string,
    headers: Record<string, string>,
    body: string | undefined,
    timeoutMs: number,
    fresh: boolean,
  ): Promise<Omit<Answer, 'sent'>> =>
    new Promise((resolve, reject) => {
      const started = performance.now();
      const request = httpRequest(
        {
          agent: fresh ? new Agent() : agent,
          host: new URL(replica.url).hostname,
          port: replica.port,
          method,
          path,
          headers,
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: Buffer.concat(chunks).toString(),
              ms: performance.now() - started,
            }),
          );
        },
      );
      request.setTimeout(timeoutMs, () => request.destroy(new Error(`no answer within ${timeoutMs} ms`)));
      request.on('error', (error: Failure) => {
        error.wasIdle = request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
        reject(error);
      });
      request.end(body);
    });

  const place = async (): Promise<void> => {
    if (inFlight < maxInFlight) inFlight++;
    else await new Promise<void>((go) => waiting.push(go));
  };
  const leave = (): void => {
    const next = waiting.shift();
    if (next) next();
    else inFlight--;
  };

  return {
    async send(method, path, { headers = {}, body, timeoutMs = 20_000 } = {}) {
      const text = body === undefined ? undefined : JSON.stringify(body);
      const all = {
        ...(text === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }),
        ...headers,
      };
      let fresh = false;
      let sent = 0;
      for (let tries = 0; ; tries++) {
        await place();
        const replica = choose();
        try {
          sent++;
          return { ...(await once(replica, method, path, all, text, timeoutMs, fresh)), sent };
        } catch (error) {
          const { syscall, wasIdle } = error as Failure;
          // Refused, or reset before it was accepted: a socket that listens no more resets what waits there.
          if (syscall === 'connect') {
            ready.set(replica, false);
            sent--;
          } else if (!wasIdle) throw error;
          if (tries >= 2 * replicas.length) throw error;
          fresh = wasIdle === true;
        } finally {
          leave();
        }
      }
    },
    close() {
      closed = true;
      agent.destroy();
    },
  };
}
