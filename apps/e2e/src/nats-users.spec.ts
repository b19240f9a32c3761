/** `npm start` with the NATS server of an operator: each service needs a user of its own. */
import { brokerAccount, natsAccounts, natsUsers } from '@ams/messaging';
import { removeState, startNats, type EmbeddedNats } from '@ams/embedded';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// eslint-disable-next-line @nx/enforce-module-boundaries -- a tool of the workspace, not a library
import { natsPasswordsOf } from '../../../tools/start/nats-users.mjs';

let dir: string;
let open: EmbeddedNats;
let closed: EmbeddedNats;
const passwords = Object.fromEntries(natsUsers.map((name) => [name, `password of ${name}`]));
const file = (name: string, value: unknown): string => {
  const path = join(dir, name);
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
  return path;
};

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'ams-nats-users-'));
  const accounts = { value: natsAccounts((name) => passwords[name] ?? ''), owner: brokerAccount };
  open = await startNats({ dir: join(dir, 'open'), durable: false });
  closed = await startNats({ dir: join(dir, 'closed'), durable: false, accounts });
});
afterAll(async () => {
  await Promise.all([open?.stop(), closed?.stop()]);
  removeState(dir);
});

it('refuses to start without a user for each service', async () => {
  await expect(natsPasswordsOf(closed.url, undefined)).rejects.toThrow(/each service needs a NATS user of its own/);
  await expect(natsPasswordsOf(closed.url, join(dir, 'missing'))).rejects.toThrow(/there is no file/);
  await expect(natsPasswordsOf(closed.url, file('text', 'no JSON'))).rejects.toThrow(/is not JSON/);
  await expect(natsPasswordsOf(closed.url, file('half', { ...passwords, auth: '' }))).rejects.toThrow(
    /has no password of auth\. Run `npm run admin -- broker accounts FILE`/,
  );
});

it('refuses a server on which a stranger may do everything', async () => {
  await expect(natsPasswordsOf(open.url, file('users', passwords))).rejects.toThrow(/accepts clients without a user/);
});

it('takes a server that asks for users', async () => {
  expect(await natsPasswordsOf(closed.url, file('users', passwords))).toEqual(passwords);
});
