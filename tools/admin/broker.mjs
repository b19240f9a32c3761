// Streams, buckets, consumers and accounts of NATS.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { json } from './command-line.mjs';

const watchMs = 30_000;

const apply = {
  summary:
    'makes the streams, buckets and consumers of the services in NATS, and changes those that differ; the user is ' +
    'broker-admin',
  options: {
    watch: { summary: 'continue, and make again what NATS has lost' },
    json,
  },
  needsDatabase: false,
  fault: ({ watch, json: asJson }) => (watch && asJson ? '--watch and --json cannot be combined.' : null),
  async run({ broker, print, applyBroker, keepBroker, readSettings, BrokerEnvironment }, { watch }) {
    const settings = readSettings(BrokerEnvironment, process.env);
    const connection = await broker('broker');
    if (!watch) {
      const record = await applyBroker(connection, settings);
      return { record, lines: record.map(lineOf) };
    }
    const applied = (result) => {
      if (result instanceof Error) print(`not applied: ${result.message}`);
      else for (const part of result.filter(({ outcome }) => outcome !== 'same')) print(lineOf(part));
    };
    const keeper = await keepBroker(connection, settings, { everyMs: watchMs, applied });
    print('watching');
    await new Promise((resolve) => {
      process.once('SIGINT', resolve);
      process.once('SIGTERM', resolve);
      const running = setInterval(() => undefined, watchMs);
      connection.closed().then(() => (clearInterval(running), resolve()));
    });
    await keeper.stop();
  },
};

const lineOf = ({ name, outcome }) => `${outcome.padEnd(8)} ${name}`;

const accounts = {
  summary:
    'prints the accounts of the services for the configuration of a NATS server; FILE has the passwords, and missing ' +
    'ones are added to it',
  positionals: ['FILE'],
  needsDatabase: false,
  async run({ natsAccounts, natsUsers, print }, _options, file) {
    const present = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
    const passwords = Object.fromEntries(
      natsUsers.map((name) => [name, present[name] ?? randomBytes(24).toString('base64url')]),
    );
    writeFileSync(file, `${JSON.stringify({ ...present, ...passwords }, null, 2)}\n`, { mode: 0o600 });
    print(
      `accounts ${JSON.stringify(
        natsAccounts((name) => passwords[name]),
        null,
        2,
      )}`,
    );
  },
};

export const commands = { apply, accounts };
