// Tries docker/kubernetes for real, with the cluster of KUBECONFIG: builds the images, applies the overlay `demo`, rolls
// every service to another version and back while events arrive, and tries who may connect to whom. Exit code 0 when all
// of it works.
//
//   node tools/try-kubernetes.mjs [--rate N] [--keep]     docker/try-kubernetes.sh starts a cluster and calls it
//
//   --rate N       requests a second while services are rolled (300)
//   --outside ADDRESS:PORT   a server outside of the cluster, to try which pods reach it
//   --keep         leaves everything as it is at the end
//
// It needs kubectl of 1.22 or later, and Docker whose images the nodes of the cluster see (the same daemon, or a node that
// has them loaded). Without a StorageClass the servers of the demo keep their data in their pods. For an API server before
// 1.25 the versions of some objects are changed.
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { createImages, createTrial, request, run, services, until } from './lib/containers.mjs';
import { root } from './lib/workspace.mjs';

const { values: options } = parseArgs({
  options: {
    rate: { type: 'string', default: '300' },
    outside: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
});
const rate = Number(options.rate);
const namespace = 'ams-demo';
const edge = 'ams-demo-edge';
const nextVersion = '0.1.1-trial';
const readsPerSecond = 3; // an organization may call the API 300 times a minute
const withTables = ['auth', 'resource-api', 'alert-pipeline', 'workflow-engine'];

const trial = createTrial();
const { line, check, faults } = trial;
const folder = mkdtempSync(join(tmpdir(), 'ams-try-kubernetes-'));
const environment = { ...process.env, DOCKER_BUILDKIT: '1' };
const images = createImages(trial, environment);
const kubectl = (args, input) => run('kubectl', args, { env: environment, input });
const inDemo = (...args) => kubectl(['-n', namespace, ...args]);
const applied = (objects) =>
  kubectl(['apply', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));

/** The objects of the demo as kustomize makes them, for this cluster. */
async function demoObjects(publicUrl) {
  cpSync(join(root, 'docker/kubernetes'), folder, { recursive: true });
  const overlay = join(folder, 'overlays/demo');
  await run(process.execPath, ['tools/admin.mjs', 'secrets', 'create', join(overlay, 'secrets')]);
  const documents = parseAllDocuments(await kubectl(['kustomize', overlay])).map((document) => document.toJS());
  const admin = parseAllDocuments(readFileSync(join(folder, 'examples/admin.yaml'), 'utf8')).map((d) => d.toJS());
  for (const { metadata } of admin) metadata.namespace = namespace;
  const hasStorage = (await kubectl(['get', 'storageclasses', '--output', 'name'])).trim() !== '';
  if (!hasStorage) line('the cluster has no StorageClass: PostgreSQL and NATS keep their data in their pods');
  const served = new Set((await kubectl(['api-versions'])).split('\n'));
  const older = { 'policy/v1': 'policy/v1beta1' };
  const servers = { postgres: environment.POSTGRES_IMAGE, nats: environment.NATS_IMAGE };

  return [...documents, ...admin].map((object) => {
    if (!served.has(object.apiVersion)) object.apiVersion = older[object.apiVersion] ?? object.apiVersion;
    if (object.kind === 'ConfigMap' && object.metadata.name === 'ams-settings')
      Object.assign(object.data, { PUBLIC_URL: publicUrl, INGEST_LIMIT_PER_MINUTE: '6000' });
    if (object.kind === 'StatefulSet') {
      const { spec } = object.spec.template;
      for (const container of spec.containers) {
        container.image = servers[object.metadata.name] ?? container.image;
        container.imagePullPolicy = 'IfNotPresent';
      }
      if (!hasStorage) {
        spec.volumes.push(
          ...object.spec.volumeClaimTemplates.map(({ metadata }) => ({ name: metadata.name, emptyDir: {} })),
        );
        delete object.spec.volumeClaimTemplates;
      }
    }
    return object;
  });
}

/** A proxy that joins both gateways, as an ingress does, at a port of a node. Its namespace has the label of the edge. */
async function startEdge() {
  const labels = { app: 'proxy' };
  const metadata = { name: 'proxy', namespace: edge };
  const caddyfile = readFileSync(join(root, 'docker/Caddyfile'), 'utf8').replace(
    /(api|ingest)-gateway:3000/g,
    `$1-gateway.${namespace}.svc.cluster.local:3000`,
  );
  await applied([
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: edge, labels: { 'ams.example.com/edge': 'true' } } },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { Caddyfile: caddyfile } },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      spec: { type: 'NodePort', selector: labels, ports: [{ port: 8080 }] },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: {
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            automountServiceAccountToken: false,
            containers: [
              {
                name: 'proxy',
                image: environment.CADDY_IMAGE ?? 'caddy:2.11',
                imagePullPolicy: 'IfNotPresent',
                command: ['caddy', 'run', '--config', '/settings/Caddyfile', '--adapter', 'caddyfile'],
                env: [{ name: 'HOME', value: '/tmp' }],
                volumeMounts: [{ name: 'settings', mountPath: '/settings' }],
              },
              // For the trials of connections from the namespace of the edge.
              {
                name: 'node',
                image: 'ams/admin',
                imagePullPolicy: 'IfNotPresent',
                command: ['node', '-e', 'setInterval(() => undefined, 60_000)'],
              },
            ],
            volumes: [{ name: 'settings', configMap: { name: 'proxy' } }],
          },
        },
      },
    },
  ]);
  const { spec } = JSON.parse(await kubectl(['-n', edge, 'get', 'service', 'proxy', '--output', 'json']));
  const [node] = JSON.parse(await kubectl(['get', 'nodes', '--output', 'json'])).items;
  const { address } = node.status.addresses.find(({ type }) => type === 'InternalIP');
  return `http://${address}:${spec.ports[0].nodePort}`;
}

