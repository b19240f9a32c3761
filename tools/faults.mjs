// `npm run faults -- [options]`: injects faults into a whole installation under load. See docs/faults.md.
import '../libs/testing/jest/register-typescript.mjs';
import { ensureBuilt, ensureBundled, ensureDependencies, requireNode } from './lib/workspace.mjs';
import { createReporter } from './lib/reporter.mjs';

const report = createReporter();
requireNode(report);
await ensureDependencies(report);
await ensureBuilt(report);
await ensureBundled(report);
const { main } = await import('../apps/e2e/src/faults/command-line.ts');
process.exit(await main(process.argv.slice(2)));
