/**
 * Settings that are trees (conditions, steps, layers) are defined once, as TypeBox schemas: `Static` gives the type,
 * `checkOf` (schema-check.ts) the validation, and the contracts generate the OpenAPI schema from it.
 *
 * Rules that JSON Schema cannot express are attached to a schema under a symbol, which documents do not show.
 */
import { Type, type Static, type TSchema } from '@sinclair/typebox';
import type { Check } from './check.js';

/** A check that runs after that of the schema, on a value of the schema's basic type, for rules across its parts. */
export const also = Symbol('also');
/** A check that replaces that of the schema, for a leaf whose rule JSON Schema cannot express. */
export const insteadOf = Symbol('insteadOf');
/** A check of each key in a map; gets the key as the value and the path of the entry. */
export const ofNames = Symbol('ofNames');
/** The requirement, for a text that does not match the pattern. */
export const patternMessage = Symbol('patternMessage');
/** The stored value of a field that is left out or null. */
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

/** A field that may be left out or null, and is then stored as `value`. */
export const optionalOr = <Schema extends TSchema>(value: Static<Schema> | null, schema: Schema) =>
  Type.Optional(attached(schema, { [fallback]: value }));

interface Documented {
  $id?: string;
  description?: string;
}

/** A text with at least one visible character. */
export const visibleText = (maxLength: number, documented: Documented = {}) =>
  Type.String({ minLength: 1, maxLength, ...documented });

export const textOfForm = (pattern: string, message: string, more: Documented & { maxLength?: number } = {}) =>
  attached(Type.String({ pattern, ...more }), { [patternMessage]: message });

export const stringEnum = <const Word extends string>(words: readonly Word[], documented: Documented = {}) =>
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
