import { readFileSync } from 'node:fs';
import { join } from 'node:path';
// eslint-disable-next-line @nx/enforce-module-boundaries -- a tool of the workspace, not a library
import { isPermissive, licenceFaults } from '../../../tools/lib/licences.mjs';
// eslint-disable-next-line @nx/enforce-module-boundaries -- a tool of the workspace, not a library
import { sbomFaults } from '../../../tools/lib/sbom.mjs';
import { root } from './system/replica.js';

const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Parameters<typeof licenceFaults>[0];
const withPackage = (path: string, facts: object) => ({ packages: { ...lock.packages, [path]: facts } });

it('the lock file has no fault', () => {
  expect(licenceFaults(lock)).toEqual([]);
});

it.each([
  ['node_modules/x', { version: '1.0.0', license: 'GPL-3.0-only' }, ['x 1.0.0 has the licence "GPL-3.0-only"']],
  ['node_modules/a/node_modules/@b/c', { version: '2.0.0' }, ['@b/c 2.0.0 has the licence null']],
  ['node_modules/web-push', { version: '4.0.0', license: 'AGPL-3.0' }, ['web-push 4.0.0 has the licence "AGPL-3.0"']],
  ['node_modules/x', { version: '1.0.0', license: 'GPL-3.0-only', dev: true }, []],
])('%s %j', (path, facts, faults) => {
  expect(licenceFaults(withPackage(path, facts))).toEqual(faults);
});

it('an exception that is not needed is a fault', () => {
  const { 'node_modules/web-push': _removed, ...packages } = lock.packages;
  expect(licenceFaults({ packages })).toEqual(['web-push is an exception, and is not installed any more']);
});

it('a package that the software bill of materials leaves out is a fault, and a component without a licence', () => {
  const component = (purl: string) => ({ purl, licenses: [{ license: { id: 'MIT' } }] });
  const packages = { 'node_modules/@b/c': { version: '2.0.0' }, 'node_modules/x': { version: '1.0.0', dev: true } };
  expect(sbomFaults({ packages }, { components: [component('pkg:npm/%40b/c@2.0.0')] })).toEqual([]);
  expect(sbomFaults({ packages }, { components: [{ purl: 'pkg:npm/%40b/c@2.0.1' }] })).toEqual([
    '@b/c 2.0.0 is not in the software bill of materials',
    'pkg:npm/%40b/c@2.0.1 has no licence in the software bill of materials',
  ]);
});

it.each([
  ['MIT', true],
  ['(MIT OR GPL-2.0)', true],
  ['MIT AND GPL-2.0', false],
  ['(MIT AND (BSD-3-Clause OR GPL-2.0))', true],
  ['GPL-2.0 OR MIT AND GPL-2.0', false],
  ['', false],
  ['MIT)', false],
  ['(MIT', false],
  ['SEE LICENSE IN LICENSE', false],
  ['UNLICENSED', false],
])('%j permits it: %j', (expression, permits) => {
  expect(isPermissive(expression)).toBe(permits);
});
