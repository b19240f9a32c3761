// The workspace: its location, whether its dependencies are installed, whether it is compiled. Needs only Node.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');

export function requireNode(report) {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  report.failed(new Error(`Node ${process.versions.node} is too old; 20.19 or later is needed.`));
  process.exit(1);
}

const run = (command, args, options = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], ...options });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('error', reject);
    child.on('exit', (code) =>
      code === 0
        ? resolve(output)
        : reject(new Error(`${command} ${args.join(' ')} ended with ${code}:\n${output.trim().slice(-2000)}`)),
    );
  });

/** Installs the packages of package-lock.json when they are missing or those of another lock file. */
export async function ensureDependencies(report) {
  const installed = join(root, 'node_modules/.package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs) return;
  if (existsSync(installed) && sameVersions(installed)) return;
  await report.step('installing dependencies (npm ci; one or two minutes)', () =>
    run(process.platform === 'win32' ? 'npm.cmd' : 'npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']),
  );
}

/** Whether every installed package has the version of the lock file (modification times differ in a fresh clone). */
function sameVersions(installed) {
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const present = JSON.parse(readFileSync(installed, 'utf8')).packages;
  return Object.entries(wanted).every(
    ([path, { version, optional, link }]) =>
      path === '' ||
      link ||
      !path.startsWith('node_modules/') ||
      (present[path]?.version ?? (optional ? version : undefined)) === version,
  );
}

/** Folders of the compiled projects. */
export const projects = () =>
  ['libs', 'apps'].flatMap((kind) =>
    readdirSync(join(root, kind))
      .map((name) => join(root, kind, name))
      .filter(
        (folder) =>
          existsSync(join(folder, 'src')) &&
          JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).scripts?.build?.includes('tools/build.mjs'),
      ),
  );

const newest = (folder) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .reduce((latest, entry) => Math.max(latest, statSync(join(entry.parentPath, entry.name)).mtimeMs), 0)
    : 0;

/** Compiles the projects whose sources are newer than their output. */
export async function ensureBuilt(report) {
  const stale = projects().filter(
    (project) =>
      Math.max(newest(join(project, 'src')), newest(join(project, 'public'))) > newest(join(project, 'dist')),
  );
  if (stale.length === 0) return;
  await report.step(`compiling ${stale.length} projects`, async () => {
    const { build } = await import('../build.mjs');
    await Promise.all(stale.map((project) => build(project)));
  });
}

/** Bundles the services that were compiled after their bundle, and all when the way to bundle has changed. */
export async function ensureBundled(report) {
  const { bundleAll, bundleOf } = await import('../bundle.mjs');
  const age = (file) => (existsSync(file) ? statSync(file).mtimeMs : 0);
  const changed = Math.max(
    ...projects().map((project) => newest(join(project, 'dist'))),
    age(join(root, 'tools/bundle.mjs')),
    age(join(root, 'tools/lib/function-names.mjs')),
  );
  const stale = projects().filter(
    (project) => existsSync(join(project, 'dist/main.js')) && age(bundleOf(project)) < changed,
  );
  if (stale.length === 0) return;
  await report.step(`bundling ${stale.length} services`, () => bundleAll(stale));
}
