/** The connection to NATS, one for each process. It always reconnects; sending while disconnected fails immediately. */
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { faultOfServer } from './server-needs.js';

export interface NatsOptions {
  url: string;
  user?: string | undefined;
  password?: string | undefined;
  /** Shown in the list of connections of the NATS server. */
  name: string;
  /** Prefix of reply subjects, so that permissions can tell services apart. */
  inboxPrefix?: string | undefined;
  /** Fail instead of waiting for a server that does not respond or refuses the user. */
  once?: boolean | undefined;
  log?: ((level: 'info' | 'warn' | 'error', message: string) => void) | undefined;
}

export async function connectNats(options: NatsOptions): Promise<NatsConnection> {
  const connection = await connect({
    servers: options.url.split(','),
    name: options.name,
    user: options.user,
    pass: options.password,
    inboxPrefix: options.inboxPrefix ?? '_INBOX',
    reconnect: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 100,
    waitOnFirstConnect: !options.once,
    timeout: 2000,
    pingInterval: 3000,
    maxPingOut: 2,
    noAsyncTraces: true,
  } as Parameters<typeof connect>[0]);
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

/** Calls `reconnected` after each reconnection: streams and buckets may have been lost in the meantime. */
export function onReconnect(connection: NatsConnection, reconnected: () => void): void {
  void (async () => {
    for await (const status of connection.status()) if (status.type === 'reconnect') reconnected();
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
