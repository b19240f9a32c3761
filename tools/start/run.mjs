// `npm start`: starts the installation, creates a demo organization, and prints the URLs and the key.
import { existsSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { execFile } from 'node:child_process';
import { createServer } from 'node:net';
import { promisify } from 'node:util';
import * as embedded from '@ams/embedded';
import { root } from '../lib/workspace.mjs';
import { baseUrlOf, startInstallation } from './installation.mjs';
import { natsPasswordsOf } from './nats-users.mjs';
import { operatorSettings } from './operator-settings.mjs';
import { readJson, writePrivate } from './secrets.mjs';

const demo = {
  organization: 'Demo',
  ownerName: 'Demo Owner',
  ownerEmail: 'owner@demo.example',
  keyName: 'demo key (all scopes)',
  integrationName: 'Demo',
  // Those of the tours in the documentation.
  mailDomains: ['acme.example', 'demo.example', 'example.com'],
};

export async function run(options, report) {
  const stopping = new AbortController();
  let installation = null;
  let starting = null;
  let signals = 0;
  const onSignal = async () => {
    if (++signals > 1) process.exit(130);
    report.line('\nstopping (Ctrl-C again: immediately)');
    stopping.abort();
    await starting?.catch(() => undefined);
    await installation?.stop();
    report.line('stopped');
    process.exit(0);
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);

  try {
    if (options.reset) await reset(options, report);
    await requirePort(options.host, options.port);
    const natsPasswords = options.natsUrl ? await natsPasswordsOf(options.natsUrl, process.env.NATS_USERS_FILE) : null;
    const environment = (service) => operatorSettings(service, process.env);
    starting = startInstallation({ ...options, natsPasswords, environment, signal: stopping.signal }, report);
    installation = await starting;
    const { services } = installation;
    writePrivate(
      join(options.state, 'processes.json'),
      Object.fromEntries(
        Object.values(services).map(({ name, port, managementPort, logFile }) => [
          name,
          { port, managementPort, log: relative(root, logFile) },
        ]),
      ),
    );
    const facts = await makeDemo(options, installation, report);
    announce(options, facts, report);
  } catch (error) {
    if (stopping.signal.aborted) return;
    report.failed(error);
    await installation?.stop();
    process.exit(1);
  }
}

async function reset({ state, databaseUrl }, report) {
  if (databaseUrl)
    throw new Error('--reset deletes only embedded state; DATABASE_URL refers to a database that is not deleted.');
  if (!existsSync(state)) return;
  await report.step('deleting the old state', async () => {
    embedded.removeState(state);
    rmSync(state, { recursive: true, force: true });
  });
}

const requirePort = (host, port) =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new Error(`port ${port} is in use by another program. Choose another: npm start -- --port ${port + 1}`)
          : new Error(`port ${port} on ${host} cannot be opened (${error.code})`),
      ),
    );
    probe.listen({ host, port }, () => probe.close(() => resolve()));
  });

async function makeDemo({ state, host, port }, installation, report) {
  const file = join(state, 'credentials.json');
  const baseUrl = baseUrlOf(host, port);
  const known = readJson(file);
  const { mailUrl } = installation;
  if (known?.ingestUrl) {
    const { signInUrl } = await bootstrap(installation, baseUrl);
    const facts = {
      ...known,
      signInUrl,
      baseUrl,
      apiUrl: `${baseUrl}/api/v1`,
      docsUrl: `${baseUrl}/api/docs`,
      mailUrl,
      ingestUrl: `${baseUrl}${new URL(known.ingestUrl).pathname}`,
    };
    writePrivate(file, facts);
    return facts;
  }
  return report.step('demo organization, key and integration', async () => {
    const made = await bootstrap(installation, baseUrl);
    const key = made.key ?? known?.key;
    if (!key)
      throw new Error(
        `the demo organization exists, but its key is not in ${file}. Start with a new state: npm start -- --reset`,
      );
    const base = {
      baseUrl,
      apiUrl: `${baseUrl}/api/v1`,
      docsUrl: `${baseUrl}/api/docs`,
      mailUrl,
      organizationId: made.organizationId,
      key,
      signInUrl: made.signInUrl,
    };
    writePrivate(file, base); // the key is shown only once: store it before anything else can fail
    const response = await fetch(`${baseUrl}/api/v1/integrations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: demo.integrationName, type: 'generic' }),
    });
    const answer = await response.json();
    if (response.status !== 201) throw new Error(`the demo integration could not be created: ${answer.error}`);
    const facts = { ...base, integrationId: answer.data.id, ingestUrl: answer.data.ingestUrl };
    writePrivate(file, facts);
    return facts;
  });
}

/** Creates the demo organization unless it exists, and a link by which its owner signs in. */
async function bootstrap(installation, baseUrl) {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      join(root, 'apps/auth/dist/bootstrap.js'),
      '--organization',
      demo.organization,
      '--owner-email',
      demo.ownerEmail,
      '--owner-name',
      demo.ownerName,
      '--key-name',
      demo.keyName,
      '--mail-domains',
      demo.mailDomains.join(','),
      '--link-base',
      baseUrl,
    ],
    { env: { PATH: process.env.PATH, ...installation.database('auth') } },
  );
  return JSON.parse(stdout.trim().split('\n').at(-1));
}

function announce({ state }, { apiUrl, docsUrl, mailUrl, key, ingestUrl, baseUrl, signInUrl }, report) {
  report.line(`
Ready after ${(report.elapsedMs() / 1000).toFixed(1)} s.
Ctrl-C stops everything; npm start continues with the same state.

  Dashboard    ${signInUrl}
               (signs you in as the owner, once; each start prints another link)
  Base URL     ${baseUrl}
  Reference    ${docsUrl}
  API key      ${key}
  Ingest URL   ${ingestUrl}
  Mails        ${mailUrl ?? 'sent by SMTP_URL'}
  Stored in    ${relative(root, join(state, 'credentials.json'))}

Send an alert, and list it:

  curl -X POST ${ingestUrl} -H 'Content-Type: application/json' -d '{"title":"High CPU on web-01","severity":"critical","fingerprint":"cpu-web-01","labels":{"host":"web-01"}}'

  curl -H 'Authorization: Bearer ${key}' '${apiUrl}/alerts?status=firing'
`);
}
