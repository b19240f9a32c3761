/** Faults of a form's values, found by the schema of the API's document, in the words in which the API reports them. */
import { Validator, type OutputUnit, type Schema } from '@cfworker/json-schema';
import type { FieldFault } from '../api/api-error.js';

const validators = new WeakMap<object, Validator>();

/** The faults, first those of outer fields; empty when the API would accept the form of the body. */
export function faultsOf(schema: Schema, value: unknown): FieldFault[] {
  let validator = validators.get(schema);
  if (!validator) validators.set(schema, (validator = new Validator(schema, '2020-12', false)));
  const { valid, errors } = validator.validate(value);
  if (valid) return [];
  const faults = errors.flatMap((error) => faultOf(error, schema, value) ?? []);
  const seen = new Set<string>();
  return faults.filter(({ path, rule }) => {
    const name = `${path} ${rule}`;
    return !seen.has(name) && seen.add(name);
  });
}

/** `#/contacts/0/email` as `contacts[0].email`. */
export function pathOf(location: string): string {
  const parts = location
    .replace(/^#\/?/, '')
    .split('/')
    .filter((part) => part !== '');
  return parts.reduce((path, part) => {
    const name = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    return /^\d+$/.test(name) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
  }, '');
}

/** What the keyword at a location of the schema says. */
function keywordAt(schema: Schema, location: string): unknown {
  const follow = (at: unknown): unknown => {
    const ref = (at as { $ref?: string } | undefined)?.$ref;
    return ref === undefined ? at : valueAt(schema, ref);
  };
  return location
    .replace(/^.*#\/?/, '')
    .split('/')
    .reduce<unknown>(
      (at, part) => (part === '$ref' ? follow(at) : (at as Record<string, unknown> | undefined)?.[part]),
      schema,
    );
}

const valueAt = (schema: Schema, location: string): unknown =>
  location
    .replace(/^#\/?/, '')
    .split('/')
    .reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], schema);

/** Keywords that only say that an inner one has failed. */
const outer = new Set([
  '$ref',
  'properties',
  'items',
  'allOf',
  'additionalProperties',
  'anyOf',
  'oneOf',
  'prefixItems',
  'if',
]);

function faultOf(
  { keyword, instanceLocation, keywordLocation, error }: OutputUnit,
  schema: Schema,
  value: unknown,
): FieldFault | null {
  if (outer.has(keyword)) return null;
  const limit = keywordAt(schema, keywordLocation);
  const path = pathOf(instanceLocation);
  if (keyword === 'required') {
    const missing = /"([^"]+)"/.exec(error)?.[1] ?? '';
    const field = path === '' ? missing : `${path}.${missing}`;
    return { path: field, rule: 'required', message: `${field} is missing` };
  }
  const found = valueAt({ root: value } as unknown as Schema, `#/root/${instanceLocation.replace(/^#\/?/, '')}`);
  return { path, rule: keyword, message: wordsOf(keyword, path, limit, found) ?? `${path} is not valid` };
}

function wordsOf(keyword: string, path: string, limit: unknown, value: unknown): string | null {
  switch (keyword) {
    case 'type':
      return `${path} must be ${[limit].flat().map(typeWord).join(' or ')}`;
    case 'minLength':
      return value === '' ? `${path} must not be empty` : `${path} must have at least ${String(limit)} characters`;
    case 'maxLength':
      return `${path} must have at most ${String(limit)} characters`;
    case 'minimum':
      return `${path} must be at least ${String(limit)}`;
    case 'maximum':
      return `${path} must be at most ${String(limit)}`;
    case 'minItems':
      return `${path} must have at least ${String(limit)} entries`;
    case 'maxItems':
      return `${path} must have at most ${String(limit)} entries`;
    case 'uniqueItems':
      return `${path} must not have the same entry twice`;
    case 'enum':
      return `${path} must be one of ${[limit]
        .flat()
        .filter((word) => word !== null)
        .join(', ')}`;
    case 'format':
      return `${path} must be ${formatWord(limit)}`;
    case 'pattern':
      return `${path} does not have the right form`;
    default:
      return null;
  }
}

const typeWord = (type: unknown): string =>
  ({
    string: 'text',
    integer: 'a whole number',
    number: 'a number',
    boolean: 'true or false',
    array: 'a list',
    object: 'an object',
    null: 'empty',
  })[String(type)] ?? String(type);

const formatWord = (format: unknown): string =>
  ({ email: 'an e-mail address', 'date-time': 'a time such as 2026-01-31T12:00:00Z', uri: 'a URL' })[String(format)] ??
  `a ${String(format)}`;
