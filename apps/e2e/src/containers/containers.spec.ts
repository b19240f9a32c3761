/**
 * The manifests of docker/: Kubernetes and compose. They are compared with the code: its settings, its secrets, its
 * ports, and who may speak with whom. Each check is also tried with a manifest in which something is wrong.
 */
import { serviceRoles } from '@ams/database';
import { auditWriters, callOwners, publicJwkOf } from '@ams/domain';
import { natsAccounts, natsUsers } from '@ams/messaging';
import {
  BrokerEnvironment,
  EdgeSettings,
  readSettings,
  RolePasswords,
  ServiceSettings,
  settingsOf,
} from '@ams/service';
import { execFile } from 'node:child_process';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
// eslint-disable-next-line @nx/enforce-module-boundaries -- a tool of the workspace, not a library
import { secretFiles } from '../../../../tools/admin/secrets.mjs';
// eslint-disable-next-line @nx/enforce-module-boundaries -- a tool of the workspace, not a library
import { images } from '../../../../tools/image.mjs';
import { root } from '../system/replica.js';
import { arrowsOf, hardeningErrors, referenceErrors, typeErrors, workloadsOf, type Container } from './checks.js';
import { documentsOf, objectsOf, type KubernetesObject } from './kustomize.js';

type Settings = new () => object;

const kubernetes = join(root, 'docker/kubernetes');
const classNames: Record<string, string> = {
  'api-gateway': 'ApiGatewaySettings',
  'ingest-gateway': 'IngestSettings',
  auth: 'AuthSettings',
  'resource-api': 'ResourceApiSettings',
  'alert-pipeline': 'PipelineSettings',
  'workflow-engine': 'WorkflowEngineSettings',
  notifier: 'NotifierSettings',
};
const services = Object.keys(classNames);
const gateways = services.filter((name) => name.endsWith('-gateway'));
const withTables = Object.keys(serviceRoles);

/** Settings of everything that runs, by the name of its workload. The jobs are commands of the admin command. */
const settings: Record<string, Settings[]> = { schema: [RolePasswords], broker: [BrokerEnvironment] };
/** Variables of commands and of Node, which no class of settings describes. */
const others = new Set(['NODE_OPTIONS', 'DATABASE_URL', 'NATS_URL', 'NATS_USER', 'NATS_PASSWORD']);

