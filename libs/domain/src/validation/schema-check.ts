/**
 * Compiles a schema to a check that reports all errors together, each with path, rule and message, and rejects unknown
 * fields. Only the kinds of schemas that our settings use are supported; others cause an error at start.
 */
import { Kind, OptionalKind, type TObject, type TSchema, type TUnion } from '@sinclair/typebox';
import {
  checkBoolean,
  fieldPath,
  isAbsent,
  isObject,
  listOf,
  oneOf,
  ownValue,
  refuseUnknown,
  textUpTo,
  wholeNumber,
  type Check,
} from './check.js';
import { isBlank } from '../text/text-limits.js';
import { also, fallback, insteadOf, ofNames, patternMessage, type Attached } from './schema.js';

type Schema = TSchema & Attached;
/** Checks of recursive schemas by id, during compilation. */
type Known = Map<string, Check>;

export const checkOf = (schema: TSchema): Check => compile(schema, new Map());

function compile(schema: Schema, known: Known): Check {
  const { $id } = schema;
  // A reference inside the schema is compiled before its check exists.
  if ($id !== undefined) known.set($id, (value, path, report) => check(value, path, report));
  const check: Check = schema[insteadOf] ?? structureOf(schema, known);
  return check;
}

const always: Check = () => undefined;

function structureOf(schema: Schema, known: Known): Check {
  switch (schema[Kind]) {
    case 'Object':
      return objectCheck(schema as TObject & Attached, known);
    case 'Array':
      return arrayCheck(schema, known);
    case 'Record':
      return mapCheck(schema, known);
    case 'Union':
      return unionCheck(schema as TUnion & Attached, known);
    case 'String':
      return textCheck(schema);
    case 'Integer':
      return wholeNumber(schema.minimum as number, schema.maximum as number);
    case 'Boolean':
      return checkBoolean;
    case 'This':
      return known.get(schema.$ref as string)!;
    default:
      throw new TypeError(`there is no check for the schema ${JSON.stringify(schema)}`);
  }
}

const then =
  (check: Check, next: Check = always): Check =>
  (value, path, report) => {
    check(value, path, report);
    next(value, path, report);
  };

/** A field that must be sent, or may be left out or null. */
function fieldCheck(schema: Schema, known: Known): Check {
  const check = compile(schema, known);
  const isOptional = OptionalKind in schema;
  return (value, path, report) => {
    if (!isAbsent(value)) check(value, path, report);
    else if (!isOptional && !(value === null && isNullable(schema))) report(path, 'required', 'is missing');
  };
}

function objectCheck(schema: TObject & Attached, known: Known): Check {
  const fields = Object.entries(schema.properties).map(([key, field]) => [key, fieldCheck(field, known)] as const);
  const isOpen = schema.additionalProperties !== false;
  const next = schema[also] ?? always;
  return (value, path, report) => {
    if (!isObject(value)) return report(path, 'type', 'must be an object');
    if (!isOpen) refuseUnknown(value, (key) => Object.hasOwn(schema.properties, key), path, report);
    for (const [key, check] of fields) check(ownValue(value, key), fieldPath(path, key), report);
    next(value, path, report);
  };
}

function arrayCheck(schema: Schema, known: Known): Check {
  const entries = listOf(
    compile(schema.items as Schema, known),
    (schema.maxItems as number | undefined) ?? Infinity,
    (schema.minItems as number | undefined) ?? 0,
  );
  const check = schema.uniqueItems === true ? then(entries, checkUnique) : entries;
  const next = schema[also] ?? always;
  return (value, path, report) => {
    check(value, path, report);
    if (Array.isArray(value)) next(value, path, report);
  };
}

/** Reports duplicate values in a list, at `field` of the later entry. */
export const uniqueBy =
  (identity: (entry: unknown) => unknown, field = ''): Check =>
  (value, path, report) => {
    if (!Array.isArray(value)) return;
    const seen = new Set<unknown>();
    value.forEach((entry, index) => {
      const key = identity(entry);
      if (!isAbsent(key) && typeof key !== 'object' && seen.has(key))
        report(`${path}[${index}]${field}`, 'unique', 'is a duplicate');
      seen.add(key);
    });
  };

const checkUnique = uniqueBy((entry) => entry);

function mapCheck(schema: Schema, known: Known): Check {
  const [valueSchema] = Object.values(schema.patternProperties as Record<string, Schema>);
  const check = compile(valueSchema!, known);
  const checkName = schema[ofNames] ?? always;
  const next = schema[also] ?? always;
  const most = (schema.maxProperties as number | undefined) ?? Infinity;
  return (value, path, report) => {
    if (!isObject(value)) return report(path, 'type', 'must be an object');
    const entries = Object.entries(value);
    if (entries.length < ((schema.minProperties as number | undefined) ?? 0))
      return report(path, 'required', 'must have at least one entry');
    if (entries.length > most) return report(path, 'maxItems', `must have at most ${most} entries`);
    for (const [name, entry] of entries) {
      const at = entryPath(path, name);
      checkName(name, at, report);
      check(entry, at, report);
    }
    next(value, path, report);
  };
}

/** The path of an entry of a map; its name may be any text. */
export const entryPath = (path: string, name: string): string => `${path}[${JSON.stringify(name)}]`;

