// `tsc` of TypeScript 7, which is several times faster. ESLint needs TypeScript 6, because 7 has no API for it yet, so both
// are installed. Arguments are those of tsc.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './lib/workspace.mjs';

const tsc = join(root, 'node_modules/typescript-native/bin/tsc');
process.exit(spawnSync(process.execPath, [tsc, ...process.argv.slice(2)], { stdio: 'inherit' }).status ?? 1);
