/**
 * A TCP proxy between a service and a server, for tests of the network: it delays bytes, makes connections half-open,
 * or closes them.
 */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface TcpProxy {
  readonly port: number;
  /** The URL of the server, by way of the proxy. */
  through(url: string): string;
  /**
   * From now on all bytes of the present connections are dropped in both directions, and the connections stay open
   * (half-open connections). New connections work. With `at`, a connection becomes silent when a packet to the server
   * contains this text, and only one does.
   */
  silence(at?: string): void;
  /** Until it is called with null, each connection becomes silent when a packet to the server contains this text. */
  silenceEach(at: string | null): void;
  /** New connections are silent, too, until it is called with false. */
  silenceNew(silent: boolean): void;
  /** How many connections were silenced. */
  readonly silenced: number;
  /** On each present connection, what the server answers waits until a packet to the server contains this text. */
  holdAnswersUntil(text: string): void;
  /** Delays the bytes of all connections. */
  delay(ms: number): void;
  /** Closes all connections. New connections work. */
  cut(): void;
  /** New connections go to this server. */
  redirect(target: string): void;
  stop(): Promise<void>;
}

interface Link {
  client: Socket;
  server: Socket;
  silent: boolean;
  heldUntil: string | null;
  held: Buffer[];
}

/** `target`: the URL of the server. `host`: the address on which the proxy listens. */
export async function startTcpProxy(target: string, host = '127.0.0.1'): Promise<TcpProxy> {
  let { hostname, port } = new URL(target);
  const links = new Set<Link>();
  /** Connections to the server, also of silent connections that the client has closed. */
  const servers = new Set<Socket>();
  let silentAt: string | undefined;
  let eachSilentAt: string | null = null;
  let newAreSilent = false;
  let delayMs = 0;
  let silenced = 0;

  const silenceOne = (link: Link): void => {
    if (!link.silent) silenced++;
    link.silent = true;
  };
  const pass = (link: Link, to: Socket, data: Buffer): void => {
    if (link.silent) return;
    if (delayMs === 0) to.write(data);
    else setTimeout(() => void (!link.silent && !to.destroyed && to.write(data)), delayMs);
  };

  const listener = createServer((client) => {
    const link: Link = { client, server: connect(Number(port), hostname), silent: false, heldUntil: null, held: [] };
    links.add(link);
    servers.add(link.server);
    link.server.on('close', () => servers.delete(link.server));
    if (newAreSilent) silenceOne(link);
    client.on('data', (data) => {
      if (silentAt !== undefined && data.includes(silentAt)) {
        silentAt = undefined;
        silenceOne(link);
      } else if (eachSilentAt !== null && data.includes(eachSilentAt)) silenceOne(link);
      pass(link, link.server, data);
      if (link.heldUntil === null || !data.includes(link.heldUntil)) return;
      link.heldUntil = null;
      for (const answer of link.held.splice(0)) pass(link, client, answer);
    });
    link.server.on('data', (data) => {
      if (link.heldUntil === null) pass(link, client, data);
      else link.held.push(data);
    });
    for (const [one, other] of [
      [client, link.server],
      [link.server, client],
    ] as const)
      one
        .on('error', () => undefined)
        .on('close', () => {
          if (one === client) links.delete(link);
          // The server does not learn that the client has closed a silent connection.
          if (!link.silent) other.destroy();
        });
  });
  listener.listen(0, host);
  await once(listener, 'listening');
  const ownPort = String((listener.address() as AddressInfo).port);
  const destroyAll = (): void => {
    for (const { client } of links) client.destroy();
    for (const server of servers) server.destroy();
  };

  return {
    port: Number(ownPort),
    through(url) {
      const own = new URL(url);
      own.hostname = host;
      own.port = ownPort;
      return own.href;
    },
    silence(at) {
      silentAt = at;
      if (at === undefined) for (const link of links) silenceOne(link);
    },
    silenceEach(at) {
      eachSilentAt = at;
    },
    silenceNew(silent) {
      newAreSilent = silent;
    },
    get silenced() {
      return silenced;
    },
    holdAnswersUntil(text) {
      for (const link of links) link.heldUntil = text;
    },
    delay(ms) {
      delayMs = ms;
    },
    cut: destroyAll,
    redirect(other) {
      ({ hostname, port } = new URL(other));
    },
    async stop() {
      destroyAll();
      listener.close();
      await once(listener, 'close');
    },
  };
}
