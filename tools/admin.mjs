// `npm run admin -- …`: manual operations for operators. Uses the running embedded installation, or the one at
// DATABASE_URL and NATS_URL (NATS_USER, NATS_PASSWORD).
import { main } from './admin/main.mjs';

process.exit(await main(process.argv.slice(2)));
