/**
 * Schemas as OpenAPI 3.0.3 has them: without `const`, `null` and recursion in place, which JSON Schema has. A schema with
 * an id is a component, and is referred to wherever it stands.
 */
import { Kind, type TObject, type TSchema, type TUnion } from '@sinclair/typebox';

type Json = Record<string, unknown>;
type Components = Record<string, object>;

const referenceTo = (id: string): Json => ({ $ref: `#/components/schemas/${id}` });

/** The components that the schemas are, and those that they refer to, by their names. */
export function componentsOf(...schemas: readonly TSchema[]): Components {
  const components: Components = {};
  for (const schema of schemas) documentOf(schema, components);
  return components;
}

/** The schema itself, or a reference to it when it is a component, which is added to the others then. */
function documentOf(schema: TSchema, components: Components): Json {
  const { $id } = schema;
  if (schema[Kind] === 'This') return referenceTo(schema.$ref as string);
  if ($id === undefined) return inPlace(schema, components);
  if (!Object.hasOwn(components, $id)) {
    // Takes its place before what it refers to, which may be itself.
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
      return { type: 'string', enum: [schema.const] };
    default:
      return { ...keywordsOf(schema), ...description(schema) };
  }
}

/** In this order, for readers. What is under a symbol is not for documents. */
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
    const { type, ...others } = documentOf(withMembers(schema, members), components);
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
