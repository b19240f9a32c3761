// The users of a NATS server that is not the embedded one. Each service needs its own: with one user for all, or none,
// whoever reaches the server may act as any service.
import { existsSync, readFileSync } from 'node:fs';
import { connectNats, natsUsers } from '@ams/messaging';
import { AdminEnvironment, natsTls, readSettings } from '@ams/service';

const advice =
  'Run `npm run admin -- broker accounts FILE`, put what it prints into the configuration of the NATS server, and set ' +
  'NATS_USERS_FILE to this file.';
const strangerMs = 5000;

/** The password of each user. Throws an error for the operator when there is none, or when the server asks for none. */
export async function natsPasswordsOf(natsUrl, file) {
  if (!file) throw new Error(`NATS_URL is set: each service needs a NATS user of its own. ${advice}`);
  if (!existsSync(file)) throw new Error(`NATS_USERS_FILE: there is no file ${file}. ${advice}`);
  const passwords = parsed(file);
  const missing = natsUsers.filter((name) => typeof passwords?.[name] !== 'string' || passwords[name] === '');
  if (missing.length > 0)
    throw new Error(`NATS_USERS_FILE: ${file} has no password of ${missing.join(', ')}. ${advice}`);
  if (await acceptsStrangers(natsUrl))
    throw new Error(`the NATS server at NATS_URL accepts clients without a user. ${advice}`);
  return passwords;
}

function parsed(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw new Error(`NATS_USERS_FILE: ${file} is not JSON.`);
  }
}

/** False also when the server does not respond: then the start fails with the error of the connection. */
async function acceptsStrangers(url) {
  let timer;
  const connecting = connectNats({ url, tls: natsTls(readSettings(AdminEnvironment)), name: 'npm start', once: true });
  const late = new Promise((resolve) => {
    timer = setTimeout(() => resolve(null), strangerMs);
  });
  try {
    const connection = await Promise.race([connecting, late]);
    await connection?.close();
    return connection !== null;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
