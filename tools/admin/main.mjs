// Finds the command, parses its arguments, connects, and prints its result.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { helpOf, overviewOf, read, InvalidArguments } from './command-line.mjs';
import * as audit from './audit.mjs';
import * as broker from './broker.mjs';
import * as calls from './calls.mjs';
import * as database from './database.mjs';
import * as keys from './keys.mjs';
import * as members from './members.mjs';
import * as organizations from './organizations.mjs';
import * as outbox from './outbox.mjs';
import * as recipients from './recipients.mjs';
import { printedJson, visible } from './printing.mjs';
import { commands as sealing } from './sealed-secrets.mjs';
import { commands as secretFiles } from './secrets.mjs';
import * as setAside from './set-aside.mjs';

const secrets = { commands: { ...secretFiles, ...sealing } };
const nouns = {
  organizations,
  members,
  recipients,
  keys,
  'set-aside': setAside,
  outbox,
  broker,
  database,
  secrets,
  audit,
  calls,
};

const overview = `npm run admin -- NOUN VERB …

${Object.entries(nouns)
  .map(([noun, { commands }]) => overviewOf(noun, commands))
  .join('\n')}

Help for a command: npm run admin -- NOUN VERB --help. In scripts, use \`node tools/admin.mjs\`, because npm
prints lines of its own.

The running embedded installation is found in .local. For another installation, set DATABASE_URL (the owner of the
tables), NATS_URL, NATS_USER and NATS_PASSWORD, or files with them: DATABASE_URL_FILE, NATS_PASSWORD_FILE. The user is
"admin", or "broker-admin" for "broker apply". Settings of TLS have the names that services use: NATS_TLS_CA_FILE,
DATABASE_TLS_CA_FILE and so on.`;

const connectTimeoutMs = 5000;
/** A busy server may take long for a connection, and an operator has time. */
const databaseTimeoutMs = 15_000;

/** The exit code: 0 success, 1 failure, 2 invalid arguments. `prepare` runs before a command, not before help. */
export async function main(args, prepare = async () => undefined) {
  const wantsHelp = args[0] === 'help' || args.includes('--help');
  const [noun, verb, ...rest] = wantsHelp
    ? args.filter((word, i) => word !== '--help' && !(i === 0 && word === 'help'))
    : args;
  const { command, help, unknown } = find(noun, verb);
  if (unknown) return refuse(unknown, help);
  if (wantsHelp) {
    console.log(help);
    return 0;
  }
  if (!command) return refuse('No command is given.', help);
  try {
    const { options, positionals } = read(command, rest);
    await prepare();
    await run(command, options, positionals);
    return 0;
  } catch (error) {
    if (error instanceof InvalidArguments) return refuse(error.message, help);
    for (const line of [error.message, ...(error.more ?? [])]) console.error(visible(line));
    return 1;
  }
}

function refuse(sentence, help) {
  console.error(`${visible(sentence)}\n\n${help}`);
  return 2;
}

const own = (table, word) => (Object.hasOwn(table, word) ? table[word] : undefined);

/**
 * The command of the arguments, with its help. Without a command it is the help of the part that exists, and `unknown`
 * is the error message for an unknown word.
 */
function find(noun, verb) {
  if (noun === undefined) return { help: overview };
  const commands = own(nouns, noun)?.commands;
  if (!commands)
    return { help: overview, unknown: `There is no "${noun}"; there are ${Object.keys(nouns).join(', ')}.` };
  const help = `npm run admin -- ${noun} VERB …\n\n${overviewOf(noun, commands)}`;
  if (verb === undefined) return { help };
  const command = own(commands, verb);
  if (!command)
    return { help, unknown: `There is no "${noun} ${verb}"; there are ${Object.keys(commands).join(', ')}.` };
  return { command, help: helpOf(`${noun} ${verb}`, command) };
}

/** Throws an error with a message for the operator. */
async function run(command, options, positionals) {
  const compiled = await import('./compiled.mjs');
  const settings = connections(compiled, command);
  const open = [];
  const openAs = async (role = 'admin') => {
    const connection = await openBroker(compiled, settings, role);
    open.push(connection);
    return connection;
  };
  const print = (line) => console.log(visible(line));
  try {
    const { Database, entities } = compiled;
    const { needsDatabase = true, timeoutMs } = command;
    const database =
      needsDatabase &&
      (await Database.open({
        service: 'auth',
        url: settings.DATABASE_URL,
        tls: settings.databaseTls,
        poolSize: 2,
        connectTimeoutMs: databaseTimeoutMs,
        ...(timeoutMs ? { timeoutMs } : {}),
        entities,
      }));
    if (database) open.push(database);
    const answer = await command.run(
      { ...compiled, settings, database, broker: openAs, print },
      options,
      ...positionals,
    );
    if (answer && options.json) console.log(printedJson(answer.record));
    else answer?.lines.forEach(print);
  } catch (error) {
    const sentence = sentences[error.code] ?? compiled.withoutCredentials(error.message);
    throw Object.assign(new Error(sentence, { cause: error }), { more: error.more });
  } finally {
    for (const one of open) await one.close();
  }
}

const sentences = {
  ECONNREFUSED: 'The database does not respond. Is it running?',
  // lock_not_available
  '55P03': 'Another process is changing the same record. Try again.',
};

function connections({ AdminEnvironment, databaseTls, natsTls, readSettings }, { needsDatabase = true }) {
  const environment = readSettings(AdminEnvironment);
  const { databaseUrl, natsUrl, natsUser, natsPassword } = environment;
  const given = {
    DATABASE_URL: databaseUrl,
    NATS_URL: natsUrl,
    NATS_USER: natsUser,
    NATS_PASSWORD: natsPassword,
    masterKeys: environment,
    databaseTls: databaseTls(environment),
    natsTls: natsTls(environment),
  };
  if (databaseUrl || (!needsDatabase && natsUrl)) return given;
  const file = join(import.meta.dirname, '../../.local/connections.json');
  if (!existsSync(file) && !needsDatabase) return given;
  if (!existsSync(file))
    throw new Error(
      'No installation is running here. Start it with npm start, or set DATABASE_URL and NATS_URL for another one.',
    );
  const { MASTER_KEY_FILE, ...local } = JSON.parse(readFileSync(file, 'utf8'));
  return { ...local, masterKeys: { ...environment, masterKeyFile: environment.masterKeyFile ?? MASTER_KEY_FILE } };
}

/** A connection to NATS is retried without end, but an operator needs an error. */
function openBroker({ connectNats }, settings, role) {
  const { NATS_URL } = settings;
  const { user, password } =
    role === 'broker' && settings.NATS_BROKER_PASSWORD
      ? { user: 'broker-admin', password: settings.NATS_BROKER_PASSWORD }
      : { user: settings.NATS_USER, password: settings.NATS_PASSWORD };
  if (!NATS_URL) throw new Error('NATS is required too: set NATS_URL, NATS_USER and NATS_PASSWORD.');
  const late = pause(connectTimeoutMs).then(() => {
    throw new Error('NATS does not respond. Is it running, and are NATS_USER and NATS_PASSWORD correct?');
  });
  return Promise.race([
    connectNats({
      url: NATS_URL,
      user,
      password,
      tls: settings.natsTls,
      name: role === 'broker' ? 'broker-admin' : 'admin',
      inboxPrefix: '_INBOX_admin',
    }),
    late,
  ]);
}
