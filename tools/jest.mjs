// Runs Jest for the project in the current folder. Node itself loads the TypeScript sources. Arguments are passed to
// Jest.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const own = join(process.cwd(), 'jest.config.mjs');
const config = existsSync(own) ? own : join(root, 'jest.config.mjs');
const { status } = spawnSync(
  process.execPath,
  [
    '--no-warnings',
    '--import',
    join(root, 'libs/testing/jest/register-typescript.mjs'),
    join(root, 'node_modules/jest/bin/jest.js'),
    '--config',
    config,
    '--rootDir',
    process.cwd(),
    ...process.argv.slice(2),
    '--reporters=default',
    `--reporters=${join(root, 'tools/lib/results-reporter.mjs')}`,
  ],
  { stdio: 'inherit' },
);
process.exit(status ?? 1);
