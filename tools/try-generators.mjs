// Tests clients of other generators: each generates code from docs/openapi.json in a temporary folder, and our
// TypeScript compiles it. The generated zod schemas parse the examples of the document. With a URL and a key, the
// generated clients list alerts, and the zod schemas parse the answers of all lists. Exit code 0 on success.
//
//   node tools/try-generators.mjs [<URL of the API, with /api/v1> <key with all scopes for reading>]
//
// The generators are not dependencies of this project (ADR 30): npm installs them in the temporary folder, so this
// needs the registry.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './lib/workspace.mjs';

const document = join(root, 'docs/openapi.json');
const { paths } = JSON.parse(readFileSync(document, 'utf8'));
const [baseUrl, key] = process.argv.slice(2);

/** The newest versions that run on Node 20. TypeScript is ours, because the newest has no API for generators. */
const packages = [
  '@hey-api/openapi-ts@0.95.0',
  'orval@7.13.2',
  'openapi-zod-client@1.18.3',
  '@zodios/core@10.9.6',
  'axios@1.21.1',
  'zod@3.25.76',
  `typescript@${JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).devDependencies.typescript}`,
];

const compilerOptions = {
  strict: true,
  target: 'ES2022',
  module: 'CommonJS',
  moduleResolution: 'bundler',
  lib: ['ES2022', 'DOM', 'DOM.Iterable'],
  types: [],
  skipLibCheck: true, // the declarations of the libraries are not ours
  rootDir: '.',
  outDir: 'compiled',
};

const orvalConfig = {
  client: {
    input: document,
    output: { target: 'orval/client.ts', client: 'fetch', baseUrl: baseUrl ?? 'http://localhost/api/v1' },
  },
  schemas: {
    input: document,
    output: {
      target: 'orval/schemas.ts',
      client: 'zod',
      override: { zod: { generateEachHttpStatus: true } }, // without it, there are no schemas for 201
    },
  },
};

const generators = [
  {
    name: '@hey-api/openapi-ts',
    command: ['openapi-ts', '--silent', '--no-log-file', '--input', document, '--output', 'hey-api'],
    program: `
import { listAlerts, type Alert, type Integration } from './hey-api';
import { client } from './hey-api/client.gen';

export async function list(baseUrl: string, auth: string): Promise<string[]> {
  client.setConfig({ baseUrl, auth });
  const { data, error } = await listAlerts({ query: { status: ['firing', 'acknowledged', 'resolved'], limit: 10 } });
  if (error) throw new Error(\`\${error.code}: \${error.error}\`);
  return data.data.map(({ title, acknowledgedBy }) => \`\${title} \${acknowledgedBy?.name ?? ''}\`);
}
`,
  },
  {
    name: 'orval',
    command: ['orval', '--config', 'orval.config.cjs'],
    program: `
import { listAlerts, type Alert, type Integration } from './orval/client';
import * as schemas from './orval/schemas';

export async function list(_baseUrl: string, key: string): Promise<string[]> {
  const headers = { authorization: \`Bearer \${key}\` };
  const { status, data } = await listAlerts({ status: ['firing', 'acknowledged', 'resolved'], limit: 10 }, { headers });
  if (status !== 200) throw new Error(\`\${data.code}: \${data.error}\`);
  return data.data.map(({ title, acknowledgedBy }) => \`\${title} \${acknowledgedBy?.name ?? ''}\`);
}

export const schemaOf = (operationId: string, status: string) =>
  (schemas as unknown as Record<string, { parse(value: unknown): unknown }>)[
    \`\${operationId}\${status}Response\`
  ];
`,
  },
  {
    name: 'openapi-zod-client',
    command: ['openapi-zod-client', document, '--output', 'zod-client.ts', '--export-schemas', '--with-deprecated'],
    program: `
import { api, createApiClient, type schemas } from './zod-client';
import type { z } from 'zod';

type Alert = z.infer<typeof schemas.Alert>;
type Integration = z.infer<typeof schemas.Integration>;

export async function list(baseUrl: string, key: string): Promise<string[]> {
  const headers = { authorization: \`Bearer \${key}\` };
  // The API accepts repeated parameters, but not the names with brackets that axios makes by default.
  const axiosConfig = { headers, paramsSerializer: { indexes: null } };
  const { data } = await createApiClient(baseUrl, { axiosConfig }).listAlerts({
    queries: { status: ['firing', 'acknowledged', 'resolved'], limit: 10 },
  });
  return data.map(({ title, acknowledgedBy }) => \`\${title} \${acknowledgedBy?.name ?? ''}\`);
}

export const schemaOf = (operationId: string) => api.api.find(({ alias }) => alias === operationId)?.response;
`,
  },
];

