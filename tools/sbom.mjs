// Prints what a release contains, as a software bill of materials (CycloneDX 1.5): npm run sbom --silent
import { deliveredBill } from './lib/sbom.mjs';

console.log(JSON.stringify(deliveredBill(), null, 2));
