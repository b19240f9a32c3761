// What the dashboard needs of docs/openapi.json, as modules:
//
//   virtual:operations       method, path and scope of each operation, by its id
//   schema:PostClient        one JSON schema with the schemas that it refers to; only those that are imported are built
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const file = join(import.meta.dirname, '../../../docs/openapi.json');

export function apiDocument() {
  const ids = /^(virtual:operations|schema:\w+)$/;
  return {
    name: 'api-document',
    resolveId: { filter: { id: ids }, handler: (id) => `\0${id}` },
    load: {
      filter: { id: /^\0(virtual:operations|schema:\w+)$/ },
      handler(id) {
        this.addWatchFile(file);
        const document = JSON.parse(readFileSync(file, 'utf8'));
        const name = id.slice(1);
        if (name === 'virtual:operations') {
          return `export const operations = ${JSON.stringify(operationsOf(document))};`;
        }
        return `export default ${JSON.stringify(schemaOf(document, name.slice('schema:'.length)))};`;
      },
    },
  };
}

/** `[method, path, scope]` of each operation; the scope is null when none is needed. */
export function operationsOf({ paths }) {
  const found = {};
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (operation?.operationId === undefined) continue;
      found[operation.operationId] = [method.toUpperCase(), path, operation['x-required-scope'] ?? null];
    }
  }
  return found;
}

/** The schema as JSON Schema (OpenAPI 3.0 writes `nullable`), with what it refers to under `$defs`. */
export function schemaOf({ components }, name) {
  const needed = new Set();
  const visit = (schemaName) => {
    if (needed.has(schemaName)) return;
    const schema = components.schemas[schemaName];
    if (schema === undefined) throw new Error(`docs/openapi.json has no schema ${schemaName}`);
    needed.add(schemaName);
    for (const [, other] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g)) visit(other);
  };
  visit(name);
  const $defs = Object.fromEntries([...needed].sort().map((each) => [each, jsonSchema(components.schemas[each])]));
  return { $ref: `#/$defs/${name}`, $defs };
}

function jsonSchema(value) {
  if (Array.isArray(value)) return value.map(jsonSchema);
  if (typeof value !== 'object' || value === null) return value;
  const { nullable, example: _example, discriminator, ...named } = value;
  const rest = discriminator?.mapping ? byDiscriminator(named, discriminator) : named;
  const schema = Object.fromEntries(Object.entries(rest).map(([key, inner]) => [key, jsonSchema(inner)]));
  if (typeof schema.$ref === 'string') schema.$ref = schema.$ref.replace('#/components/schemas/', '#/$defs/');
  if (nullable !== true) return schema;
  if (schema.allOf !== undefined || schema.type === undefined) return { anyOf: [schema, { type: 'null' }] };
  const nulled = { ...schema, type: [schema.type, 'null'] };
  return nulled.enum ? { ...nulled, enum: [...nulled.enum, null] } : nulled;
}

/** Checks a value by the one schema that its discriminator names, so that faults are only those of this schema. */
function byDiscriminator({ oneOf: _oneOf, ...rest }, { propertyName, mapping }) {
  const named = (word) => ({ required: [propertyName], properties: { [propertyName]: { enum: [word] } } });
  return {
    ...rest,
    type: 'object',
    required: [propertyName],
    properties: { [propertyName]: { enum: Object.keys(mapping) } },
    allOf: Object.entries(mapping).map(([word, $ref]) => ({ if: named(word), then: { $ref } })),
  };
}