function textCheck(schema: Schema): Check {
  const { minLength, maxLength, pattern } = schema as { minLength?: number; maxLength?: number; pattern?: string };
  const length = textUpTo(maxLength ?? Infinity);
  const form = pattern === undefined ? null : new RegExp(pattern, 'u');
  const message = schema[patternMessage] ?? `must match ${pattern}`;
  return (value, path, report) => {
    if (typeof value === 'string' && minLength !== undefined && isBlank(value))
      report(path, 'required', 'must not be empty');
    else if (form !== null && typeof value === 'string' && value.length <= (maxLength ?? Infinity) && !form.test(value))
      report(path, 'format', message);
    else length(value, path, report);
  };
}

// --- Unions ---------------------------------------------------------------------------------------------------------

const isNullable = (schema: TSchema): boolean =>
  schema[Kind] === 'Union' && (schema as TUnion).anyOf.some((member) => member[Kind] === 'Null');

function unionCheck(schema: TUnion & Attached, known: Known): Check {
  const members = schema.anyOf.filter((member) => member[Kind] !== 'Null');
  const next = schema[also] ?? always;
  const check = memberCheck(members, known);
  return members.length === schema.anyOf.length
    ? then(check, next)
    : (value, path, report) => {
        if (value !== null) then(check, next)(value, path, report);
      };
}

function memberCheck(members: readonly TSchema[], known: Known): Check {
  if (members.length === 1) return compile(members[0]!, known);
  if (members.every((member) => member[Kind] === 'Literal'))
    return oneOf(members.map((member) => member.const as string));
  const objects = members as TObject[];
  return objects.every(({ properties }) => properties.type?.[Kind] === 'Literal')
    ? typedCheck(objects, known)
    : keyedCheck(objects, known);
}

/** Objects that are distinguished by the literal in their field `type`. */
function typedCheck(members: readonly TObject[], known: Known): Check {
  const checks = new Map(
    members.map((member) => {
      const { type, ...others } = member.properties;
      const rest = { ...member, properties: { type: { ...type!, [insteadOf]: always }, ...others } };
      return [type!.const as string, compile(rest as TObject, known)];
    }),
  );
  const checkType = oneOf([...checks.keys()]);
  return (value, path, report) => {
    if (!isObject(value)) return report(path, 'type', 'must be an object');
    const type = ownValue(value, 'type');
    if (isAbsent(type)) return report(fieldPath(path, 'type'), 'required', 'is missing');
    checkType(type, fieldPath(path, 'type'), report);
    checks.get(type as string)?.(value, path, report);
  };
}

/**
 * Objects that are distinguished by their fields: all but the last form have one specific field each. The last form
 * applies when none of these fields is present.
 */
function keyedCheck(members: readonly TObject[], known: Known): Check {
  const checkOfLast = compile(members.at(-1)!, known);
  const checks = new Map(
    members.slice(0, -1).map(({ properties }) => {
      const [[key, field]] = Object.entries(properties) as [[string, TSchema]];
      return [key, compile(field, known)];
    }),
  );
  const keys = [...checks.keys()];
  const forms = [...keys, ...Object.keys(members.at(-1)!.properties).slice(0, 1)].map((key) => `{${key}}`).join(', ');
  return (value, path, report) => {
    if (!isObject(value)) return report(path, 'type', `must be an object: one of ${forms}`);
    const found = keys.filter((key) => Object.hasOwn(value, key));
    if (found.length === 0) return checkOfLast(value, path, report);
    if (found.length > 1) report(path, 'exclusive', `must have only one of ${found.join(', ')}`);
    refuseUnknown(value, (key) => checks.has(key), path, report);
    for (const key of found) checks.get(key)!(value[key], fieldPath(path, key), report);
  };
}

// --- The stored form ------------------------------------------------------------------------------------------------

/** Fills missing fields that have a fallback, and replaces null where it is not allowed. Requires a valid value. */
export function filled(schema: TSchema, value: unknown): unknown {
  switch (schema[Kind]) {
    case 'Array':
      return (value as unknown[]).map((entry) => filled(schema.items as TSchema, entry));
    case 'Union':
      return isObject(value) ? filledMember((schema as TUnion).anyOf, value) : value;
    case 'Object':
      return filledObject((schema as TObject).properties, value as Record<string, unknown>);
    default:
      return value;
  }
}

function filledMember(members: readonly TSchema[], value: Record<string, unknown>): unknown {
  const typed = members.find(
    (member) =>
      member[Kind] === 'Object' &&
      'type' in (member as TObject).properties &&
      (member as TObject).properties.type?.const === value.type,
  );
  return typed === undefined ? withoutNulls(value) : filled(typed, value);
}

const withoutNulls = (value: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).filter(([, sent]) => !isAbsent(sent)));

/** In the order of the schema. */
const filledObject = (properties: Record<string, Schema>, value: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(properties).flatMap(([key, field]) => {
      const sent = ownValue(value, key);
      if (!isAbsent(sent)) return [[key, filled(field, sent)]];
      return fallback in field ? [[key, filled(field, copyOf(field[fallback]))]] : [];
    }),
  );

/** The stored value may be modified, so the fallback is copied; it is flat. */
const copyOf = (value: unknown): unknown =>
  Array.isArray(value) ? [...(value as unknown[])] : isObject(value) ? { ...value } : value;
