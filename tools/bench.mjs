// `npm run bench -- [workload …]`: measures this system and reference systems in the same run. See bench/README.md.
import { ensureBuilt, ensureBundled, ensureDependencies, requireNode } from './lib/workspace.mjs';
import { createReporter } from './lib/reporter.mjs';

const report = createReporter();
requireNode(report);
await ensureDependencies(report);
await ensureBuilt(report);
await ensureBundled(report);
const { main } = await import('./bench/main.mjs');
process.exit(await main(process.argv.slice(2), report));
