/** Checks the document of the real announcements against the rules of OpenAPI 3.0.3 and our own rules. */
import { allOperations, statusOfCode, type FaultCode } from '@ams/contracts';
import Ajv from 'ajv';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { announcement, owners } from '../../testing/support.js';
import { documentOf } from './document.js';
import { differencesOf } from '../v1/announced-parts.js';

type Json = Record<string, unknown>;
interface Operation extends Json {
  operationId: string;
  tags: string[];
  parameters: Json[];
  responses: Record<
    string,
    Json & {
      content?: Record<
        string,
        { schema: Json; example?: unknown; examples?: Record<string, { value: { code: string } }> }
      >;
    }
  >;
  requestBody?: { content: Record<string, { schema: Json; example?: unknown }> };
}

const { bytes, etag } = documentOf(owners.map(announcement), null);
const document = JSON.parse(bytes.toString()) as Json & {
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, Json>>;
  tags: { name: string; description?: string }[];
};
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
);
const draft4 = createRequire(import.meta.url)('ajv/lib/refs/json-schema-draft-04.json') as object;

const parametersOf = ({ parameters }: Operation): Json[] =>
  parameters.map((given) => (typeof given['$ref'] === 'string' ? (resolve(given['$ref']) as Json) : given));

const resolve = (ref: string): unknown =>
  ref
    .slice(2)
    .split('/')
    .reduce<unknown>(
      (at, name) => (at as Json | undefined)?.[name.replaceAll('~1', '/').replaceAll('~0', '~')],
      document,
    );

function everywhere(value: unknown, visit: (object: Json, path: string) => void, path = '#'): void {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) visit(value as Json, path);
  for (const [name, below] of Object.entries(value)) everywhere(below, visit, `${path}/${name}`);
}

/** JSON Schema with the meaning that client generators give to `nullable`: null is valid, whatever is beside it. */
function jsonSchemaOf(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(jsonSchemaOf);
  if (typeof schema !== 'object' || schema === null) return schema;
  const converted = Object.fromEntries(Object.entries(schema).map(([name, below]) => [name, jsonSchemaOf(below)]));
  if (converted['nullable'] !== true) return converted;
  delete converted['nullable'];
  return { anyOf: [converted, { type: 'null' }] };
}

