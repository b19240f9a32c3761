// Collects the files of the container images, a folder for each, from the compiled projects:
//
//   node tools/image.mjs FOLDER [IMAGE …]
//
// An image has one bundle (main.mjs), the few packages that cannot be bundled, and a list of all packages in it
// (sbom.cdx.json, CycloneDX). The files are the same, byte for byte, for the same sources and package-lock.json, and
// have the same times. docker/Dockerfile uses it.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, lutimesSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative, resolve, sep } from 'node:path';
import { stop } from 'esbuild';
import { bundleFile, native } from './bundle.mjs';
import { root } from './lib/workspace.mjs';

const service = (name, more = {}) => ({
  entry: `apps/${name}/dist/main.js`,
  health: { variable: 'HTTP_PORT', port: 3000 },
  ...more,
});
const gateway = (name, more) => service(name, { health: { variable: 'MANAGEMENT_PORT', port: 3001 }, ...more });

/**
 * `entry`: the program. `health`: where /readyz is served. `packages`: packages whose files are read at run time.
 * `folders`: further files, by their folder in the image.
 */
export const images = {
  'api-gateway': gateway('api-gateway', {
    packages: ['swagger-ui-dist'],
    folders: { assets: 'apps/api-gateway/assets', dashboard: 'apps/dashboard/dist' },
  }),
  'ingest-gateway': gateway('ingest-gateway'),
  auth: service('auth'),
  'resource-api': service('resource-api'),
  'alert-pipeline': service('alert-pipeline'),
  'workflow-engine': service('workflow-engine'),
  notifier: service('notifier'),
  admin: { entry: 'tools/admin/image.mjs' },
  'mail-catcher': { entry: 'tools/mail-catcher/main.mjs', health: { variable: 'HTTP_PORT', port: 8025 } },
};

/** Only what Swagger UI loads; the package also has source maps and other builds. */
const filesOfPackage = { 'swagger-ui-dist': /^(package\.json|LICENSE|NOTICE|swagger-ui\.css|swagger-ui-bundle\.js)$/ };

/** `node_modules/a/node_modules/@b/c/file.js` is in the package `node_modules/a/node_modules/@b/c`. */
const packageOf = (file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file.split(sep).join('/'))?.[0] ?? null;

/** Copies the package and the packages that it depends on and that are installed. Returns their folders. */
function copyPackage(name, from, target, copied = new Set()) {
  const require = createRequire(join(from, 'package.json'));
  const folder = require.resolve
    .paths(name)
    .map((place) => join(place, name))
    .find((place) => existsSync(join(place, 'package.json')));
  if (!folder) return copied; // a package for another platform
  const path = relative(root, folder);
  if (copied.has(path)) return copied;
  copied.add(path);
  const wanted = filesOfPackage[name];
  cpSync(folder, join(target, 'node_modules', name), {
    recursive: true,
    filter: (file) => !wanted || file === folder || wanted.test(relative(folder, file)),
  });
  const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  if (!wanted)
    for (const needed of Object.keys({ ...dependencies, ...optionalDependencies }))
      copyPackage(needed, folder, target, copied);
  return copied;
}

/** The packages that a build of Vite may contain: the dependencies of the project, and theirs. */
function dependenciesOf(project, { dependencies }) {
  const declared = JSON.parse(readFileSync(join(root, project, 'package.json'), 'utf8')).dependencies;
  const refs = new Set(Object.entries(declared).map(([name, version]) => `${name}@${version}`));
  for (const ref of refs)
    for (const other of dependencies.find((one) => one.ref === ref)?.dependsOn ?? []) refs.add(other);
  return [...refs].filter((ref) => !ref.startsWith('@ams/'));
}

/** What npm knows about the packages of the image, without the time and the random number that npm adds. */
function billOfMaterials(name, { version }, refs, installed) {
  const found = installed.components.filter((component) => refs.has(component['bom-ref']));
  const missing = [...refs].filter((ref) => !found.some((component) => component['bom-ref'] === ref));
  if (missing.length > 0) throw new Error(`${name}: npm does not know ${missing.join(', ')}`);
  const node = {
    'bom-ref': `node@${process.versions.node}`,
    type: 'application',
    name: 'node',
    version: process.versions.node,
    purl: `pkg:generic/node@${process.versions.node}`,
    licenses: [{ license: { id: 'MIT' } }],
  };
  const self = { 'bom-ref': `@ams/${name}-image@${version}`, type: 'application', name, version };
  return {
    $schema: installed.$schema,
    bomFormat: installed.bomFormat,
    specVersion: installed.specVersion,
    version: 1,
    metadata: { tools: installed.metadata.tools, component: self },
    components: [node, ...found.sort((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1))],
    dependencies: [
      { ref: self['bom-ref'], dependsOn: [node['bom-ref'], ...[...refs].sort()] },
      ...installed.dependencies
        .filter(({ ref }) => refs.has(ref))
        .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => refs.has(other)) })),
    ],
  };
}

/** `name@version` of an installed package. */
function refOf(folder) {
  const { name, version } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  return `${name}@${version}`;
}

const installedPackages = () =>
  JSON.parse(
    execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx'], {
      cwd: root,
      maxBuffer: 2 ** 28,
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  );

/** The same times in every build. */
function withoutTimes(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) withoutTimes(path);
    else lutimesSync(path, 0, 0);
  }
  lutimesSync(folder, 0, 0);
}

export async function collect(folder, names = Object.keys(images)) {
  const workspace = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const installed = installedPackages();
  for (const name of names) {
    const { entry, health, packages = [], folders = {} } = images[name];
    const target = join(folder, name);
    rmSync(target, { recursive: true, force: true });
    mkdirSync(target, { recursive: true });
    const { inputs, outputs } = await bundleFile(join(root, entry), join(target, 'main.mjs'));
    const external = Object.values(outputs)
      .flatMap(({ imports }) => imports)
      .map(({ path }) => path)
      .filter((path) => native.includes(path));
    const copied = new Set();
    for (const needed of new Set([...external, ...packages])) {
      const user = entry.startsWith('tools/') ? join(root, 'apps/auth') : join(root, entry, '../..');
      copyPackage(needed, user, target, copied);
    }
    for (const [inImage, source] of Object.entries(folders))
      cpSync(join(root, source), join(target, inImage), { recursive: true });
    const bundled = Object.keys(inputs).map((file) => packageOf(relative(root, resolve(file))));
    const built = folders.dashboard ? dependenciesOf('apps/dashboard', installed) : [];
    const refs = new Set([...[...bundled, ...copied].filter((path) => path !== null).map(refOf), ...built]);
    const write = (file, value) => writeFileSync(join(target, file), `${JSON.stringify(value, null, 2)}\n`);
    write('package.json', {
      name: `@ams/${name}`,
      version: workspace.version,
      license: workspace.license,
      type: 'module',
      ...(health && { health }),
    });
    write('sbom.cdx.json', billOfMaterials(name, workspace, refs, installed));
    cpSync(join(root, 'LICENSE'), join(target, 'LICENSE'));
    if (health) cpSync(join(root, 'docker/image/health.mjs'), join(target, 'health.mjs'));
    withoutTimes(target);
    console.log(`${name}: ${refs.size} packages`);
  }
  await stop();
}

if (process.argv[1] === import.meta.filename) {
  const [folder, ...names] = process.argv.slice(2);
  if (!folder || names.some((name) => !Object.hasOwn(images, name))) {
    console.error(`usage: node tools/image.mjs FOLDER [${Object.keys(images).join('|')} …]`);
    process.exit(2);
  }
  await collect(resolve(folder), names.length > 0 ? names : undefined);
}
