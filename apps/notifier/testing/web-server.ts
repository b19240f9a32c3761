/** A target of the test: an HTTP or HTTPS server on this machine, and the requests that it received. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';

export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface WebServer {
  port: number;
  received: Received[];
  /** The number of connections so far. */
  connections: number;
  /** Handles a request after it was read completely. */
  answer: (request: IncomingMessage, response: ServerResponse) => void;
  stop(): Promise<void>;
}

/** On every address of this machine, unless `host` names one. */
export async function startWebServer({
  host,
  tls,
}: { host?: string; tls?: { cert: string; key: string } } = {}): Promise<WebServer> {
  const sockets = new Set<Socket>();
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      web.received.push({
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      });
      web.answer(request, response);
    });
  };
  const server = tls ? createSecureServer(tls, listener) : createServer(listener);
  server.on('connection', (socket: Socket) => {
    web.connections++;
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  const web: WebServer = {
    port: 0,
    received: [],
    connections: 0,
    answer: (_request, response) => void response.end('ok'),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  web.port = (server.address() as AddressInfo).port;
  return web;
}