const values = Object.fromEntries(
  [...natsUsers.map((name) => `nats ${name}`), ...withTables.map((name) => `database ${name}`)]
    .concat('postgres', 'links', 'secrets at rest', 'vapid public', 'vapid private', 'master key', 'audit signing key')
    .map((name) => [name, `a long secret for ${name}`]),
);
const point = 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4';
Object.assign(values, { 'vapid public': point, 'vapid private': 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94' });
const pemOf = ({ privateKey }: { privateKey: KeyObject }): string =>
  privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
for (const name of [...auditWriters.map((writer) => `audit key of ${writer}`), 'call signing key'])
  values[name] = pemOf(generateKeyPairSync('ed25519'));
for (const name of callOwners) values[`call key of ${name}`] = pemOf(generateKeyPairSync('x25519'));
const secrets = secretFiles(values, {
  auditWriters,
  callOwners,
  publicJwkOf,
  database: 'postgres:5432/ams',
  smtpUrl: 'smtp://mail-catcher:8026',
  serviceRoles,
  natsUsers,
  natsAccounts,
});
const secretsOfCluster = Object.fromEntries(
  Object.entries(secrets).map(([name, files]) => [`ams-${name}`, Object.keys(files)]),
);

let secretsFolder: string;
beforeAll(async () => {
  secretsFolder = mkdtempSync(join(tmpdir(), 'ams-secrets-'));
  for (const [name, className] of Object.entries(classNames)) {
    const module = (await import(join(root, 'apps', name, 'dist/settings.js'))) as Record<string, Settings>;
    settings[name] = [module[className] as Settings];
  }
});
afterAll(() => rmSync(secretsFolder, { recursive: true }));

/** Reads the settings as the program does. The files of /secrets are those of `npm run admin -- secrets create`. */
function settingErrors(name: string, environment: Record<string, string>, folder = name): string[] {
  const errors: string[] = [];
  const mounted: Record<string, string> = {};
  for (const [variable, value] of Object.entries(environment)) {
    const file = /^\/secrets\/(.+)$/.exec(value)?.[1];
    if (file === undefined) {
      mounted[variable] = value;
      continue;
    }
    const text = secrets[folder]?.[file];
    if (text === undefined) {
      errors.push(`${name}: ${variable}: there is no secret ${folder}/${file}`);
      continue;
    }
    mounted[variable] = join(secretsFolder, `${folder}-${file}`);
    writeFileSync(mounted[variable], text);
  }
  const known = (settings[name] ?? []).flatMap((one) => settingsOf(one).map(({ variable }) => variable));
  for (const variable of Object.keys(environment)) {
    const names = [variable, variable.replace(/_FILE$/, '')];
    if (!names.some((one) => known.includes(one) || others.has(one))) errors.push(`${name}: ${variable} is no setting`);
  }
  for (const one of settings[name] ?? []) {
    try {
      readSettings(one, mounted);
    } catch (error) {
      errors.push(`${name}: ${(error as Error).message}`);
    }
  }
  if (natsUsers.some((user) => user === name) && environment['NATS_USER'] !== name)
    errors.push(`${name}: NATS_USER is ${environment['NATS_USER']}`);
  return errors;
}

const read = (file: string): KubernetesObject[] => documentsOf(readFileSync(file, 'utf8')) as KubernetesObject[];
const copy = <T>(value: T): T => structuredClone(value);
const find = (objects: KubernetesObject[], kind: string, name: string): KubernetesObject =>
  objects.find((object) => object.kind === kind && object.metadata.name === name) as KubernetesObject;

describe('images', () => {
  test('the admin command and the mail catcher are files that run without the workspace', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ams-images-'));
    const node = (...args: string[]) => promisify(execFile)(process.execPath, args, { cwd: folder });
    await node(join(root, 'tools/image.mjs'), folder, 'admin', 'mail-catcher');
    const { stdout } = await node(join(folder, 'admin/main.mjs'), 'organizations', 'create', '--help');
    expect(stdout).toContain('--owner-email');
    const bill = JSON.parse(readFileSync(join(folder, 'admin/sbom.cdx.json'), 'utf8')) as {
      components: { name: string }[];
    };
    const names = bill.components.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['node', 'pg', 'typeorm']));
    expect(names).not.toContain('@swc/core');
    rmSync(folder, { recursive: true });
  });
});

