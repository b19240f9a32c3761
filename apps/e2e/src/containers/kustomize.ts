/** Reads the manifests of docker/kubernetes in the way of kustomize, for the fields that they use; others are refused. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseAllDocuments } from 'yaml';

export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Record<string, string> };
  spec?: Record<string, unknown>;
  data?: Record<string, string>;
}

/** Throws an error for a text that is no YAML, and for a key that is written twice. */
export function documentsOf(text: string): unknown[] {
  return parseAllDocuments(text).map((document) => {
    const [error] = [...document.errors, ...document.warnings];
    if (error) throw error;
    return document.toJS() as unknown;
  });
}

interface Kustomization {
  apiVersion: string;
  kind: string;
  namespace?: string;
  resources?: string[];
  components?: string[];
  images?: { name: string; newName: string; newTag: string }[];
  patches?: (FilePatch | KindPatch)[];
  replicas?: { name: string; count: number }[];
  configMapGenerator?: { name: string; files: string[] }[];
  secretGenerator?: { name: string; files: string[]; options?: { disableNameSuffixHash: boolean } }[];
}
/** A file with parts of objects, which are merged into those of the same name. */
interface FilePatch {
  path: string;
}
/** Operations of a JSON patch for every object of a kind, or for one of them, or an object with `$patch: delete`. */
interface KindPatch {
  target: { kind: string; name?: string };
  patch: string;
}
interface Operation {
  op: 'add' | 'replace';
  path: string;
  value: unknown;
}
const fields = new Set<keyof Kustomization>([
  'apiVersion',
  'kind',
  'namespace',
  'resources',
  'components',
  'images',
  'patches',
  'replicas',
  'configMapGenerator',
  'secretGenerator',
]);

const generated = (kind: string, { name, files }: { name: string; files: string[] }): KubernetesObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name },
  data: Object.fromEntries(files.map((file) => [basename(file), ''])),
});

/** The objects of a folder with a kustomization.yaml. */
export function objectsOf(folder: string): KubernetesObject[] {
  const file = join(folder, 'kustomization.yaml');
  const [value] = documentsOf(readFileSync(file, 'utf8')) as Kustomization[];
  if (!value) throw new Error(`${file} is empty`);
  const unknown = Object.keys(value).filter((field) => !fields.has(field as keyof Kustomization));
  if (unknown.length > 0) throw new Error(`${file}: unknown fields ${unknown.join(', ')}`);
  let objects = (value.resources ?? []).flatMap((name) => {
    const path = join(folder, name);
    if (!existsSync(path)) throw new Error(`${file}: there is no ${name}`);
    return statSync(path).isDirectory()
      ? objectsOf(path)
      : (documentsOf(readFileSync(path, 'utf8')) as KubernetesObject[]);
  });
  objects.push(...(value.configMapGenerator ?? []).map((one) => generated('ConfigMap', one)));
  objects.push(...(value.secretGenerator ?? []).map((one) => generated('Secret', one)));
  for (const patch of value.patches ?? []) {
    if ('path' in patch) merge(objects, folder, patch);
    else objects = patched(objects, patch);
  }
  for (const { name, count } of value.replicas ?? []) {
    const target = objects.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === name);
    if (!target?.spec) throw new Error(`${file}: there is no Deployment ${name}`);
    target.spec['replicas'] = count;
  }
  const { namespace, components = [] } = value;
  const images = [value, ...components.map((name) => componentOf(join(folder, name)))].flatMap(
    ({ images = [] }) => images,
  );
  const text = JSON.stringify(objects, (key, found: unknown) => {
    const image = key === 'image' && images.find(({ name }) => name === found);
    return image ? `${image.newName}:${image.newTag}` : found;
  });
  const made = JSON.parse(text) as KubernetesObject[];
  if (namespace) for (const { metadata } of made) metadata.namespace = namespace;
  return made;
}

function merge(objects: readonly KubernetesObject[], folder: string, { path }: FilePatch): void {
  for (const patch of documentsOf(readFileSync(join(folder, path), 'utf8')) as KubernetesObject[]) {
    const target = objects.find(({ kind, metadata }) => kind === patch.kind && metadata.name === patch.metadata.name);
    if (!target || patch.kind !== 'ConfigMap') throw new Error(`${folder}: the patch ${path} has no target`);
    target.data = { ...target.data, ...patch.data };
  }
}

function patched(objects: readonly KubernetesObject[], { target, patch }: KindPatch): KubernetesObject[] {
  const isTarget = ({ kind, metadata: { name } }: KubernetesObject): boolean =>
    kind === target.kind && name === (target.name ?? name);
  if (!objects.some(isTarget))
    throw new Error(`a patch has no target: there is no ${target.kind} ${target.name ?? ''}`);
  const [content] = documentsOf(patch) as (Operation[] | { $patch: string })[];
  if (!Array.isArray(content)) {
    if (content?.$patch !== 'delete') throw new Error(`the patch of ${target.kind} is no list of operations`);
    return objects.filter((object) => !isTarget(object));
  }
  for (const object of objects.filter(isTarget)) for (const operation of content) operate(object, operation);
  return [...objects];
}

/** As RFC 6902 says: `replace` needs a value that is there. */
function operate(object: KubernetesObject, { op, path, value }: Operation): void {
  const keys = path.split('/').slice(1);
  const last = keys.pop() ?? '';
  let place = object as unknown as Record<string, unknown>;
  for (const key of keys) {
    place = place[key] as Record<string, unknown>;
    if (typeof place !== 'object') throw new Error(`${object.metadata.name} has no ${path}`);
  }
  if (!['add', 'replace'].includes(op) || (op === 'replace' && !(last in place)))
    throw new Error(`${object.metadata.name}: ${op} ${path} cannot be done`);
  place[last] = value;
}

function componentOf(folder: string): Kustomization {
  const [value] = documentsOf(readFileSync(join(folder, 'kustomization.yaml'), 'utf8')) as Kustomization[];
  if (value?.kind !== 'Component') throw new Error(`${folder} is no component`);
  return value;
}
