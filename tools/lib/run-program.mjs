import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createReporter } from './reporter.mjs';
import { ensureBuilt, ensureBundled, ensureDependencies, requireNode, root } from './workspace.mjs';

/** Runs a TypeScript program of apps/e2e with the arguments of this process, which ends with its exit code. */
export async function runProgram(program) {
  const report = createReporter();
  requireNode(report);
  await ensureDependencies(report);
  await ensureBuilt(report);
  await ensureBundled(report);
  const hooks = pathToFileURL(join(root, 'libs/testing/jest/register-typescript.mjs')).href;
  const options = ['--no-warnings', '--import', hooks, join(root, program), ...process.argv.slice(2)];
  const child = spawn(process.execPath, options, { stdio: 'inherit' });
  // A signal of the terminal also reaches the child, which stops the installation and then ends.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined);
  child.on('exit', (code) => process.exit(code ?? 1));
}