const rolledOut = (name) => inDemo('rollout', 'status', `deployment/${name}`, '--timeout=600s');

/** What happens to each service while `change` rolls it. */
async function rollEach(change) {
  const times = [];
  for (const name of services) {
    const began = performance.now();
    await change(name);
    await rolledOut(name);
    times.push(`${name} ${((performance.now() - began) / 1000).toFixed(0)} s`);
  }
  return times.join(', ');
}

/** The report of `npm run load`, which sends from ten seconds before the work until ten seconds after it. */
async function underLoad(url, key, work) {
  const out = join(folder, 'load');
  const args = [
    ...['tools/load.mjs', '--profile', 'soak', '--rate', `${rate - readsPerSecond}`, '--reads', `${readsPerSecond}`],
    ...['--integrations', '20', '--url', url, '--out', out],
  ];
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...environment, LOAD_API_KEY: key },
    stdio: 'inherit',
    detached: true,
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  try {
    await sleep(10_000);
    await work();
    await sleep(10_000);
  } finally {
    process.kill(-child.pid, 'SIGINT'); // it checks what it has sent, and ends
  }
  await ended;
  const [file] = readdirSync(out).filter((name) => name.endsWith('.json'));
  return JSON.parse(readFileSync(join(out, file), 'utf8'));
}

/** Which pods reach which ports; the policies say the same. */
async function connections() {
  const pods = JSON.parse(await inDemo('get', 'pods', '--output', 'json')).items.filter(
    ({ metadata, status }) => status.phase === 'Running' && !metadata.deletionTimestamp,
  );
  const podOf = (name) => pods.find(({ metadata }) => metadata.labels['app.kubernetes.io/name'] === name);
  const targets = [
    ...['nats:4222', 'postgres:5432', 'mail-catcher:8026', 'api-gateway:3000', 'api-gateway:3001', 'auth:3000'].map(
      (target) => {
        const [name, port] = target.split(':');
        return { target, host: podOf(name).status.podIP, port };
      },
    ),
    ...(options.outside
      ? [{ target: 'outside', host: options.outside.split(':')[0], port: options.outside.split(':')[1] }]
      : []),
  ];
  const program = `
    const { connect } = require('node:net');
    const open = ({ target, host, port }) => new Promise((resolve) => {
      const socket = connect({ host, port: Number(port), timeout: 3000 }, () => (socket.destroy(), resolve([target])));
      socket.on('timeout', () => (socket.destroy(), resolve([]))).on('error', () => resolve([]));
    });
    Promise.all(${JSON.stringify(targets)}.map(open)).then((open) => console.log(JSON.stringify(open.flat())));`;
  const reached = async (space, pod, container) =>
    JSON.parse(await kubectl(['-n', space, 'exec', pod, '-c', container, '--', 'node', '-e', program]));
  for (const name of services) {
    const expected = [
      'nats:4222',
      ...(withTables.includes(name) ? ['postgres:5432'] : []),
      ...(name === 'notifier' ? ['mail-catcher:8026', ...(options.outside ? ['outside'] : [])] : []),
    ];
    const found = (await reached(namespace, podOf(name).metadata.name, name)).filter(
      (target) => !target.startsWith(`${name}:`),
    );
    check(`${name} reaches ${expected.join(', ')} and nothing else`, `${found}` === `${expected}`, `${found}`);
  }
  const found = (await reached(edge, 'deployment/proxy', 'node')).filter((target) => target !== 'outside');
  check(
    'the edge reaches the public port of a gateway and nothing else',
    `${found}` === 'api-gateway:3000',
    `${found}`,
  );
}

