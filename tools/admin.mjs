// `npm run admin -- …`: manual operations for operators. Uses the running embedded installation, or the one at
// DATABASE_URL and NATS_URL (NATS_USER, NATS_PASSWORD).
import { main } from './admin/main.mjs';
import { createReporter } from './lib/reporter.mjs';
import { ensureBuilt } from './lib/workspace.mjs';

process.exit(await main(process.argv.slice(2), () => ensureBuilt(createReporter(process.stderr))));