describe('Kubernetes', () => {
  const demo = objectsOf(join(kubernetes, 'overlays/demo'));
  const services_ = objectsOf(join(kubernetes, 'overlays/production'));
  const jobs = objectsOf(join(kubernetes, 'overlays/production/jobs'));
  const production = [
    ...services_,
    ...jobs.filter(
      ({ kind, metadata }) => !services_.some((o) => o.kind === kind && o.metadata.name === metadata.name),
    ),
  ];
  const examples = ['gateway', 'ingress', 'admin'].flatMap((name) =>
    read(join(kubernetes, 'examples', `${name}.yaml`)),
  );
  const traces = join(kubernetes, 'components/traces');
  const wayToCollector = read(join(traces, 'network.yaml'));

  const environmentOf = (objects: KubernetesObject[], { env = [] }: Container): Record<string, string> =>
    Object.fromEntries(
      env.map(({ name, value, valueFrom }) => {
        const of = valueFrom?.configMapKeyRef;
        return [name, of ? (find(objects, 'ConfigMap', of.name).data?.[of.key] ?? '') : (value ?? '')];
      }),
    );
  const allSettingErrors = (objects: KubernetesObject[]): string[] =>
    workloadsOf(objects)
      .filter(({ object }) => settings[object.metadata.name])
      .flatMap(({ object, pod }) =>
        pod.containers.flatMap((container) =>
          settingErrors(object.metadata.name, environmentOf(objects, container), object.metadata.name),
        ),
      );

  test('every object has the form of its kind, and unknown fields are errors', async () => {
    const wrong = copy(find(demo, 'Deployment', 'auth'));
    wrong.metadata.name = 'wrong';
    Object.assign((wrong.spec as { template: { spec: object } }).template.spec, {
      automountServiceAccountTokens: false,
    });
    const service = copy(find(demo, 'Service', 'nats'));
    service.metadata.name = 'wrong';
    (service.spec as { ports: { port: unknown }[] }).ports[0]!.port = '4222';
    const found = await typeErrors(root, [...demo, ...production, ...examples, ...wayToCollector, wrong, service]);
    expect(found.filter((line) => !/^\w+ wrong: /.test(line))).toEqual([]);
    expect(found).toEqual([
      expect.stringMatching(/^Deployment wrong: .*automountServiceAccountTokens/),
      expect.stringMatching(/^Service wrong: .*'string' is not assignable to type 'number'/),
    ]);
  });

  test('a key that is written twice, and a field that kustomize does not have, are errors', () => {
    expect(() => documentsOf('a: 1\na: 2')).toThrow(/unique/);
    const folder = mkdtempSync(join(tmpdir(), 'ams-kustomize-'));
    writeFileSync(join(folder, 'kustomization.yaml'), 'kind: Kustomization\nresourcs: []');
    expect(() => objectsOf(folder)).toThrow(/unknown fields resourcs/);
    rmSync(folder, { recursive: true });
  });

  test.each([
    ['demo', demo],
    ['production', production],
  ])('%s: what objects refer to exists', (_name, objects) => {
    expect(referenceErrors(objects, secretsOfCluster)).toEqual([]);
    const wrong = copy(objects);
    find(wrong, 'Service', 'api-gateway').spec!['selector'] = { 'app.kubernetes.io/name': 'gateway' };
    const [auth] = workloadsOf(wrong).filter(({ object }) => object.metadata.name === 'auth');
    auth!.pod.containers[0]!.env!.push({ name: 'SMTP_URL_FILE', value: '/secrets/smtp-url' });
    auth!.pod.containers[0]!.readinessProbe!.httpGet!.port = 'http';
    wrong.push({
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'wrong' },
      spec: { scaleTargetRef: { name: 'notifer' } },
    });
    delete find(wrong, 'ConfigMap', 'ams-settings').data!['MAIL_FROM'];
    expect(referenceErrors(wrong, secretsOfCluster).sort()).toEqual([
      'Deployment auth: SMTP_URL_FILE: its secret has no file smtp-url',
      'Deployment auth: a probe uses the port http',
      'Deployment notifier: MAIL_FROM: ConfigMap ams-settings has no MAIL_FROM',
      'HorizontalPodAutoscaler wrong: there is no notifer',
      'Service api-gateway: it selects the pods of 0 workloads',
      'Service api-gateway: its pods have no port http',
    ]);
  });

  test('the component of traces gives every service settings that it has, and a way to the collector', () => {
    const file = readFileSync(join(traces, 'kustomization.yaml'), 'utf8');
    const [component] = documentsOf(file) as { patches: [{ target: object; patch: string }] }[];
    const [{ target, patch }] = component!.patches;
    expect(target).toEqual({ kind: 'Deployment', labelSelector: 'app.kubernetes.io/part-of=ams' });
    const added = documentsOf(patch)[0] as { op: string; path: string; value: { name: string; value: string } }[];
    expect(added.map(({ op, path }) => `${op} ${path}`)).toEqual(
      added.map(() => 'add /spec/template/spec/containers/0/env/-'),
    );
    const set = Object.fromEntries(added.map(({ value }) => [value.name, value.value]));
    for (const { object, pod } of workloadsOf(production).filter(({ object: { kind } }) => kind === 'Deployment')) {
      const { name } = object.metadata;
      const environment = { ...environmentOf(production, pod.containers[0]!), ...set };
      expect(settingErrors(name, environment)).toEqual([]);
    }
    const { podSelector } = wayToCollector[0]!.spec as {
      podSelector: { matchExpressions: [{ values: string[] }] };
    };
    expect(podSelector.matchExpressions[0].values.sort()).toEqual([...services].sort());
  });

  test('the secrets of the demo are those that the admin command makes', () => {
    const made = demo
      .filter(({ kind }) => kind === 'Secret')
      .map(({ metadata, data }) => [metadata.name, Object.keys(data ?? {})]);
    expect(Object.fromEntries(made)).toEqual(
      Object.fromEntries(
        Object.entries(secretsOfCluster).map(([name, files]) => [name, expect.arrayContaining(files)]),
      ),
    );
  });

  test('routes lead to services that exist', () => {
    const text = JSON.stringify(examples);
    const backends = [...text.matchAll(/"name":"([\w-]+)","port":(?:\{"number":)?(\d+)/g)].map(([, name, port]) => [
      name,
      Number(port),
    ]);
    expect(backends).toHaveLength(5);
    for (const [name, port] of backends)
      expect(find(production, 'Service', String(name)).spec).toMatchObject({ ports: [{ port }] });
  });

  test('pods have no rights that they do not need', () => {
    expect(hardeningErrors([...demo, ...production, ...examples])).toEqual([]);
    const wrong = copy(demo.filter(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'auth'));
    const pod = workloadsOf(wrong)[0]!.pod;
    delete pod.automountServiceAccountToken;
    pod.containers[0]!.securityContext!.capabilities = { drop: ['NET_RAW'] };
    delete pod.containers[0]!.resources;
    expect(hardeningErrors(wrong)).toEqual([
      'Deployment auth has a token of the service account',
      'Deployment auth has capabilities',
      'Deployment auth has no limit of memory',
    ]);
  });

  test('images are those that are built', () => {
    const ours = workloadsOf([...demo, ...production])
      .flatMap(({ pod }) => pod.containers.map(({ image }) => image))
      .filter((image) => /(^|\/)ams\//.test(image))
      .map((image) => /ams\/([\w-]+)/.exec(image)?.[1]);
    expect([...new Set(ours)].sort()).toEqual(Object.keys(images).sort());
    const untagged = workloadsOf(production).flatMap(({ pod }) => pod.containers.filter((c) => !c.image.includes(':')));
    expect(untagged).toEqual([]);
  });

  test('ports are those of the code', () => {
    const { httpPort, managementPort } = new EdgeSettings();
    expect(new ServiceSettings().httpPort).toBe(httpPort);
    for (const name of services) {
      const container = workloadsOf([find(production, 'Deployment', name)])[0]!.pod.containers[0]!;
      const ports = gateways.includes(name)
        ? [
            { name: 'http', containerPort: httpPort },
            { name: 'management', containerPort: managementPort },
          ]
        : [{ name: 'management', containerPort: httpPort }];
      expect({ name, ports: container.ports }).toEqual({ name, ports });
      expect(images[name]?.health).toEqual({
        variable: gateways.includes(name) ? 'MANAGEMENT_PORT' : 'HTTP_PORT',
        port: ports.at(-1)!.containerPort,
      });
    }
  });

  test('connections are the arrows of the architecture, and no others', () => {
    const { httpPort, managementPort } = new EdgeSettings();
    const onNats = [...services, 'broker', 'admin'];
    const onPostgres = [...withTables, 'schema', 'admin'];
    const managementPortOf = (name: string): number => (gateways.includes(name) ? managementPort : httpPort);
    const expected = {
      egress: [
        '* -> namespace kubernetes.io/metadata.name,kube-system:53',
        '* -> namespace kubernetes.io/metadata.name,kube-system:53',
        'nats -> nats:6222',
        ...onNats.map((name) => `${name} -> nats:4222`),
        ...onPostgres.map((name) => `${name} -> postgres:5432`),
        'notifier -> outside:*',
        'notifier -> outside:*',
      ],
      ingress: [
        'namespace ams.example.com/monitoring,true -> nats:7777',
        'namespace kubernetes.io/metadata.name,cnpg-system -> postgres:5432',
        'namespace kubernetes.io/metadata.name,cnpg-system -> postgres:8000',
        'nats -> nats:6222',
        'postgres -> postgres:5432',
        'postgres -> postgres:8000',
        ...gateways.map((name) => `namespace ams.example.com/edge,true -> ${name}:${httpPort}`),
        ...services.map((name) => `namespace ams.example.com/monitoring,true -> ${name}:${managementPortOf(name)}`),
        ...onNats.map((name) => `${name} -> nats:4222`),
        ...onPostgres.map((name) => `${name} -> postgres:5432`),
      ],
    };
    const admin = examples.filter(({ metadata }) => metadata.name === 'admin');
    const found = arrowsOf([...production, ...admin]);
    expect(found.denied).toEqual(expect.arrayContaining(['* Ingress', '* Egress']));
    expect(found.egress.sort()).toEqual(expected.egress.sort());
    expect(found.ingress.sort()).toEqual(expected.ingress.sort());

    const open = arrowsOf([
      ...production,
      ...admin,
      {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'NetworkPolicy',
        metadata: { name: 'open' },
        spec: {
          podSelector: { matchLabels: { 'app.kubernetes.io/name': 'auth' } },
          policyTypes: ['Egress'],
          egress: [{}],
        },
      },
    ]);
    expect(open.egress.filter((arrow) => !found.egress.includes(arrow))).toEqual(['auth -> everywhere:*']);
  });

  test('every variable is a setting, and every setting has a valid value', () => {
    expect(allSettingErrors(demo)).toEqual([]);
    expect(allSettingErrors(production)).toEqual([]);
    const wrong = copy(production);
    find(wrong, 'ConfigMap', 'ams-settings').data!['NATS_REPLICAS'] = '2';
    const auth = workloadsOf(wrong).find(({ object }) => object.metadata.name === 'auth')!.pod.containers[0]!;
    auth.env = auth.env!.filter(({ name }) => name !== 'DATABASE_URL_FILE').concat({ name: 'LINK_HOURS', value: '1' });
    const found = allSettingErrors(wrong);
    expect(found).toContainEqual('auth: LINK_HOURS is no setting');
    expect(found).toContainEqual(expect.stringMatching(/^auth: .*DATABASE_URL/));
    expect(found).toContainEqual(expect.stringMatching(/^broker: .*NATS_REPLICAS/));
  });

  test('the files of NATS in the demo are those of compose', () => {
    for (const file of ['nats.conf', 'server.conf'])
      expect(readFileSync(join(kubernetes, 'overlays/demo', file), 'utf8')).toBe(
        readFileSync(join(root, 'docker/nats', file), 'utf8'),
      );
  });

  test('every replica is measured, on the port of its metrics', () => {
    const [monitor] = read(join(kubernetes, 'examples/pod-monitor.yaml'));
    const { selector, podMetricsEndpoints } = monitor?.spec as {
      selector: { matchLabels: Record<string, string> };
      podMetricsEndpoints: { port: string }[];
    };
    const measured = workloadsOf(production)
      .filter(
        ({ labels, pod }) =>
          Object.entries(selector.matchLabels).every(([key, value]) => labels[key] === value) &&
          pod.containers[0]?.ports?.some(({ name }) => name === podMetricsEndpoints[0]?.port),
      )
      .map(({ object }) => object.metadata.name);
    expect(measured.sort()).toEqual([...services].sort());
  });

  test('the other files are YAML', () => {
    for (const file of ['postgres', 'nats-values'])
      expect(read(join(kubernetes, 'production-servers', `${file}.yaml`))).toHaveLength(1);
  });
});

describe('compose', () => {
  interface ComposeService {
    image: string;
    build?: { args: { APP: string } };
    environment?: Record<string, string>;
    volumes?: string[];
    networks?: string[];
    ports?: string[];
    depends_on?: Record<string, { condition: string }>;
    read_only?: boolean;
    cap_drop?: string[];
    security_opt?: string[];
  }
  interface Compose {
    services: Record<string, ComposeService>;
    networks: Record<string, { internal?: boolean }>;
    volumes: Record<string, unknown>;
  }
  const text = readFileSync(join(root, 'docker/compose.yaml'), 'utf8').replace(
    /\$\{\w+:-([^{}]*)\}/g,
    (_all, value: string) => value,
  );
  const compose = parse(text, { merge: true }) as Compose;

  const errorsOf = ({ services: all, networks, volumes }: Compose): string[] =>
    Object.entries(all).flatMap(([name, service]) => {
      const errors: string[] = [];
      const fault = (what: string): number => errors.push(`${name}: ${what}`);
      for (const network of service.networks ?? []) if (!networks[network]) fault(`there is no network ${network}`);
      for (const other of Object.keys(service.depends_on ?? {})) if (!all[other]) fault(`there is no service ${other}`);
      for (const mount of service.volumes ?? []) {
        const [source = ''] = mount.split(':');
        if (!/^\./.test(source) && !(source in volumes)) fault(`there is no volume ${source}`);
        const own = new Set([`secrets-${name}`]);
        if (name !== 'secrets' && source.startsWith('secrets-') && !own.has(source)) fault(`it mounts ${source}`);
      }
      if (!service.read_only) fault('its root file system can be written');
      if (service.cap_drop?.join() !== 'ALL') fault('it has capabilities');
      if (!service.security_opt?.includes('no-new-privileges:true')) fault('it can get privileges');
      if (service.image.startsWith('ams/') && service.build?.args.APP !== service.image.slice(4))
        fault(`its image is built as ${service.build?.args.APP}`);
      const environment = Object.fromEntries(Object.entries(service.environment ?? {}).map(([k, v]) => [k, String(v)]));
      if (settings[name]) errors.push(...settingErrors(name, environment));
      return errors;
    });

  test('settings, secrets and references are right', () => {
    expect(errorsOf(compose)).toEqual([]);
    const wrong = copy(compose);
    wrong.services['auth']!.volumes = ['secrets-notifier:/secrets:ro'];
    wrong.services['auth']!.networks = ['databases'];
    wrong.services['notifier']!.environment!['SMTP_HOST'] = 'mail';
    wrong.services['nats']!.cap_drop = [];
    expect(errorsOf(wrong).sort()).toEqual([
      'auth: it mounts secrets-notifier',
      'auth: there is no network databases',
      'nats: it has capabilities',
      'notifier: SMTP_HOST is no setting',
    ]);
  });

  test('Prometheus measures every service, on the port of its metrics', () => {
    const { httpPort, managementPort } = new EdgeSettings();
    const { scrape_configs: configs } = parse(
      readFileSync(join(root, 'docker/observability/prometheus.yaml'), 'utf8'),
    ) as { scrape_configs: { dns_sd_configs: { names: string[]; port: number }[] }[] };
    const ports = configs.flatMap(({ dns_sd_configs: all }) =>
      all.flatMap(({ names, port }) => names.map((name) => [name, port])),
    );
    expect(ports.sort()).toEqual(
      services.map((name) => [name, gateways.includes(name) ? managementPort : httpPort]).sort(),
    );
  });

  test('networks join only what must be joined, and only the proxy and the notifier leave', () => {
    const on = (network: string): string[] =>
      Object.keys(compose.services)
        .filter((name) => compose.services[name]?.networks?.includes(network))
        .sort();
    expect(on('database')).toEqual([...withTables, 'postgres', 'schema', 'admin'].sort());
    expect(on('broker')).toEqual([...services, 'nats', 'broker', 'admin'].sort());
    expect(on('edge')).toEqual([...gateways, 'proxy'].sort());
    expect(on('monitoring')).toEqual([...services, 'grafana', 'prometheus'].sort());
    expect(on('operators')).toEqual(['grafana', 'prometheus']);
    expect(on('public')).toEqual(['proxy']);
    expect(on('outside')).toEqual(['mail-catcher', 'notifier']);
    const open = Object.keys(compose.networks).filter((name) => !compose.networks[name]?.internal);
    expect(open.sort()).toEqual(['operators', 'outside', 'public']);
    const published = Object.keys(compose.services).filter((name) => compose.services[name]?.ports);
    expect(published.sort()).toEqual(['grafana', 'mail-catcher', 'prometheus', 'proxy']);
  });
});
