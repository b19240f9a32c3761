// `npm run faults -- [options]`: injects faults into a whole installation under load. See docs/faults.md.
import { runProgram } from './lib/run-program.mjs';

await runProgram('apps/e2e/src/faults/main.ts');
