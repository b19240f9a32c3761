// Checks that all production dependencies have permissive licences, and that the software bill of materials names all
// of them. Prints each fault and exits with 1 if there is one.
import { licenceFaults } from './lib/licences.mjs';
import { deliveredBill, readLock, sbomFaults } from './lib/sbom.mjs';

const lock = readLock();
const faults = [...licenceFaults(lock), ...sbomFaults(lock, deliveredBill())];
for (const fault of faults) console.error(fault);
process.exit(faults.length === 0 ? 0 : 1);
