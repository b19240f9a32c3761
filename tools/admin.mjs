// `npm run admin -- …`: what an operator does by hand. Works on the embedded installation while it runs, or on the one
// that DATABASE_URL and NATS_URL (NATS_USER, NATS_PASSWORD) name.
import { main } from './admin/main.mjs';

process.exit(await main(process.argv.slice(2)));
