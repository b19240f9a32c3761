// The licences of what is delivered: each production dependency must have one of the permissive licences below.
import { deliveredPackages } from './sbom.mjs';

/** SPDX identifiers. */
const permissive = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Python-2.0',
  'Unlicense',
]);

/** Packages with another licence that is accepted, each with the reason. */
const accepted = {
  'web-push': {
    licence: 'MPL-2.0',
    reason: 'applies to the files of the package alone, which are used unchanged',
  },
};

/** Whether an SPDX expression (`A`, `(A OR B)`, `A AND B`) permits what a permissive licence does. */
export function isPermissive(expression) {
  const tokens = expression.match(/[()]|[^\s()]+/g) ?? [];
  let at = 0;
  const one = () => {
    if (tokens[at] !== '(') return permissive.has(tokens[at++]);
    at++;
    const inner = any();
    return tokens[at++] === ')' && inner;
  };
  const all = () => {
    let result = one();
    for (; tokens[at] === 'AND';) {
      at++;
      result = one() && result;
    }
    return result;
  };
  function any() {
    let result = all();
    for (; tokens[at] === 'OR';) {
      at++;
      result = all() || result;
    }
    return result;
  }
  const result = any();
  return result && at === tokens.length;
}

/**
 * A sentence for each production dependency in the lock file whose licence is not accepted, and for each exception that
 * is not needed any more.
 */
export function licenceFaults(lock) {
  const unused = new Set(Object.keys(accepted));
  const faults = [];
  for (const { name: installed, license, version } of deliveredPackages(lock)) {
    const exception = Object.hasOwn(accepted, installed) ? accepted[installed] : undefined;
    if (exception) unused.delete(installed);
    if (typeof license === 'string' && (exception?.licence === license || isPermissive(license))) continue;
    faults.push(`${installed} ${version} has the licence ${JSON.stringify(license ?? null)}`);
  }
  return [...faults, ...[...unused].map((name) => `${name} is an exception, and is not installed any more`)];
}
