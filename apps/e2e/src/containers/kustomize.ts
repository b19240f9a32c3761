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
  patches?: { path: string }[];
  configMapGenerator?: { name: string; files: string[] }[];
  secretGenerator?: { name: string; files: string[] }[];
}
const fields = new Set<keyof Kustomization>([
  'apiVersion',
  'kind',
  'namespace',
  'resources',
  'components',
  'images',
  'patches',
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
  const objects = (value.resources ?? []).flatMap((name) => {
    const path = join(folder, name);
    if (!existsSync(path)) throw new Error(`${file}: there is no ${name}`);
    return statSync(path).isDirectory()
      ? objectsOf(path)
      : (documentsOf(readFileSync(path, 'utf8')) as KubernetesObject[]);
  });
  objects.push(...(value.configMapGenerator ?? []).map((one) => generated('ConfigMap', one)));
  objects.push(...(value.secretGenerator ?? []).map((one) => generated('Secret', one)));
  for (const { path } of value.patches ?? [])
    for (const patch of documentsOf(readFileSync(join(folder, path), 'utf8')) as KubernetesObject[]) {
      const target = objects.find(({ kind, metadata }) => kind === patch.kind && metadata.name === patch.metadata.name);
      if (!target || patch.kind !== 'ConfigMap') throw new Error(`${file}: the patch ${path} has no target`);
      target.data = { ...target.data, ...patch.data };
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

function componentOf(folder: string): Kustomization {
  const [value] = documentsOf(readFileSync(join(folder, 'kustomization.yaml'), 'utf8')) as Kustomization[];
  if (value?.kind !== 'Component') throw new Error(`${folder} is no component`);
  return value;
}
