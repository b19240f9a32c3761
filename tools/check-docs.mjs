// Checks that what documents refer to exists: relative links, files and folders in code spans, npm scripts and tools.
// Prints each error and exits with 1 if there is one.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { root } from './lib/workspace.mjs';

const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'libs/client/README.md',
  'tools/bench/README.md',
  'docker/README.md',
]
  .concat(readdirSync(join(root, 'docs'), { recursive: true }).map((name) => join('docs', name)))
  .filter((name) => name.endsWith('.md') && existsSync(join(root, name)));

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const builtin = new Set(['ci', 'install', 'pack', 'test', 'start']);

const faults = [];
for (const document of documents) {
  const text = readFileSync(join(root, document), 'utf8');
  const fault = (message) => faults.push(`${document}: ${message}`);
  for (const [, target] of text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)) {
    if (/^[a-z]+:/.test(target)) continue;
    if (!existsSync(join(root, dirname(document), target))) fault(`the link ${target} has no target`);
  }
  // `apps/auth/src/…`: up to a placeholder in <angle brackets>, a pattern with * or an ellipsis, which are not checked.
  for (const [, path] of text.matchAll(/`((?:apps|libs|tools|docs|docker)\/[\w./-]+)/g)) {
    const known = path.replace(/[./]+$/, '');
    if (!existsSync(join(root, known)) && !isPrefix(known)) fault(`${known} does not exist`);
  }
  for (const [, script] of text.matchAll(/\bnpm run ([\w:-]+)/g)) {
    if (!scripts[script] && !builtin.has(script)) fault(`there is no script ${script}`);
  }
  for (const [, script] of text.matchAll(/\bnode (tools\/[\w./-]+\.mjs)/g)) {
    if (!existsSync(join(root, script))) fault(`${script} does not exist`);
  }
}

/**
 * Of `libs/contracts/src/nouns/<noun>.ts`, the text before the placeholder is a folder, which must exist; of
 * `docs/adr/0023*`, it is the beginning of a file name.
 */
function isPrefix(path) {
  const folder = join(root, dirname(path));
  return existsSync(folder) && readdirSync(folder).some((name) => join(folder, name).startsWith(join(root, path)));
}

for (const line of faults) console.error(line);
console.log(`${relative(process.cwd(), root) || '.'}: ${documents.length} documents, ${faults.length} errors`);
process.exit(faults.length === 0 ? 0 : 1);
