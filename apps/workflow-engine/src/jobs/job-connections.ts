/**
 * The database connections of one runner. A runner whose database fails may never release them, so each runner has its
 * own, and they are closed with it.
 */
import { clientWithDeadline, postgresTls, streamOf } from '@ams/database';
import { databaseTls, type Logger } from '@ams/service';
import pg from 'pg';
import type { Socket } from 'node:net';
import type { WorkflowEngineSettings } from '../settings.js';

const keepAliveAfterMs = 5000;

export interface JobConnections {
  pool: pg.Pool;
  /** Closes them at once, also those in use. */
  close(): void;
}

export function openJobConnections(settings: WorkflowEngineSettings, log: Logger): JobConnections {
  const { databaseUrl, databaseTimeoutMs } = settings;
  const sockets = new Set<Socket>();
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    ...postgresTls(databaseUrl, databaseTls(settings)),
    max: 6,
    application_name: 'workflow-engine jobs',
    connectionTimeoutMillis: 3000,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveAfterMs,
    Client: clientWithDeadline(databaseTimeoutMs),
  });
  releaseOnce(pool);
  const isLost = (error: Error): void => {
    if (!pool.ending) log.warn({ err: error }, 'a database connection of the jobs was lost');
  };
  pool.on('error', isLost).on('connect', (client) => {
    client.on('error', isLost);
    const stream = streamOf(client);
    sockets.add(stream);
    stream.on('close', () => sockets.delete(stream));
  });
  return {
    pool,
    close() {
      if (pool.ending) return;
      pool.end().catch(() => undefined);
      for (const socket of sockets) socket.destroy();
    },
  };
}

type Release = (error?: Error | boolean) => void;
type Connected<Releasing> = (error: Error | undefined, client: pg.PoolClient | undefined, release: Releasing) => void;

/**
 * When the database fails while a runner stops, graphile-worker releases the connection on which it listens twice. The
 * second time throws where nobody handles it, which would end the process. It also releases a connection that it did not
 * get.
 */
function releaseOnce(pool: pg.Pool): void {
  const connect = pool.connect.bind(pool) as (
    // Without one when no connection became free in time.
    connected?: Connected<Release | undefined>,
  ) => Promise<pg.PoolClient>;
  pool.connect = ((connected?: Connected<Release>) =>
    connected
      ? connect((error, client, release) => {
          let isReleased = false;
          connected(error, client, (why) => {
            if (!isReleased) release?.(why);
            isReleased = true;
          });
        })
      : connect()) as pg.Pool['connect'];
}
