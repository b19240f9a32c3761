// Generates docs/configuration.md from the settings classes of the services, the table of senders in docs/ingest.md
// from the presets, docs/openapi.json and the table of lists in docs/lists.md from the operations, so that a change of the interface shows in the diff.
// Adds the hashes of new and changed presets to preset-versions.ts.
// With --check it only tests, by its exit code, whether they are current.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt, root } from './lib/workspace.mjs';
import { createReporter } from './lib/reporter.mjs';

await ensureBuilt(createReporter(process.stderr));
const { settingsOf, ServiceSettings, DatabaseSettings } = await import('@ams/service');

const services = {
  'api-gateway': 'ApiGatewaySettings',
  'ingest-gateway': 'IngestSettings',
  auth: 'AuthSettings',
  'resource-api': 'ResourceApiSettings',
  'alert-pipeline': 'PipelineSettings',
  'workflow-engine': 'WorkflowEngineSettings',
  notifier: 'NotifierSettings',
};

const row = ({ variable, sentence, secret, property, formerly }, defaults) => {
  const value = defaults[property];
  const oldName = formerly ? ` \`${formerly}\` is its old name; it still works for one release.` : '';
  return (
    `| \`${variable}\` | ${value === undefined || value === '' ? (secret ? 'secret' : '') : `\`${value}\``} | ` +
    `${sentence}${oldName} |`
  );
};
const table = (settings, without) => {
  const defaults = new settings();
  const known = new Set(without.flatMap(settingsOf).map(({ variable }) => variable));
  const rows = settingsOf(settings).filter(({ variable }) => !known.has(variable));
  return ['| variable | default | |', '|---|---|---|', ...rows.map((fact) => row(fact, defaults))].join('\n');
};

const parts = [
  '# Configuration',
  'Every service reads its settings from the environment and validates all of them at start. If a setting is\n' +
    'invalid, the service exits with code 78 and prints a message for each error. This page is generated from\n' +
    'the descriptions in the code (`node tools/generate-docs.mjs`).',
  'Each of them can also be the content of a file: `<variable>_FILE` names it, such as `NATS_PASSWORD_FILE`. A line\n' +
    'break at its end is not part of the value. The file has priority over the variable.',
  '## Every service',
  table(ServiceSettings, []),
  '## Services with tables: auth, resource-api, alert-pipeline, workflow-engine',
  table(DatabaseSettings, [ServiceSettings]),
];
for (const [service, name] of Object.entries(services)) {
  const module = await import(join(root, 'apps', service, 'dist/settings.js'));
  parts.push(`## ${service}`, table(module[name], [DatabaseSettings]));
}
const { integrationTypes, presetSettings, presetVersions, settingsHash } = await import('@ams/domain');
const types = [
  '| type | sender | |',
  '|---|---|---|',
  ...integrationTypes.map(({ type, name, docs }) => `| \`${type}\` | ${name} | ${docs.replaceAll('|', '\\|')} |`),
].join('\n');
const ingest = join(root, 'docs/ingest.md');

const versionsFile = join(root, 'libs/domain/src/presets/preset-versions.ts');
const versions = { ...presetVersions };
for (const { type } of integrationTypes) {
  const present = settingsHash(presetSettings(type));
  const known = versions[type] ?? [];
  if (known.at(-1) !== present) versions[type] = [...known, present];
}
const versionLines = Object.entries(versions).map(([type, hashes]) => {
  const quoted = hashes.map((hash) => `'${hash}'`);
  const line = `  ${type}: [${quoted.join(', ')}],\n`;
  // The form of Prettier.
  return line.length <= 121 ? line : `  ${type}: [\n${quoted.map((hash) => `    ${hash},\n`).join('')}  ],\n`;
});

const { allOperations, announcementOf, operationsOf } = await import('@ams/contracts');
const { documentOf } = await import(join(root, 'apps/api-gateway/dist/docs/document.js'));
const owners = [...new Set(allOperations.map(({ owner }) => owner))].sort();
const openapi = JSON.parse(
  documentOf(
    owners.map((owner) => announcementOf(owner, operationsOf(owner))),
    null,
  ).bytes.toString(),
);
const document = `${JSON.stringify(openapi, null, 2)}\n`;

const lists = join(root, 'docs/lists.md');
const code = (text) => `\`${text}\``;
const listRows = allOperations
  .filter(({ reply, deprecated }) => (reply === 'list' || reply === 'export') && !deprecated)
  .map(({ path }) => ({
    path,
    query: openapi.paths[path].get.parameters.filter((parameter) => parameter.in === 'query'),
  }))
  // The chain of the audit log has one order and no filters.
  .filter(({ query }) => query.some(({ name }) => name === 'sort'))
  .map(({ path, query }) => {
    const sort = query.find(({ name }) => name === 'sort').schema;
    const filters = query.filter(({ name }) => !['limit', 'cursor', 'sort', 'format'].includes(name));
    const several = filters.filter(({ schema }) => schema.type === 'array');
    const cells = [
      several.map(({ name, description }) => code(description.includes('`!` alone') ? `${name} !` : name)),
      filters.filter((filter) => !several.includes(filter)).map(({ name }) => code(name)),
      [code(sort.default), ...sort.enum.filter((value) => value !== sort.default).map(code)],
    ];
    return `| ${code(`GET ${path}`)} | ${cells.map((cell) => cell.join(' ')).join(' | ')} |`;
  });
const listTable = [
  '| list | filters by several values (`!`: `!` alone, too) | other filters | sorts, the default first |',
  '|---|---|---|---|',
  ...listRows,
].join('\n');

const pages = {
  [join(root, 'docs/openapi.json')]: document,
  [versionsFile]: readFileSync(versionsFile, 'utf8').replace(/= \{[^]*\}/, `= {\n${versionLines.join('')}}`),
  [join(root, 'docs/configuration.md')]: `${parts.join('\n\n')}\n`,
  [ingest]: readFileSync(ingest, 'utf8').replace(
    /(<!-- types -->\n)[^]*?(\n<!-- \/types -->)/,
    (_all, before, after) => before + types + after,
  ),
  [lists]: readFileSync(lists, 'utf8').replace(
    /(<!-- lists -->\n)[^]*?(<!-- \/lists -->)/,
    (_all, before, after) => `${before}${listTable}\n${after}`,
  ),
};
if (process.argv.includes('--check')) {
  const stale = Object.entries(pages).filter(
    ([file, text]) => !existsSync(file) || readFileSync(file, 'utf8') !== text,
  );
  for (const [file] of stale) console.error(`${file} is not current: node tools/generate-docs.mjs`);
  process.exit(stale.length === 0 ? 0 : 1);
}
for (const [file, text] of Object.entries(pages)) writeFileSync(file, text);
