// The installation under a small steady load, and what the faults use: its stores, locks, and connections to NATS.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import * as embedded from '@ams/embedded';
import { connectNats, managerOf } from '@ams/messaging';
import { startLocalServer } from '../lib/local-server.mjs';
import { startInstallation } from '../start/installation.mjs';
import { newOrganization } from '../try-prometheus/organization.mjs';

/** Settings with which a fault needs less data. The limits of the load are not reached. */
const settings = {
  'api-gateway': { BODIES_PER_ADDRESS: '20' },
  'ingest-gateway': { INGEST_BYTES_PER_SECOND: String(128 * 1024), INGEST_STREAM_MAX_BYTES: String(3 * 1024 * 1024) },
  'alert-pipeline': { INGEST_STREAM_MAX_BYTES: String(3 * 1024 * 1024) },
  auth: { API_LIMIT_PER_MINUTE: '100000' },
  notifier: { OUTBOUND_ALLOW: '127.0.0.1' },
};

export async function startWorld(folder, keep, report) {
  const installation = keep(
    await startInstallation(
      {
        state: join(folder, 'state'),
        host: '127.0.0.1',
        port: await embedded.freePort(),
        environment: (name) => settings[name] ?? {},
      },
      report,
    ),
  );
  const { services, adminUrl } = installation;
  const pool = new pg.Pool({ connectionString: adminUrl, max: 2 });
  pool.on('error', () => undefined);
  keep({ stop: () => pool.end() });
  const api = await newOrganization(installation);

  /** A function that sends a body to a new integration. Returns the status. */
  const newSender = async (type = 'generic') => {
    const { ingestUrl } = await api('/integrations', { name: `${type} ${crypto.randomUUID()}`, type });
    const url = `http://127.0.0.1:${services['ingest-gateway'].port}${new URL(ingestUrl).pathname}`;
    return async (body) => {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(10_000),
      });
      await response.arrayBuffer();
      return response.status;
    };
  };

  const broker = (user) => {
    const { NATS_URL: url, NATS_USER, NATS_PASSWORD: password } = installation.broker(user);
    return connectNats({ url, user: NATS_USER, password, name: 'try-rules', inboxPrefix: `_INBOX_${user}` });
  };

  return {
    ...installation,
    api,
    newSender,
    sql: async (text, values) => (await pool.query(text, values)).rows,
    /** Takes locks with a statement, in a transaction that ends with `release`. */
    async lock(statement) {
      const client = new pg.Client({ connectionString: adminUrl });
      client.on('error', () => undefined);
      await client.connect();
      await client.query('BEGIN');
      await client.query(statement);
      return {
        async release() {
          await client.query('ROLLBACK');
          await client.end();
        },
      };
    },
    /** Works with a connection to NATS as this user. */
    async asUser(user, work) {
      const connection = await broker(user);
      try {
        return await work(connection);
      } finally {
        await connection.close();
      }
    },
    async changeStream(connection, name, change) {
      const { streams } = await managerOf(connection);
      const info = await streams.info(name);
      await streams.update(name, { ...info.config, ...change(info) });
    },
  };
}

/** Calls `work` again and again, with a pause, until `stop`. Failures are part of a fault. */
export function repeat(pauseMs, work) {
  const stopped = new AbortController();
  const running = (async () => {
    while (!stopped.signal.aborted) {
      await work(stopped.signal).catch(() => undefined);
      await sleep(pauseMs, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
  })();
  return {
    async stop() {
      stopped.abort();
      await running;
    },
  };
}

export const newAlert = (more = {}) => ({
  title: 'The disk is almost full',
  severity: 'low',
  fingerprint: crypto.randomUUID(),
  ...more,
});

const bigTexts = 7;
/** A request of Alertmanager with about 200 KB of events. */
export const bigRequest = () => ({
  version: '4',
  status: 'firing',
  alerts: Array.from({ length: bigTexts }, (_, n) => ({
    status: 'firing',
    labels: { alertname: `Big ${n}`, severity: 'info' },
    annotations: { summary: 'A long text', description: 'x'.repeat(28 * 1024) },
    startsAt: new Date().toISOString(),
  })),
});

/** Two requests of senders and two reads a second, and a page every five seconds. Nobody waits for an answer. */
export async function startLoad({ newSender, api }) {
  const senders = await Promise.all(Array.from({ length: 4 }, () => newSender()));
  let turn = 0;
  const ignore = () => undefined;
  const timer = setInterval(() => {
    turn++;
    const isPage = turn % 10 === 0;
    const fingerprint = `load ${isPage ? turn : turn % 50}`;
    const send = senders[turn % senders.length];
    void send(newAlert({ fingerprint, severity: isPage ? 'critical' : 'low' })).catch(ignore);
    void api('/alerts?limit=20').catch(ignore);
  }, 500);
  return { stop: async () => clearInterval(timer) };
}

/** A server that answers each request with this status. */
export const startTarget = (status) =>
  startLocalServer((request, response) => {
    request.resume();
    response.writeHead(status).end();
  });
