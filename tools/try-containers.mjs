// Tries docker/compose.yaml for real: builds the images, starts everything, runs the README's tour against it, kills each
// container while alerts are posted, and takes everything down. Exit code 0 when all of it works.
//
//   node tools/try-containers.mjs [--keep]     docker/try.sh installs Docker first and calls it
//
// It needs Docker with compose. Where no registry of images can be reached, the base images are made from Debian
// packages (docker/try/base-images.sh), which needs root and mmdebstrap.
import { createServer } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createImages, createTrial, request, run, services, until } from './lib/containers.mjs';

const { values: options } = parseArgs({ options: { keep: { type: 'boolean', default: false } } });
/** What is killed: the services and the servers that they need. */
const killed = [...services, 'nats', 'postgres', 'proxy'];

const trial = createTrial();
const { line, check, faults } = trial;
const folder = mkdtempSync(join(tmpdir(), 'ams-try-containers-'));
const environment = { ...process.env, DOCKER_BUILDKIT: '1', COMPOSE_PROJECT_NAME: `ams-try-${process.pid}` };
const images = createImages(trial, environment);
const { docker } = images;
const compose = (...args) => docker('compose', '-f', 'docker/compose.yaml', ...args);

const freePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

async function checkContents() {
  const shell = await docker('run', '--rm', '--entrypoint', '/bin/sh', 'ams/auth', '-c', 'true').then(
    () => 'a shell runs',
    (error) => error.message,
  );
  check('the images have no shell', /no such file|not found/.test(shell), shell);
  const bill = await docker(
    ...['run', '--rm', '--entrypoint', 'node', 'ams/auth', '-e'],
    'console.log(require("fs").readFileSync("/app/sbom.cdx.json", "utf8"))',
  );
  const names = JSON.parse(bill).components.map(({ name }) => name);
  check(
    'the SBOM of auth names its packages',
    ['node', 'pg', '@nestjs/core'].every((name) => names.includes(name)),
  );
}

const admin = (...args) => compose('run', '--rm', '--no-deps', '-T', 'admin', ...args);

/** The other commands of docs/deploying.md: the owner signs in with a link, and a domain may get mail. */
async function operatorsCommands(baseUrl) {
  const { url } = JSON.parse(
    await admin('members', 'sign-in-link', 'owner@demo.example', '--organization', 'demo', '--url', baseUrl, '--json'),
  );
  check('the link of the owner leads to the dashboard', url.startsWith(`${baseUrl}/welcome#`));
  const { status, body } = await request('POST', `${baseUrl}/api/v1/session/welcome`, {
    body: { token: new URL(url).hash.slice(1) },
  });
  check('the owner signs in with it', body.data?.session.account.email === 'owner@demo.example', status);
  const verified = JSON.parse(await admin('recipients', 'verify', 'demo', 'example.com', '--json'));
  check('the operator verifies a domain', verified.status === 'verified', verified.status);
}

/** The demo organization of `npm start`, made with the commands of docs/deploying.md. */
async function makeDemo(baseUrl, mailUrl) {
  const owner = ['--owner-name', 'Demo Owner', '--owner-email', 'owner@demo.example'];
  const made = JSON.parse(await admin('organizations', 'create', 'Demo', ...owner, '--json'));
  const { key } = made.key;
  const tokens = [];
  for (let i = 1; i <= 6; i++) {
    const { status, body } = await until('an integration', async () => {
      const answer = await request('POST', `${baseUrl}/api/v1/integrations`, {
        key,
        body: { name: `Sender ${i}`, type: 'generic' },
      });
      return answer.status === 201 && answer;
    });
    if (status !== 201) throw new Error('no integration');
    tokens.push(body.data.ingestUrl);
  }
  const [ingestUrl, ...senders] = tokens;
  const facts = { baseUrl, apiUrl: `${baseUrl}/api/v1`, docsUrl: `${baseUrl}/api/docs`, mailUrl, key, ingestUrl };
  writeFileSync(join(folder, 'credentials.json'), JSON.stringify(facts), { mode: 0o600 });
  return { key, senders, apiUrl: facts.apiUrl };
}

/** Posts alerts until it is stopped. Every answer with 2xx is a promise; a request without one is repeated. */
function postSteadily(senders) {
  const accepted = new Map();
  let stopped = false;
  let refused = 0;
  let number = 0;
  const sender = async (url) => {
    while (!stopped) {
      const fingerprint = `steady-${++number}`;
      const body = { title: `Steady ${fingerprint}`, severity: 'low', fingerprint };
      for (;;) {
        const answer = await request('POST', url, { body, headers: { 'idempotency-key': fingerprint } }).catch(
          (error) => ({ status: 0, error }),
        );
        if (answer.status >= 200 && answer.status < 300) {
          accepted.set(fingerprint, (accepted.get(fingerprint) ?? 0) + 1);
          break;
        }
        refused++;
        await sleep(answer.status === 429 ? 5000 : 1000);
      }
      await sleep(1300); // 60 requests a minute and token are allowed
    }
  };
  const running = senders.map(sender);
  return {
    accepted,
    get refused() {
      return refused;
    },
    async stop() {
      stopped = true;
      await Promise.all(running);
    },
  };
}

