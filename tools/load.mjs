// `npm run load -- --profile NAME [options]`: sends events at planned rates, and checks that nothing is lost. See
// docs/load.md.
import { runProgram } from './lib/run-program.mjs';

await runProgram('apps/e2e/src/load/main.ts');
