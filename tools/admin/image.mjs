// The admin command in a container image: compiled, and without the tools that compile.
import { main } from './main.mjs';

process.exit(await main(process.argv.slice(2)));
