import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { connectBroker } from '@ams/messaging';
import { root } from '../lib/workspace.mjs';
import * as setAside from './set-aside.mjs';

const help = `npm run admin -- COMMAND

  set-aside list              messages that could not be processed and wait
  set-aside show ID           one of them, whole
  set-aside replay ID|--all   hand it to the pipeline again; an event that was applied already is not applied twice
  set-aside discard ID        give it up

The embedded installation is found in .local while it runs; another one by DATABASE_URL, NATS_URL, NATS_USER and
NATS_PASSWORD.`;

const nouns = { 'set-aside': setAside.commands };

function connections() {
  if (process.env.DATABASE_URL) return process.env;
  const file = join(root, '.local/connections.json');
  if (!existsSync(file)) throw new Error('Nothing runs here: start it with npm start, or name an installation by DATABASE_URL and NATS_URL.');
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** The exit code: 0 done, 1 it failed, 2 the words were wrong. */
export async function main([noun, verb, ...args]) {
  if (!noun || noun === '--help' || noun === 'help') {
    console.log(help);
    return noun ? 0 : 2;
  }
  const command = nouns[noun]?.[verb];
  if (!command) {
    console.error(`There is no command «${[noun, verb].filter(Boolean).join(' ')}».\n\n${help}`);
    return 2;
  }
  let database;
  let broker;
  try {
    const { DATABASE_URL, NATS_URL, NATS_USER, NATS_PASSWORD } = connections();
    database = new pg.Pool({ connectionString: DATABASE_URL, max: 1, connectionTimeoutMillis: 3000 });
    broker = () => connectBroker({ url: NATS_URL, user: NATS_USER, password: NATS_PASSWORD, name: 'admin', inboxPrefix: '_INBOX_admin' });
    return await command({ database, broker }, args);
  } catch (error) {
    console.error(error.code === 'ECONNREFUSED' ? 'The database does not answer: is it running?' : error.message);
    return 1;
  } finally {
    await database?.end();
  }
}
