// Checks that all production dependencies have permissive licences. Prints each fault and exits with 1 if there is one.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { licenceFaults } from './lib/licences.mjs';
import { root } from './lib/workspace.mjs';

const faults = licenceFaults(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
for (const fault of faults) console.error(fault);
process.exit(faults.length === 0 ? 0 : 1);
