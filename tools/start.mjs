// `npm start`: runs the whole system on this machine. This file needs only Node: it checks the version, installs
// dependencies and compiles if necessary, and then runs start/run.mjs.
import { parseStartOptions } from './start/options.mjs';
import { requireNode, ensureBundled, ensureDependencies, ensureBuilt } from './lib/workspace.mjs';
import { createReporter } from './lib/reporter.mjs';

const report = createReporter();
const options = parseStartOptions(process.argv.slice(2), report);
requireNode(report);
try {
  await ensureDependencies(report);
  await ensureBuilt(report);
  await ensureBundled(report);
  const { run } = await import('./start/run.mjs');
  await run(options, report);
} catch (error) {
  report.failed(error);
  process.exit(1);
}
