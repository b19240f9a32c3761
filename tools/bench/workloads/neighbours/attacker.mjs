// A thread in which organization A acts: so its clients do not delay those that measure what B notices.
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import pg from 'pg';
import { call, send } from './requests.mjs';

const { file, baseUrl, ingestPort, adminUrl, organization, tokens } = workerData;
const way = await import(file);
const database = new pg.Pool({ connectionString: adminUrl, max: 1 });
const ours = { baseUrl, query: async (sql, params) => (await database.query(sql, params)).rows };
const a = {
  ours,
  organization,
  tokens,
  call: (method, path, body) => call(baseUrl, organization.key, method, path, body),
  send: (token, body) => send(ingestPort, token, body),
};
let prepared;
let ended = false;
let n = 0;
let clients = [];
let outcomes = {};

async function client(acts = Infinity) {
  for (let i = 0; i < acts && !ended; i++) {
    const outcome = await way.act(a, prepared, n++).catch((error) => error.cause?.code ?? error.message);
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    await sleep(20);
  }
}

const orders = {
  prepare: async () => {
    prepared = await way.prepare(a);
  },
  /** Two acts of each client. */
  tryOut: () => Promise.all(Array.from({ length: way.clients }, () => client(2))),
  begin: async () => {
    outcomes = {};
    clients = Array.from({ length: way.clients }, () => client());
  },
  /** Returns how many acts had which result. */
  end: async () => {
    ended = true;
    await Promise.all(clients);
    return outcomes;
  },
  release: async () => {
    way.release?.(prepared);
    await database.end();
  },
};

parentPort.on('message', (order) => {
  orders[order]().then(
    (result) => parentPort.postMessage({ order, result }),
    (error) => parentPort.postMessage({ order, error: error.message }),
  );
});
