// The software bill of materials of a release: the production dependencies and the packages of this workspace.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './workspace.mjs';

export const readLock = () => JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));

/** The production dependencies in the lock file. */
export const deliveredPackages = ({ packages }) =>
  Object.entries(packages).flatMap(([path, { name, license, version, dev, link }]) => {
    const at = path.lastIndexOf('node_modules/');
    return at === -1 || dev || link
      ? []
      : [{ name: name ?? path.slice(at + 'node_modules/'.length), license, version }];
  });

const purlOf = ({ name, version }) => `pkg:npm/${name}@${version}`;

/**
 * CycloneDX 1.5. `npm sbom --omit dev` leaves out half of the production dependencies of a workspace, so that the whole
 * bill is asked for, and what is only for development is removed here.
 */
export function deliveredBill() {
  const format = ['--sbom-format', 'cyclonedx', '--sbom-type', 'application'];
  const printed = execFileSync('npm', ['sbom', '--package-lock-only', ...format], {
    cwd: root,
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const bill = JSON.parse(printed.toString());
  const delivered = new Set(deliveredPackages(readLock()).map(purlOf));
  const components = bill.components.filter(({ purl, properties = [] }) => {
    const isOwn = properties.some(({ name, value }) => name === 'cdx:npm:package:private' && value === 'true');
    return isOwn || delivered.has(decodeURIComponent(purl));
  });
  const refs = new Set([bill.metadata.component['bom-ref'], ...components.map((component) => component['bom-ref'])]);
  const dependencies = bill.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => refs.has(other)) }));
  return { ...bill, components, dependencies };
}

/** A sentence for each production dependency that the bill does not name, and for each component without a licence. */
export function sbomFaults(lock, { components }) {
  const named = new Set(components.map(({ purl }) => decodeURIComponent(purl)));
  return [
    ...deliveredPackages(lock)
      .filter((delivered) => !named.has(purlOf(delivered)))
      .map(({ name, version }) => `${name} ${version} is not in the software bill of materials`),
    ...components
      .filter(({ licenses }) => !licenses?.length)
      .map(({ purl }) => `${purl} has no licence in the software bill of materials`),
  ];
}
