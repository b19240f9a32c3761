/** The connection to NATS, one for each process. It always reconnects; sending while disconnected fails immediately. */
import type { TlsFiles } from '@ams/contracts';
import { connect, errors, type NatsConnection } from '@nats-io/transport-node';
import { setTimeout as pause } from 'node:timers/promises';
import { faultOfServer } from './server-needs.js';
import { natsTlsOptions, TlsError, tlsFaultOf } from './tls.js';

export interface NatsOptions {
  url: string;
  user?: string | undefined;
  password?: string | undefined;
  /** Shown in the list of connections of the NATS server. */
  name: string;
  tls?: TlsFiles | undefined;
  /** Prefix of reply subjects, so that permissions can tell services apart. */
  inboxPrefix?: string | undefined;
  /** Fail instead of waiting for a server that does not respond or refuses the user. */
  once?: boolean | undefined;
  log?: ((level: 'info' | 'warn' | 'error', message: string) => void) | undefined;
}

const retryMs = 250;

/**
 * Waits for the server, unless `once`. Throws a TlsError when no TLS connection can be made with these settings, and the
 * error of NATS when it refuses the user twice.
 */
export async function connectNats(options: NatsOptions): Promise<NatsConnection> {
  const connection = await firstConnection(options);
  void (async () => {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') options.log?.('warn', 'NATS disconnected');
      else if (status.type === 'reconnect') {
        options.log?.('info', 'NATS reconnected');
        const fault = faultOfServer(connection);
        if (fault) options.log?.('error', fault);
      } else if (status.type === 'error') options.log?.('warn', `NATS error: ${String(status.error)}`);
    }
  })();
  return connection;
}

async function firstConnection(options: NatsOptions): Promise<NatsConnection> {
  const servers = options.url.split(',');
  const given = {
    servers,
    name: options.name,
    user: options.user,
    pass: options.password,
    tls: natsTlsOptions(servers, options.tls),
    inboxPrefix: options.inboxPrefix ?? '_INBOX',
    reconnect: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: retryMs,
    reconnectJitter: 100,
    timeout: 2000,
    pingInterval: 3000,
    maxPingOut: 2,
    noAsyncTraces: true,
  } as Parameters<typeof connect>[0];
  await firstAnswer(given, options.once);
  return connect({ ...given, waitOnFirstConnect: !options.once });
}

/**
 * Waits until a server accepts a connection. The connection of a service cannot show why it is refused: in TLS 1.3 the
 * server says so after the handshake, and a client that reconnects does not get this error. And a client that does not
 * wait forgets the servers that do not respond.
 */
async function firstAnswer(given: Parameters<typeof connect>[0], once = false): Promise<void> {
  for (let refusals = 0; ;) {
    try {
      const connection = await connect({ ...given, reconnect: false });
      return await connection.close();
    } catch (error) {
      const fault = tlsFaultOf(error);
      if (fault !== null) throw new TlsError('NATS', 'NATS', fault, error);
      refusals = error instanceof errors.AuthorizationError ? refusals + 1 : 0;
      if (once || refusals === 2) throw error;
      await pause(retryMs);
    }
  }
}

/** Calls `reconnected` after each reconnection: streams and buckets may have been lost in the meantime. */
export function onReconnect(connection: NatsConnection, reconnected: () => void): void {
  onConnectionChange(connection, (isConnected) => isConnected && reconnected());
}

/** Calls `changed` after each loss of the connection, and after each reconnection. */
export function onConnectionChange(connection: NatsConnection, changed: (isConnected: boolean) => void): void {
  void (async () => {
    for await (const { type } of connection.status())
      if (type === 'disconnect' || type === 'reconnect') changed(type === 'reconnect');
  })();
}

/** Whether NATS answers a ping within the time. */
export async function isNatsConnected(connection: NatsConnection, timeoutMs = 1000): Promise<boolean> {
  if (connection.isClosed()) return false;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), timeoutMs);
  });
  try {
    return await Promise.race([connection.rtt().then(() => true), late]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
