/**
 * Settings that are trees (conditions, steps, layers) are said once, as a TypeBox schema: `Static` gives the type,
 * `checkOf` (schema-check.ts) the check with our faults, and the contracts make the OpenAPI document of it.
 *
 * What JSON Schema cannot say is attached to a schema under a symbol, which no document shows.
 */
import { Type, type Static, type TSchema } from '@sinclair/typebox';
import type { Check } from './check.js';

/** A check that runs after that of the schema, on a value of the schema's basic type: what the parts must be together. */
export const also = Symbol('also');
/** A check in place of that of the schema, for a leaf whose rule JSON Schema cannot say. */
export const insteadOf = Symbol('insteadOf');
/** A check of each name in a map; gets the name as the value and the path of the entry. */
export const ofNames = Symbol('ofNames');
/** What must be, for a text that does not match the pattern. */
export const patternMessage = Symbol('patternMessage');
/** What a field that is left out, or is null, is stored as. */
export const fallback = Symbol('fallback');

export interface Attached {
  [also]?: Check;
  [insteadOf]?: Check;
  [ofNames]?: Check;
  [patternMessage]?: string;
  [fallback]?: unknown;
}

const attached = <Schema extends TSchema>(schema: Schema, more: Attached): Schema => ({ ...schema, ...more });

export const withRule = <Schema extends TSchema>(schema: Schema, check: Check): Schema =>
  attached(schema, { [also]: check });

export const checkedBy = <Schema extends TSchema>(schema: Schema, check: Check): Schema =>
  attached(schema, { [insteadOf]: check });

export const withNames = <Schema extends TSchema>(schema: Schema, check: Check): Schema =>
  attached(schema, { [ofNames]: check });

/** A field that may be left out, or be null, and is stored as `value` then. */
export const optionalOr = <Schema extends TSchema>(value: Static<Schema> | null, schema: Schema) =>
  Type.Optional(attached(schema, { [fallback]: value }));

interface Documented {
  description?: string;
}

/** A text with something visible in it. */
export const visibleText = (maxLength: number, documented: Documented = {}) =>
  Type.String({ minLength: 1, maxLength, ...documented });

export const textOfForm = (pattern: string, message: string, more: Documented & { maxLength?: number } = {}) =>
  attached(Type.String({ pattern, ...more }), { [patternMessage]: message });

export const oneOfWords = <const Word extends string>(words: readonly Word[], documented: Documented = {}) =>
  Type.Unsafe<Word>(
    Type.Union(
      words.map((word) => Type.Literal(word)),
      documented,
    ),
  );

export const orNull = <Schema extends TSchema>(schema: Schema) => {
  const { description, ...rest } = schema;
  return Type.Union([rest as Schema, Type.Null()], description === undefined ? {} : { description });
};

/** An object with these fields and no others. */
export const closedObject: typeof Type.Object = (properties, options = {}) =>
  Type.Object(properties, { ...options, additionalProperties: false });