async function occurrences(apiUrl, key) {
  const found = new Map();
  let cursor = null;
  do {
    const query = new URLSearchParams({ limit: '100', sort: 'createdAt', q: 'Steady', ...(cursor && { cursor }) });
    const { status, body } = await request('GET', `${apiUrl}/alerts?${query}`, { key });
    if (status !== 200) throw new Error(`the list of alerts was answered ${status}`);
    for (const { fingerprint, occurrenceCount } of body.data) found.set(fingerprint, occurrenceCount);
    cursor = body.meta.nextCursor;
  } while (cursor);
  return found;
}

const containerOf = async (service) => (await compose('ps', '--all', '--quiet', service)).trim();
const stateOf = async (id) => JSON.parse(await docker('inspect', '--format', '{{json .State}}', id));

async function killEach({ key, senders, apiUrl }) {
  const load = postSteadily(senders);
  try {
    for (const service of killed) {
      const before = load.accepted.size;
      const id = await containerOf(service);
      await docker('kill', id);
      await sleep(3000);
      await docker('start', id);
      await until(`${service} is ready again`, async () => {
        const { Running, Health } = await stateOf(id);
        return Running && (!Health || Health.Status === 'healthy');
      });
      await until('alerts are accepted again', () => load.accepted.size >= before + 5);
      line(`        ${service} was killed and runs again; ${load.accepted.size} alerts accepted so far`);
    }
  } finally {
    await load.stop();
  }
  const missing = await until('all accepted alerts are there', async () => {
    const found = await occurrences(apiUrl, key);
    const absent = [...load.accepted.keys()].filter((fingerprint) => !found.has(fingerprint));
    return absent.length === 0 && { absent };
  }).catch((error) => ({ error }));
  check(`all ${load.accepted.size} accepted alerts are there`, !missing.error, missing.error?.message);
  const found = await occurrences(apiUrl, key);
  const twice = [...found].filter(([, count]) => count !== 1).map(([fingerprint, count]) => `${fingerprint} ${count}`);
  check('no alert has an event twice', twice.length === 0, twice.join(', '));
  line(`        ${load.refused} requests were refused meanwhile, and repeated`);
}

async function isolation() {
  const id = await containerOf('api-gateway');
  const connect = (host, port) =>
    `new Promise((r)=>require("net").connect(${port},"${host}").on("connect",()=>r("open")).on("error",(e)=>r(e.code))` +
    `.setTimeout(4000,()=>r("ETIMEDOUT"))).then((x)=>{console.log(x);process.exit()})`;
  const answer = async (host, port) => (await docker('exec', id, 'node', '-e', connect(host, port))).trim();
  check('the API gateway reaches NATS', (await answer('nats', 4222)) === 'open');
  check('it does not reach PostgreSQL', (await answer('postgres', 5432)) !== 'open');
  check('it reaches no address outside', (await answer('1.1.1.1', 443)) !== 'open');
  const { HostConfig } = JSON.parse(await docker('inspect', id))[0];
  check('its root file system is read-only', HostConfig.ReadonlyRootfs === true);
}

let up = false;
try {
  const sizes = await images.buildAll();
  await checkContents();
  const built = performance.now();
  const [port, mailPort] = [await freePort(), await freePort()];
  const baseUrl = `http://localhost:${port}`;
  Object.assign(environment, { PORT: String(port), MAIL_PORT: String(mailPort), PUBLIC_URL: baseUrl });
  line('docker compose up');
  up = true;
  await compose(
    'up',
    '--no-build',
    '--detach',
    '--wait',
    '--wait-timeout',
    '600',
    'proxy',
    'notifier',
    ...services,
    'mail-catcher',
  );
  const started = (performance.now() - built) / 1000;
  await until('the page of the dashboard', async () => (await request('GET', `${baseUrl}/`)).status === 200);
  check(`everything is ready ${started.toFixed(0)} s after the images`, true);
  const reference = await request('GET', `${baseUrl}/api/docs/`);
  check(
    'the reference page is served',
    reference.status === 200 && /reference\.js/.test(reference.body),
    reference.status,
  );
  check('no metrics for callers', (await request('GET', `${baseUrl}/metrics`)).status === 404);
  await isolation();
  const demo = await makeDemo(baseUrl, `http://127.0.0.1:${mailPort}`);
  await operatorsCommands(baseUrl);
  line("the README's tour");
  await run(process.execPath, ['tools/try-tour.mjs', '--state', folder, 'README.md']);
  check("the README's tour works", true);
  line('killing each container while alerts are posted');
  await killEach(demo);
  console.log('\nimage            MB  beyond Node');
  for (const { image, total, own } of sizes)
    console.log(`${image.padEnd(16)} ${String(total).padStart(3)} ${String(own).padStart(12)}`);
} catch (error) {
  faults.push(error.message);
  console.error(error.message);
  if (up) console.error(await compose('ps', '--all').catch((failure) => failure.message));
  if (up) console.error(await compose('logs', '--tail', '8', '--no-color').catch((failure) => failure.message));
} finally {
  if (up && !options.keep)
    await compose('down', '--volumes', '--timeout', '30').catch((error) => faults.push(error.message));
  rmSync(folder, { recursive: true, force: true });
}
process.exit(trial.end());
