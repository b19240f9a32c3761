// `npm run try:rules -- [FAULT …]`: a real Prometheus watches a new installation while real faults are made, one after
// another. The rules of docker/observability/rules.yaml, made faster, must fire in their fault and only then. Exit code
// 1 on any difference. With names, only these faults are made; their names are in the output of a whole run.
//
// The rules are made faster (try-rules/faster-rules.mjs):
// - `for` and the ranges of counters are divided by 30: 5 minutes become 10 seconds. `for` is at least 8 seconds.
// - The limits of ages in seconds, such as `ams_outbox_oldest_row_seconds > 60`, are divided by 30, too, and are at
//   least 5 seconds. The ages that services renew at longer intervals have a higher least limit, which is in a table.
// - Nothing else changes: rates, parts, numbers, and the durations of requests, pages and the event loop.
//
// Prometheus is a Debian package: from the PATH, or downloaded and unpacked (lib/debian-package.mjs).
import { createReporter } from './lib/reporter.mjs';
import { ensureBuilt, ensureBundled, ensureDependencies, requireNode } from './lib/workspace.mjs';

const report = createReporter();
requireNode(report);
await ensureDependencies(report);
await ensureBuilt(report);
await ensureBundled(report);
const { main } = await import('./try-rules/main.mjs');
try {
  const differences = await main(process.argv.slice(2), report);
  report.line(differences.length === 0 ? 'The rules fire as they must.' : `${differences.length} differences.`);
  process.exit(differences.length === 0 ? 0 : 1);
} catch (error) {
  report.line(`The trial failed: ${error.message}`);
  process.exit(1);
}
