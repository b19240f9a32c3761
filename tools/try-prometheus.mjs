// `node tools/try-prometheus.mjs`: a real Prometheus and a real Alertmanager send to a new installation, with long
// texts and 200 alerts in a group. Their programs and ours are killed while alerts fire and resolve. After each phase our
// firing alerts must be those of Alertmanager's own list. Exit code 1 on any difference.
//
// Both programs are Debian packages: from the PATH, or downloaded and unpacked (lib/debian-package.mjs).
import { createReporter } from './lib/reporter.mjs';
import { ensureBuilt, ensureBundled, ensureDependencies, requireNode } from './lib/workspace.mjs';

const report = createReporter();
requireNode(report);
await ensureDependencies(report);
await ensureBuilt(report);
await ensureBundled(report);
const { main } = await import('./try-prometheus/main.mjs');
try {
  const faults = await main(report);
  report.line(faults.length === 0 ? 'Prometheus and Alertmanager work.' : `${faults.length} faults.`);
  process.exit(faults.length === 0 ? 0 : 1);
} catch (error) {
  report.line(`The trial failed: ${error.message}`);
  process.exit(1);
}