try {
  await kubectl(['version', '--output', 'json']).then((text) => {
    const { clientVersion, serverVersion } = JSON.parse(text);
    line(`kubectl ${clientVersion.gitVersion}, API server ${serverVersion.gitVersion}`);
  });
  await images.buildAll();
  await images.buildVersion(nextVersion);
  const url = await startEdge();
  const objects = await demoObjects(url);
  await applied(objects);
  line('the overlay `demo` is applied');
  await inDemo('wait', '--for=condition=complete', '--timeout=300s', 'job/schema');
  for (const name of [...services, 'mail-catcher']) await rolledOut(name);
  await kubectl(['-n', edge, 'rollout', 'status', 'deployment/proxy', '--timeout=300s']);
  await until('the page of the dashboard', async () => (await request('GET', `${url}/`)).status === 200);
  check('every service is ready, and the dashboard is served', true);

  const owner = ['--owner-name', 'Demo Owner', '--owner-email', 'owner@demo.example'];
  const { key } = JSON.parse(
    await inDemo(
      ...['exec', 'job/admin', '--', 'node', '/app/main.mjs'],
      'organizations',
      'create',
      'Demo',
      ...owner,
      '--json',
    ),
  ).key;
  check('an operator makes an organization in the pod `admin`', key.length > 20);
  await connections();

  line(`rolling every service while ${rate} requests a second arrive`);
  const report = await underLoad(url, key, async () => {
    line(
      `forward: ${await rollEach((name) => inDemo('set', 'image', `deployment/${name}`, `${name}=ams/${name}:${nextVersion}`))}`,
    );
    line(`back: ${await rollEach((name) => inDemo('rollout', 'undo', `deployment/${name}`))}`);
  });
  const { events, reads, check: found } = report;
  const failed = events.planned - events.answered + reads.planned - reads.answered;
  line(`events ${JSON.stringify(events)}`);
  line(`reads ${JSON.stringify(reads)}`);
  for (const { at, failedPerSecond } of report.intervals)
    if (failedPerSecond > 0) line(`failed from second ${at} of the load: ${failedPerSecond} a second`);
  if (failed > 0) {
    const log = await kubectl(['-n', edge, 'logs', 'deployment/proxy', '--container', 'proxy']);
    for (const entry of log
      .split('\n')
      .filter((one) => one.includes('"level":"error"'))
      .slice(-5))
      line(entry);
  }
  check(`none of ${events.planned + reads.planned} requests failed`, failed === 0, `${failed} failed`);
  check(
    `all ${found.accepted} accepted events are there once`,
    found.lost === 0 && found.doubled === 0,
    JSON.stringify(found),
  );
} catch (error) {
  faults.push(error.message);
  console.error(error.message);
  for (const space of [namespace, edge])
    console.error(
      await kubectl(['-n', space, 'get', 'pods,jobs', '--output', 'wide']).catch((failure) => failure.message),
    );
} finally {
  if (!options.keep)
    await kubectl(['delete', 'namespace', namespace, edge, '--ignore-not-found', '--timeout=120s']).catch((error) =>
      faults.push(error.message),
    );
  rmSync(folder, { recursive: true, force: true });
}
process.exit(trial.end());