// `password` is a hint for forms.
const ajv = new Ajv({ allErrors: true, schemaId: 'auto', unknownFormats: ['password'] }).addSchema({
  $id: 'document',
  components: { schemas: jsonSchemaOf(document.components['schemas']) },
});
const validatorOf = (schema: Json) =>
  ajv.compile(
    JSON.parse(JSON.stringify(jsonSchemaOf(schema)).replaceAll('"#/components', '"document#/components')) as object,
  );

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.0', () => {
    const rules = JSON.parse(
      readFileSync(new URL('../../testing/data/openapi-3.0-schema.json', import.meta.url), 'utf8'),
    ) as object;
    const validate = new Ajv({ schemaId: 'auto', unknownFormats: 'ignore', allErrors: true })
      .addMetaSchema(draft4)
      .compile(rules);
    validate(document);
    expect(validate.errors ?? []).toEqual([]);
    expect(document['openapi']).toBe('3.0.3');
  });

  it('has every operation of the catalogue once, the operation of the gateway, and no ingest operation', () => {
    const named = operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`).sort();
    expect(named).toEqual(
      [...allOperations.map(({ method, path }) => `${method} ${path}`), 'GET /openapi.json', 'GET /stream'].sort(),
    );
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length);
    expect(bytes.toString()).not.toContain('INVALID_INGEST_TOKEN');
  });

  it('has no reference to a missing component', () => {
    const refs: string[] = [];
    everywhere(document, (object) => {
      if (typeof object['$ref'] === 'string') refs.push(object['$ref']);
    });
    expect(refs.length).toBeGreaterThan(100);
    for (const ref of refs) expect([ref, resolve(ref)]).toEqual([ref, expect.anything()]);
  });

  it('has nullable only where client generators evaluate it: beside a type, or beside one reference in allOf', () => {
    everywhere(document, (object, path) => {
      if (Array.isArray(object['enum']))
        expect([path, object['enum']]).toEqual([path, expect.not.arrayContaining([null])]);
      if (object['nullable'] !== true) return;
      expect([path, object['$ref'], object['enum']]).toEqual([path, undefined, undefined]);
      const [reference, ...others] = (object['allOf'] ?? []) as Json[];
      expect([path, reference?.['$ref'] ?? object['type'], others]).toEqual([path, expect.any(String), []]);
    });
  });

  it.each([
    ['an actor', { type: 'user', id: 'usr_1', name: 'Mira' }, true],
    ['nobody', null, true],
    ['half an actor', { type: 'user', id: 'usr_1' }, false],
    ['a text', 'Mira', false],
  ])('lets a reference or null be %s, and nothing else', (_what, acknowledgedBy, valid) => {
    const alert = (allOperations.find(({ id }) => id === 'alerts.get')?.example.reply as { data: object }).data;
    const validate = validatorOf({ $ref: '#/components/schemas/Alert' });
    expect(validate({ ...alert, acknowledgedBy })).toBe(valid);
  });

  it('names the parameters of each path', () => {
    for (const { path, operation } of operations) {
      const inPath = operation.parameters
        .filter((parameter) => parameter['in'] === 'path')
        .map((parameter) => parameter['name']);
      expect([path, inPath]).toEqual([path, [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)]);
    }
  });

  it('has one schema for each name, also when several services announce it', () => {
    expect(differencesOf(owners.map(announcement))).toEqual([]);
  });

  it('has examples that are valid for their schemas', () => {
    let checked = 0;
    const check = (what: string, { schema, example }: { schema: Json; example?: unknown }) => {
      expect([what, example]).toEqual([what, expect.anything()]);
      const validate = validatorOf(schema);
      validate(example);
      expect([what, validate.errors ?? []]).toEqual([what, []]);
      checked++;
    };
    for (const { method, path, operation } of operations) {
      for (const [status, response] of Object.entries(operation.responses)) {
        const json = response.content?.['application/json'];
        if (json && status < '300') check(`${method} ${path} ${status}`, json);
        for (const { value } of Object.values(json?.examples ?? {}))
          check(`${method} ${path} ${value.code}`, { schema: json?.schema as Json, example: value });
      }
      for (const parameter of parametersOf(operation))
        check(`${method} ${path} ${String(parameter['name'])}`, parameter as Json & { schema: Json });
      const body = operation.requestBody?.content['application/json'];
      if (body) check(`${method} ${path} body`, body);
    }
    expect(checked).toBeGreaterThan(500);
  });

  it('describes the effect, the scope and the errors of each operation', () => {
    for (const { path, operation } of operations) {
      const scope = operation['x-required-scope'];
      const scopeSentence = scope === undefined ? '(Scope: (none|at least one)|Needs )' : `Scope: \`${String(scope)}\``;
      expect([path, operation['summary'], operation['description']]).toEqual([
        path,
        expect.stringMatching(/\w/),
        expect.stringMatching(`\\.\n\n${scopeSentence}`),
      ]);
      for (const { name, description } of parametersOf(operation))
        expect([path, name, description]).toEqual([path, name, expect.stringMatching(/\.$/)]);
      for (const [status, response] of Object.entries(operation.responses)) {
        if (status < '400') continue;
        const examples = Object.entries(response.content?.['application/json']?.examples ?? {});
        expect([path, status, examples.map(([code]) => `\`${code}\``).join(' or ')]).toEqual([
          path,
          status,
          response['description'],
        ]);
        for (const [code, { value }] of examples)
          expect([path, value.code, statusOfCode[code as FaultCode]]).toEqual([path, code, Number(status)]);
      }
    }
  });

  it('describes every tag, and lists the error codes', () => {
    for (const { name, description } of document.tags)
      expect([name, description]).toEqual([name, expect.stringMatching(/\.$/)]);
    for (const { operation } of operations)
      for (const tag of operation.tags) expect(document.tags.map(({ name }) => name)).toContain(tag);
    expect((document['info'] as { description: string }).description).toContain(
      '| 412 | `VERSION_MISMATCH` | `{current}` |',
    );
  });

  it('names the server when its URL is set', () => {
    const serverOf = (publicUrl: string | null) =>
      (JSON.parse(documentOf([], publicUrl).bytes.toString()) as Json)['servers'];
    expect(serverOf(null)).toEqual([{ url: '/api/v1' }]);
    expect(serverOf('https://alerts.example.com/')).toEqual([{ url: 'https://alerts.example.com/api/v1' }]);
  });

  it('has an ETag that depends only on its content', () => {
    expect(etag).toMatch(/^"[\w-]{27}"$/);
    expect(documentOf([], null).etag).not.toBe(etag);
  });
});
