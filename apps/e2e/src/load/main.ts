import { main } from './command-line.js';

process.exit(await main(process.argv.slice(2)));
