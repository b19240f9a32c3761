/**
 * Limits the connections of an HTTP server, so that callers who send slowly, or nothing, do not keep others out.
 *
 * A connection waits while a complete request of it is not in work: it has sent nothing yet, a part of a request, or it
 * is idle after an answer. Waiting costs a caller nothing, so the number is limited: of all connections, and of those
 * that wait for each address. One more closes the one that has waited longest, of the same address or of all. An honest
 * request arrives in a moment, so it is hardly ever the one that has waited longest. A connection is only refused when
 * requests of all others are in work.
 *
 * An unfinished request is answered as after its time limit, by the server's listener for `clientError`. At the limit
 * of all connections, those that linger after their answer (`linger`) end first, without another answer.
 */
import { networkOf } from '@ams/domain';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface ConnectionLimits {
  /** Of all connections. */
  total: number;
  /** Of the connections of an address that wait. Null when all callers have the address of a proxy. */
  waitingPerAddress: number | null;
}

interface Network {
  readonly name: string;
  connections: number;
  /** In the order in which they began to wait. */
  readonly waiting: Set<Socket>;
}

interface Connection {
  readonly network: Network;
  /** Complete requests that are not answered. */
  inWork: number;
  /** The request whose body has not been read to its end. */
  unread: IncomingMessage | null;
  /** Whether it has sent no part of a request since the last answer. */
  idle: boolean;
}

const watched = new WeakMap<Socket, Connections>();

/** Undefined for a connection of a server that has no limits. */
export const connectionsOf = (socket: Socket): Connections | undefined => watched.get(socket);

/** From this part of the total on they are many. */
const partOfMany = 0.25;

export class Connections {
  private readonly all = new Map<Socket, Connection>();
  /** In the order in which they began to wait. */
  private readonly waiting = new Set<Socket>();
  private readonly networks = new Map<string, Network>();
  /** How each connection ends that lingers after its answer. */
  private readonly lingering = new Map<Socket, () => void>();
  private stopping = false;

  constructor(
    private readonly limits: ConnectionLimits,
    private readonly closed: (reason: 'total' | 'address') => void = () => undefined,
  ) {}

  get size(): number {
    return this.all.size;
  }

  /** Whether somebody holds many of them. */
  get areMany(): boolean {
    return this.all.size > partOfMany * this.limits.total;
  }

  get isStopping(): boolean {
    return this.stopping;
  }

  /** The connection stays after its answer. `end` is called to end it early. */
  lingers(socket: Socket, end: () => void): void {
    this.lingering.set(socket, end);
  }

  lingersNoMore(socket: Socket): void {
    this.lingering.delete(socket);
  }

  isLingering(socket: Socket): boolean {
    return this.lingering.has(socket);
  }

  /** Ends a connection that lingers. False when it does not. */
  endLingering(socket: Socket): boolean {
    const end = this.lingering.get(socket);
    end?.();
    return end !== undefined;
  }

  /** The replica stops: what lingers after this time ends. Until then a caller that still sends can read its answer. */
  stop(afterMs: number): void {
    this.stopping = true;
    setTimeout(() => {
      for (const end of [...this.lingering.values()]) end();
    }, afterMs);
  }

  watch(server: Server): void {
    server.on('connection', (socket: Socket) => this.enter(server, socket));
    server.on('request', (request: IncomingMessage, response: ServerResponse) => this.begin(request, response));
  }

  private enter(server: Server, socket: Socket): void {
    const { total, waitingPerAddress } = this.limits;
    const first = this.lingering.size > 0 ? this.lingering : this.waiting;
    if (this.all.size >= total && !this.closeOldest(server, first.keys(), 'total')) {
      this.closed('total');
      socket.destroy();
      return;
    }
    const name = networkOf(socket.remoteAddress ?? null);
    const network = this.networks.get(name) ?? { name, connections: 0, waiting: new Set() };
    this.networks.set(name, network);
    network.connections++;
    if (waitingPerAddress !== null && network.waiting.size >= waitingPerAddress)
      this.closeOldest(server, network.waiting.keys(), 'address');
    this.all.set(socket, { network, inWork: 0, unread: null, idle: false });
    this.wait(socket, network);
    watched.set(socket, this);
    socket.once('close', () => this.leave(socket));
  }

  private leave(socket: Socket): void {
    const network = this.all.get(socket)?.network;
    if (network === undefined) return;
    this.stopWaiting(socket, network);
    this.all.delete(socket);
    if (--network.connections === 0) this.networks.delete(network.name);
  }

  private begin(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const connection = this.all.get(socket);
    if (connection === undefined) return;
    const { network } = connection;
    connection.idle = false;
    let counted = false;
    const work = (): void => {
      counted = true;
      connection.inWork++;
      connection.unread = null;
      this.stopWaiting(socket, network);
    };
    if (hasBody(request)) {
      this.wait(socket, network);
      connection.unread = request;
      request.once('end', work);
    } else work();
    response.once('close', () => {
      if (counted) connection.inWork--;
      counted = true;
      if (connection.inWork > 0 || !this.all.has(socket)) return;
      connection.idle = true;
      connection.unread = null;
      this.wait(socket, network);
    });
  }

  /** It is the newest one that waits. */
  private wait(socket: Socket, network: Network): void {
    this.stopWaiting(socket, network);
    this.waiting.add(socket);
    network.waiting.add(socket);
  }

  private stopWaiting(socket: Socket, network: Network): void {
    this.waiting.delete(socket);
    network.waiting.delete(socket);
  }

  /** A body that has arrived, and is not read yet because its sender is still counted, is not slow. */
  private oldestOf(waiting: Iterable<Socket>): Socket | undefined {
    for (const socket of waiting) if (this.all.get(socket)?.unread?.complete !== true) return socket;
    return undefined;
  }

  /** False when none of them waits. */
  private closeOldest(server: Server, waiting: Iterable<Socket>, reason: 'total' | 'address'): boolean {
    const oldest = this.oldestOf(waiting);
    if (oldest === undefined) return false;
    const idle = this.all.get(oldest)?.idle ?? true;
    this.leave(oldest);
    this.closed(reason);
    if (this.endLingering(oldest)) return true;
    if (idle) oldest.destroy();
    else server.emit('clientError', requestTimeout(), oldest);
    return true;
  }
}

const requestTimeout = (): Error =>
  Object.assign(new Error('the request did not arrive in time'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
