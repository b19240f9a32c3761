/** What must be true of manifests. Each function returns the errors that it finds, one sentence for each. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { KubernetesObject } from './kustomize.js';

type Labels = Record<string, string>;
interface Probe {
  httpGet?: { port: string | number };
  tcpSocket?: { port: string | number };
}
export interface Container {
  name: string;
  image: string;
  env?: { name: string; value?: string; valueFrom?: { configMapKeyRef?: { name: string; key: string } } }[];
  ports?: { name: string; containerPort: number }[];
  volumeMounts?: { name: string; mountPath: string }[];
  resources?: { limits?: { memory?: string } };
  securityContext?: {
    allowPrivilegeEscalation?: boolean;
    readOnlyRootFilesystem?: boolean;
    capabilities?: { drop?: string[] };
  };
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
}
interface PodSpec {
  automountServiceAccountToken?: boolean;
  enableServiceLinks?: boolean;
  securityContext?: { runAsNonRoot?: boolean; seccompProfile?: { type: string } };
  containers: Container[];
  volumes?: { name: string; secret?: { secretName: string }; configMap?: { name: string } }[];
}
export interface Workload {
  object: KubernetesObject;
  labels: Labels;
  pod: PodSpec;
  claims: string[];
}

const named = ({ kind, metadata }: KubernetesObject): string => `${kind} ${metadata.name}`;

export function workloadsOf(objects: KubernetesObject[]): Workload[] {
  return objects
    .filter(({ kind }) => ['Deployment', 'StatefulSet', 'Job'].includes(kind))
    .map((object) => {
      const { template, volumeClaimTemplates = [] } = object.spec as {
        template: { metadata: { labels: Labels }; spec: PodSpec };
        volumeClaimTemplates?: KubernetesObject[];
      };
      return {
        object,
        labels: template.metadata.labels,
        pod: template.spec,
        claims: volumeClaimTemplates.map(({ metadata }) => metadata.name),
      };
    });
}

const matches = (selector: Labels, labels: Labels): boolean =>
  Object.entries(selector).every(([key, value]) => labels[key] === value);

const modules: Record<string, string> = {
  v1: 'kubernetes-models/v1',
  'apps/v1': 'kubernetes-models/apps/v1',
  'batch/v1': 'kubernetes-models/batch/v1',
  'policy/v1': 'kubernetes-models/policy/v1',
  'autoscaling/v2': 'kubernetes-models/autoscaling/v2',
  'networking.k8s.io/v1': 'kubernetes-models/networking.k8s.io/v1',
  'keda.sh/v1alpha1': '@kubernetes-models/keda/keda.sh/v1alpha1',
  'gateway.networking.k8s.io/v1': '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1',
};

/** Compiles the objects as values of the types of their kinds: wrong values, and fields that do not exist. */
export async function typeErrors(root: string, objects: KubernetesObject[]): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'ams-manifests-'));
  try {
    const lines = objects.map((object, i) => {
      const module = modules[object.apiVersion];
      if (!module) throw new Error(`${named(object)}: ${object.apiVersion} is not known`);
      return `import type { I${object.kind} as T${i} } from '${module}'; export const v${i}: T${i} = ${JSON.stringify(object)};`;
    });
    writeFileSync(join(folder, 'objects.ts'), lines.join('\n'));
    const paths = Object.fromEntries(
      Object.values(modules).map((module) => [module, [join(root, 'node_modules', module, 'index.d.ts')]]),
    );
    const compilerOptions = {
      noEmit: true,
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: true,
      module: 'NodeNext',
      target: 'ES2022',
      types: [],
      paths,
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['objects.ts'] }));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    const tsc = join(root, 'tools/tsc.mjs');
    const { stdout } = await promisify(execFile)(process.execPath, [tsc, '-p', folder, '--pretty', 'false']).catch(
      (error: unknown) => error as { stdout: string },
    );
    return stdout
      .split('\n')
      .filter((line) => line.includes('error TS'))
      .map((line) => {
        const object = objects[Number(/objects\.ts\((\d+),/.exec(line)?.[1]) - 1];
        return `${object ? named(object) : 'manifests'}: ${line.replace(/^.*error /, '')}`;
      });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** `secrets`: the files of each secret that an operator makes. */
export function referenceErrors(objects: KubernetesObject[], secrets: Record<string, string[]>): string[] {
  const errors: string[] = [];
  const workloads = workloadsOf(objects);
  const find = (kind: string, name: string): KubernetesObject | undefined =>
    objects.find((object) => object.kind === kind && object.metadata.name === name);
  for (const object of objects) {
    const twins = objects.filter((o) => o.kind === object.kind && o.metadata.name === object.metadata.name);
    if (twins.length > 1) errors.push(`${named(object)} exists twice`);
  }
  for (const { object, labels, pod, claims } of workloads) {
    const fault = (text: string): number => errors.push(`${named(object)}: ${text}`);
    const { selector } = object.spec as { selector?: { matchLabels: Labels } };
    if (selector && !matches(selector.matchLabels, labels)) fault('its selector does not match its pods');
    const volumes = [...(pod.volumes ?? []).map(({ name }) => name), ...claims];
    for (const { secret, configMap } of pod.volumes ?? []) {
      if (secret && !secrets[secret.secretName]) fault(`nobody makes the secret ${secret.secretName}`);
      if (configMap && !find('ConfigMap', configMap.name)) fault(`there is no ConfigMap ${configMap.name}`);
    }
    for (const container of pod.containers) {
      for (const { name } of container.volumeMounts ?? [])
        if (!volumes.includes(name)) fault(`there is no volume ${name}`);
      const filesOf = (mountPath: string): string[] => {
        const volume = container.volumeMounts?.find((mount) => mount.mountPath === mountPath)?.name;
        const secret = pod.volumes?.find(({ name }) => name === volume)?.secret;
        return secret ? (secrets[secret.secretName] ?? []) : [];
      };
      for (const { name, value, valueFrom } of container.env ?? []) {
        const of = valueFrom?.configMapKeyRef;
        if (of && find('ConfigMap', of.name)?.data?.[of.key] === undefined)
          fault(`${name}: ConfigMap ${of.name} has no ${of.key}`);
        const [, file] = /^\/secrets\/(.+)$/.exec(value ?? '') ?? [];
        if (file && !filesOf('/secrets').includes(file)) fault(`${name}: its secret has no file ${file}`);
      }
      const ports = (container.ports ?? []).map(({ name }) => name);
      for (const probe of [container.startupProbe, container.livenessProbe, container.readinessProbe]) {
        const port = probe?.httpGet?.port ?? probe?.tcpSocket?.port;
        if (port !== undefined && !ports.includes(String(port))) fault(`a probe uses the port ${port}`);
      }
    }
  }
  for (const object of objects) {
    const fault = (text: string): number => errors.push(`${named(object)}: ${text}`);
    const spec = object.spec as {
      selector?: Labels & { matchLabels?: Labels };
      ports?: { targetPort: string }[];
      scaleTargetRef?: { kind?: string; name: string };
      podSelector?: { matchLabels?: Labels };
    };
    if (object.kind === 'Service') {
      const pods = workloads.filter(({ labels }) => matches(spec.selector ?? {}, labels));
      if (pods.length !== 1) fault(`it selects the pods of ${pods.length} workloads`);
      const ports = pods.flatMap(({ pod }) => pod.containers.flatMap((c) => (c.ports ?? []).map(({ name }) => name)));
      for (const { targetPort } of spec.ports ?? [])
        if (!ports.includes(targetPort)) fault(`its pods have no port ${targetPort}`);
    }
    if (object.kind === 'PodDisruptionBudget') {
      const selector = spec.selector?.matchLabels ?? {};
      if (workloads.filter(({ labels }) => matches(selector, labels)).length !== 1) fault('it selects no pods');
    }
    if (spec?.scaleTargetRef && !find(spec.scaleTargetRef.kind ?? 'Deployment', spec.scaleTargetRef.name))
      fault(`there is no ${spec.scaleTargetRef.name}`);
  }
  return errors;
}

/** The restricted level of the pod security standards, and more. */
export function hardeningErrors(objects: KubernetesObject[]): string[] {
  return workloadsOf(objects).flatMap(({ object, pod }) => {
    const rules: Record<string, boolean> = {
      'a token of the service account': pod.automountServiceAccountToken === false,
      'variables of other services': pod.enableServiceLinks === false,
      root: pod.securityContext?.runAsNonRoot === true,
      'no seccomp profile': pod.securityContext?.seccompProfile?.type === 'RuntimeDefault',
      'more privileges': pod.containers.every((c) => c.securityContext?.allowPrivilegeEscalation === false),
      'a root file system that can be written': pod.containers.every(
        (c) => c.securityContext?.readOnlyRootFilesystem === true,
      ),
      capabilities: pod.containers.every((c) => c.securityContext?.capabilities?.drop?.join() === 'ALL'),
      'no limit of memory': pod.containers.every((c) => c.resources?.limits?.memory !== undefined),
      'no readiness probe': object.kind === 'Job' || pod.containers.every((c) => c.readinessProbe !== undefined),
    };
    return Object.entries(rules)
      .filter(([, holds]) => !holds)
      .map(([what]) => `${named(object)} has ${what}`);
  });
}

interface Peer {
  podSelector?: { matchLabels?: Labels };
  namespaceSelector?: { matchLabels?: Labels };
  ipBlock?: { cidr: string };
}
interface Policy {
  podSelector: { matchLabels?: Labels };
  policyTypes: string[];
  ingress?: { from?: Peer[]; ports?: { port: number }[] }[];
  egress?: { to?: Peer[]; ports?: { port: number }[] }[];
}

/** The allowed connections, `from -> to:port`. Pods have the name of their workload, `*` is every pod or port. */
export function arrowsOf(objects: KubernetesObject[]): { egress: string[]; ingress: string[]; denied: string[] } {
  const pods = [
    ...workloadsOf(objects).map(({ object, labels }) => ({ name: object.metadata.name, labels })),
    // Servers that other charts make.
    { name: 'nats', labels: { 'app.kubernetes.io/name': 'nats' } },
    { name: 'postgres', labels: { 'cnpg.io/cluster': 'ams-postgres' } },
  ];
  const selected = (selector: Labels = {}): string[] =>
    Object.keys(selector).length === 0
      ? ['*']
      : [...new Set(pods.filter(({ labels }) => matches(selector, labels as Labels)).map(({ name }) => name))];
  const peers = (of: Peer[] | undefined): string[] =>
    (of ?? [{}]).flatMap(({ podSelector, namespaceSelector, ipBlock }) => {
      if (ipBlock) return ['outside'];
      if (namespaceSelector) return [`namespace ${Object.entries(namespaceSelector.matchLabels ?? {}).join()}`];
      return podSelector ? selected(podSelector.matchLabels) : ['everywhere'];
    });
  const ports = (of: { port: number }[] | undefined): (number | string)[] => (of ? of.map(({ port }) => port) : ['*']);
  const result = { egress: [] as string[], ingress: [] as string[], denied: [] as string[] };
  for (const { kind, spec } of objects) {
    if (kind !== 'NetworkPolicy') continue;
    const { podSelector, policyTypes, ingress = [], egress = [] } = spec as unknown as Policy;
    for (const pod of selected(podSelector.matchLabels)) {
      for (const type of policyTypes) result.denied.push(`${pod} ${type}`);
      for (const rule of egress)
        for (const to of peers(rule.to)) result.egress.push(...ports(rule.ports).map((p) => `${pod} -> ${to}:${p}`));
      for (const rule of ingress)
        for (const from of peers(rule.from))
          result.ingress.push(...ports(rule.ports).map((p) => `${from} -> ${pod}:${p}`));
    }
  }
  return result;
}
