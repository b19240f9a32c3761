/**
 * Checks input from outside against a DTO. It reports every fault at once, and refuses unknown fields and text that the
 * database cannot store, at any depth: handlers do not have to check this.
 */
import 'reflect-metadata';
import { Fault, type Class, type FieldFault } from '@ams/contracts';
import { unstorableTexts } from '@ams/domain';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validateSync, type ValidationError } from 'class-validator';

type Unknown = (path: string) => string;

function flatten(errors: ValidationError[], unknown: Unknown, prefix = '', out: FieldFault[] = []): FieldFault[] {
  for (const error of errors) {
    const path =
      prefix === ''
        ? error.property
        : /^\d+$/.test(error.property)
          ? `${prefix}[${error.property}]`
          : `${prefix}.${error.property}`;
    for (const [constraint, message] of Object.entries(error.constraints ?? {})) {
      if (constraint === 'whitelistValidation') out.push({ path, rule: 'unknown', message: unknown(path) });
      else out.push({ path, rule: constraint, message });
    }
    flatten(error.children ?? [], unknown, path, out);
  }
  return out;
}

const maxFaults = 100;

const storableFaults = (input: object): FieldFault[] =>
  unstorableTexts(input, maxFaults).map(({ path, in: place }) => ({
    path,
    rule: 'storable',
    message:
      place === 'text'
        ? `${path} must not contain U+0000 or half of a surrogate pair`
        : `a name in ${path || 'the request'} contains U+0000 or half of a surrogate pair`,
  }));

export interface ValidateOptions {
  /** Faults that the rules of the class do not cover. */
  check?: ((input: Record<string, unknown>) => FieldFault[]) | undefined;
  /** Whether text may contain characters that the database cannot store. */
  verbatim?: boolean | undefined;
}

export function validate<T>(
  dto: Class<T>,
  input: unknown,
  what: 'body' | 'query',
  { check, verbatim = false }: ValidateOptions = {},
): T {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new Fault('VALIDATION_ERROR', {
      fields: [{ path: '', rule: 'object', message: `The ${what} must be a JSON object.` }],
    });
  }
  const instance = instanceOf(dto, input as Record<string, unknown>);
  const errors = validateSync(instance as object, {
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
    validationError: { target: false, value: false },
  });
  const unknown = what === 'query' ? unknownParameter(dto) : unknownField;
  const faults = [
    ...(verbatim ? [] : storableFaults(input)),
    ...swallowed(input, unknown),
    ...flatten(errors, unknown),
    ...(check?.(input as Record<string, unknown>) ?? []),
  ];
  if (faults.length > 0) throw new Fault('VALIDATION_ERROR', { fields: faults.slice(0, maxFaults) });
  return instance;
}

/** Names that class-transformer drops silently. At the top level they are refused as unknown, too. */
const swallowed = (input: object, unknown: Unknown): FieldFault[] =>
  ['__proto__', 'constructor']
    .filter((name) => Object.hasOwn(input, name))
    .map((path) => ({ path, rule: 'unknown', message: unknown(path) }));

const unknownField: Unknown = (path) => `${path} is not a field of this request`;

/** Says which parameters there are. */
function unknownParameter(dto: Class<unknown>): Unknown {
  const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  const names = [...new Set(rules.map(({ propertyName }) => propertyName))].sort().join(', ');
  return (path) => `${path} is not a parameter of this request, which has ${names}`;
}

/**
 * class-transformer gets only texts, numbers and lists of them: in an object it would drop names, and mistake a field
 * named `constructor` for the constructor. Objects that a class describes are created here, others are not changed.
 */
function instanceOf<T>(dto: Class<T>, input: Record<string, unknown>): T {
  const simple: Record<string, unknown> = {};
  const objects: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(input)) {
    if (name === '__proto__' || name === 'constructor') continue;
    if (!holdsObjects(value)) simple[name] = value;
    else {
      const described = Array.isArray(value) ? null : describedBy(dto, name);
      objects[name] = described ? instanceOf(described, value as Record<string, unknown>) : value;
    }
  }
  return Object.assign(plainToInstance(dto, simple, { enableImplicitConversion: false }) as object, objects) as T;
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;
const holdsObjects = (value: unknown): boolean => (Array.isArray(value) ? value.some(isObject) : isObject(value));

/** The class of a nested DTO. */
function describedBy(dto: Class<unknown>, name: string): Class<unknown> | null {
  const type: unknown = Reflect.getMetadata('design:type', dto.prototype as object, name);
  return typeof type === 'function' && ![Object, Array, String, Number, Boolean].includes(type as never)
    ? (type as Class<unknown>)
    : null;
}

/** The query of an operation without query parameters. */
export function noParameters(query: Record<string, unknown>): void {
  const names = Object.keys(query);
  if (names.length > 0) {
    throw new Fault('VALIDATION_ERROR', {
      fields: names
        .slice(0, 100)
        .map((path) => ({ path, rule: 'unknown', message: `${path} is not a parameter of this request` })),
    });
  }
}
