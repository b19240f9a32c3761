// `npm run faults -- [options]`: injects faults into a whole installation under load. See docs/faults.md.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt, ensureBundled, ensureDependencies, requireNode, root } from './lib/workspace.mjs';
import { createReporter } from './lib/reporter.mjs';

const report = createReporter();
requireNode(report);
await ensureDependencies(report);
await ensureBuilt(report);
await ensureBundled(report);
const hooks = pathToFileURL(join(root, 'libs/testing/jest/register-typescript.mjs')).href;
const program = join(root, 'apps/e2e/src/faults/main.ts');
const child = spawn(process.execPath, ['--no-warnings', '--import', hooks, program, ...process.argv.slice(2)], {
  stdio: 'inherit',
});
// A signal of the terminal also reaches the child, which stops the installation and then ends.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined);
child.on('exit', (code) => process.exit(code ?? 1));