/** The types must say what may be null. */
const typeTest = `
export function mayBeNull(alert: Alert, integration: Integration): unknown {
  // @ts-expect-error: a reference that may be null
  const name = alert.acknowledgedBy.name;
  // @ts-expect-error: an enum that may be null
  const length = integration.defaultSeverity.length;
  return [name, length];
}
`;

const folder = mkdtempSync(join(tmpdir(), 'generators-'));

function step(what, command, args) {
  const { status, error, stdout } = spawnSync(command, args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${what}: ${error?.message ?? `ended with ${status}`}\n${stdout ?? ''}`);
  console.log(`  ok  ${what}`);
}

const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
);

function parseExamples(name, schemaOf) {
  let parsed = 0;
  for (const { operationId, responses } of operations) {
    const [status, response] = Object.entries(responses).find(([code]) => code < '300');
    const example = response.content?.['application/json']?.example;
    if (example === undefined) continue;
    parse(name, schemaOf, operationId, status, example);
    parsed++;
  }
  if (parsed < 50) throw new Error(`${name}: only ${parsed} examples were parsed`);
  console.log(`  ok  ${name}: ${parsed} examples of answers`);
}

async function parseLists(name, schemaOf) {
  const lists = operations.filter(
    ({ path, method, security }) =>
      method === 'get' &&
      security.some((one) => 'apiKey' in one) &&
      !path.includes('{') &&
      path !== '/stream' &&
      !path.endsWith('/export'),
  );
  for (const { path, operationId } of lists) {
    const answer = await fetch(`${baseUrl}${path}`, { headers: { authorization: `Bearer ${key}` } });
    const body = await answer.json();
    if (!answer.ok) throw new Error(`GET ${path}: ${JSON.stringify(body)}`);
    parse(name, schemaOf, operationId, String(answer.status), body);
  }
  console.log(`  ok  ${name}: the answers of ${lists.length} lists`);
}

function parse(name, schemaOf, operationId, status, value) {
  const schema = schemaOf(operationId, status);
  if (schema === undefined) throw new Error(`${name} has no schema for the answer of ${operationId}`);
  try {
    schema.parse(value);
  } catch (error) {
    throw new Error(`${name}: the answer of ${operationId}: ${error.message}`, { cause: error });
  }
}

const fileOf = ({ name }) => `try-${name.replace(/\W+/g, '-')}`;

try {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true }));
  writeFileSync(join(folder, 'orval.config.cjs'), `module.exports = ${JSON.stringify(orvalConfig)};`);
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['*.ts', 'hey-api', 'orval'] }),
  );
  step('installed', 'npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages]);
  for (const generator of generators) {
    step(`generated by ${generator.name}`, 'npx', ['--no-install', ...generator.command]);
    writeFileSync(join(folder, `${fileOf(generator)}.ts`), `${generator.program}${typeTest}`);
  }
  step('compiled', process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', '.']);
  for (const generator of generators) {
    const { name } = generator;
    const { list, schemaOf } = createRequire(import.meta.url)(join(folder, `compiled/${fileOf(generator)}.js`));
    if (schemaOf) parseExamples(name, schemaOf);
    if (!baseUrl || !key) continue;
    console.log(`  ok  ${name}: ${(await list(baseUrl, key)).length} alerts`);
    if (schemaOf) await parseLists(name, schemaOf);
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
