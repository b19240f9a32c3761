/** The published package: packed with npm, installed in a project outside the workspace, compiled and run there. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startExampleServer } from '../testing/example-server.js';

const own = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const modules = resolve(own, '../../node_modules');
const env = { ...process.env, npm_config_update_notifier: 'false' };
const run = async (file: string, args: string[], cwd: string): Promise<string> =>
  (await promisify(execFile)(file, args, { cwd, env })).stdout;

const project = mkdtempSync(join(tmpdir(), 'ams-client-'));
const installed = join(project, 'node_modules/@ams/client');
afterAll(() => rmSync(project, { recursive: true, force: true }));

beforeAll(async () => {
  mkdirSync(installed, { recursive: true });
  await run('npm', ['pack', '--pack-destination', project, '--loglevel=error'], own);
  const [archive] = readdirSync(project).filter((name) => name.endsWith('.tgz'));
  await run('tar', ['xzf', join(project, archive as string), '-C', installed, '--strip-components=1'], project);
  symlinkSync(join(modules, 'openapi-fetch'), join(project, 'node_modules/openapi-fetch'));
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
});

it('holds the compiled client, its types and sources, the readme and the licence, and no tests', () => {
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' });
  expect(files).toEqual(
    expect.arrayContaining([
      'LICENSE',
      'README.md',
      'package.json',
      'dist/index.js',
      'dist/index.d.ts',
      'dist/schema.d.ts',
      'src/index.ts',
    ]),
  );
  expect(files.filter((name) => /spec|testing/.test(name))).toEqual([]);
});

it('needs no other package of this workspace', () => {
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
    private?: boolean;
    license: string;
  };
  expect(manifest).toMatchObject({ dependencies: { 'openapi-fetch': expect.any(String) }, license: 'Apache-2.0' });
  expect([Object.keys(manifest.dependencies), manifest.private]).toEqual([['openapi-fetch'], undefined]);
});

it('compiles in a strict external project: the example of the readme', async () => {
  const [, example] = /```ts\n([^]*?)```/.exec(readFileSync(join(installed, 'README.md'), 'utf8')) as unknown as [
    string,
    string,
  ];
  writeFileSync(join(project, 'example.ts'), example);
  const compilerOptions = {
    strict: true,
    target: 'ES2022',
    module: 'NodeNext',
    lib: ['ES2022', 'DOM', 'DOM.Iterable'],
    types: [],
    noEmit: true,
    skipLibCheck: false,
  };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['example.ts'] }));
  expect(await run(process.execPath, [join(modules, 'typescript/bin/tsc'), '-p', '.'], project)).toBe('');
});

it('runs in plain Node', async () => {
  const server = await startExampleServer();
  const program = `
    import { createAlertClient, pages } from '@ams/client';
    const client = createAlertClient({ baseUrl: process.argv[2], apiKey: 'svc_test_x' });
    for await (const { data } of pages(client, '/alerts')) console.log(data.data[0].title);`;
  writeFileSync(join(project, 'list.js'), program);
  expect(await run(process.execPath, ['list.js', server.baseUrl], project)).toBe('High CPU\n');
  await server.stop();
});
