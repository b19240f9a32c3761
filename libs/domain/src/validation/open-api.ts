/**
 * Converts schemas to OpenAPI 3.0.3, which lacks JSON Schema's `const`, `null` and inline recursion. A schema with an
 * id becomes a component, and is referenced everywhere. An enum that may be null needs an id (ADR 30).
 */
import { Kind, type TObject, type TSchema, type TUnion } from '@sinclair/typebox';

type Json = Record<string, unknown>;
type Components = Record<string, object>;

const referenceTo = (id: string): Json => ({ $ref: `#/components/schemas/${id}` });

/** The components of the schemas and of their references, by name. */
export function componentsOf(...schemas: readonly TSchema[]): Components {
  const components: Components = {};
  for (const schema of schemas) documentOf(schema, components);
  return components;
}

/** The schema of one field. The components that it refers to come from `componentsOf`. */
export const fieldDocument = (schema: TSchema): Json => documentOf(schema, {});

/** The schema itself, or a reference if it is a component, which is added to the others. */
function documentOf(schema: TSchema, components: Components): Json {
  const { $id } = schema;
  if (schema[Kind] === 'This') return referenceTo(schema.$ref as string);
  if ($id === undefined) return inPlace(schema, components);
  if (!Object.hasOwn(components, $id)) {
    // Reserved before the nested schemas, because the schema may refer to itself.
    components[$id] = {};
    components[$id] = inPlace(schema, components);
  }
  return referenceTo($id);
}

function inPlace(schema: TSchema, components: Components): Json {
  switch (schema[Kind]) {
    case 'Object':
      return objectDocument(schema as TObject, components);
    case 'Array':
      return {
        ...keywordsOf(schema),
        items: documentOf(schema.items as TSchema, components),
        ...description(schema),
      };
    case 'Record': {
      const [value] = Object.values(schema.patternProperties as Record<string, TSchema>);
      return {
        ...keywordsOf(schema),
        additionalProperties: documentOf(value!, components),
        ...description(schema),
      };
    }
    case 'Union':
      return unionDocument(schema as TUnion, components);
    case 'Literal':
      return { type: typeof schema.const, enum: [schema.const] };
    default:
      return { ...keywordsOf(schema), ...description(schema) };
  }
}

/** The keywords in this order, for readers. Symbol keys are not part of the document. */
const keywords = [
  'type',
  'format',
  'pattern',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
];

const keywordsOf = (schema: TSchema): Json =>
  Object.fromEntries(keywords.filter((keyword) => keyword in schema).map((keyword) => [keyword, schema[keyword]]));

const description = (schema: TSchema): Json =>
  schema.description === undefined ? {} : { description: schema.description };

function objectDocument(schema: TObject, components: Components): Json {
  const properties = Object.fromEntries(
    Object.entries(schema.properties).map(([key, field]) => [key, documentOf(field, components)]),
  );
  return {
    type: 'object',
    additionalProperties: false,
    properties,
    ...(schema.required === undefined ? {} : { required: schema.required }),
    ...description(schema),
  };
}

function unionDocument(schema: TUnion, components: Components): Json {
  const members = schema.anyOf.filter((member) => member[Kind] !== 'Null');
  if (members.length < schema.anyOf.length) {
    const document = documentOf(withMembers(schema, members), components);
    if ('$ref' in document) return { nullable: true, allOf: [document], ...description(schema) };
    const { type, ...others } = document;
    return { type, nullable: true, ...others, ...description(schema) };
  }
  if (members.every((member) => member[Kind] === 'Literal'))
    return { type: 'string', enum: members.map((member) => member.const as string), ...description(schema) };
  const oneOf = members.map((member) => documentOf(member, components));
  const byType = members.every((member) => (member as TObject).properties?.type?.[Kind] === 'Literal');
  return {
    ...description(schema),
    oneOf,
    ...(byType && schema.$id !== undefined ? { discriminator: discriminatorOf(members) } : {}),
  };
}

const withMembers = (schema: TUnion, members: TSchema[]): TSchema =>
  members.length === 1 ? members[0]! : { ...schema, anyOf: members };

const discriminatorOf = (members: readonly TSchema[]): Json => ({
  propertyName: 'type',
  mapping: Object.fromEntries(
    members.map((member) => [(member as TObject).properties.type!.const, `#/components/schemas/${member.$id}`]),
  ),
});
