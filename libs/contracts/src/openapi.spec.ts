/** Checks every operation: its required parts, that they are unique, and that they are valid OpenAPI 3.0.3. */
import { isScope } from '@ams/scopes';
import {
  allOperations,
  announcementOf,
  idPrefixes,
  type AnnouncedOperation,
  type Deprecation,
  type Operation,
} from './index.js';

type Json = Record<string, unknown>;

const owners = [...new Set(allOperations.map(({ owner }) => owner))];
const announcements = owners.map((owner) =>
  announcementOf(
    owner,
    allOperations.filter((op) => op.owner === owner),
  ),
);
const schemas = Object.assign({}, ...announcements.map((part) => part.schemas)) as Record<
  string,
  Json & { properties?: Record<string, Json> }
>;
const named = allOperations.map((op): [string, Operation] => [op.operationId, op]);

const twice = (values: string[]): string[] => values.filter((value, index) => values.indexOf(value) !== index);

function everywhere(value: unknown, visit: (object: Json) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) visit(value as Json);
  Object.values(value).forEach((below) => everywhere(below, visit));
}

describe('the catalogue', () => {
  it.each([
    ['id', ({ id }: Operation) => id],
    ['operationId', ({ operationId }: Operation) => operationId],
    ['method and path', ({ method, path }: Operation) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`],
  ])('has each %s only once', (_what, of) => {
    expect(twice(allOperations.map(of))).toEqual([]);
  });

  it('describes a schema the same way in every announcement', () => {
    for (const part of announcements)
      for (const [name, schema] of Object.entries(part.schemas)) expect([name, schema]).toEqual([name, schemas[name]]);
  });
});

describe.each(named.filter(([, { deprecated }]) => deprecated))('%s, which is deprecated,', (_name, op) => {
  const { since, sunset, successor } = op.deprecated as Deprecation;

  it('stays for at least twelve months', () => {
    expect(since).toMatch(/^\d{4}-\d\d-\d\d$/);
    const twelveMonthsLater = `${Number(since.slice(0, 4)) + 1}${since.slice(4)}`;
    expect(sunset >= twelveMonthsLater).toBe(true);
    expect(sunset).toMatch(/^\d{4}-\d\d-\d\d$/);
  });

  it('has a successor with the same parameters and responses', () => {
    const next = allOperations.find(({ method, path }) => method === op.method && path === successor) as Operation;
    expect(next.deprecated).toBeUndefined();
    for (const same of ['owner', 'scope', 'reply', 'item', 'query', 'body', 'check', 'versioned'] as const)
      expect([same, next[same]]).toEqual([same, op[same]]);
    const parameters = ({ path }: Operation) => path.match(/\{\w+\}/g);
    expect(parameters(next)).toEqual(parameters(op));
  });

  it('is described as deprecated, with the headers of every response', () => {
    const { openapi, deprecated } = announcements
      .flatMap(({ operations }) => operations)
      .find(({ id }) => id === op.id) as AnnouncedOperation;
    expect(deprecated).toEqual(op.deprecated);
    expect(openapi).toMatchObject({ deprecated: true, description: expect.stringContaining(successor) });
    for (const [status, response] of Object.entries(openapi['responses'] as Record<string, { headers: Json }>))
      expect([status, Object.keys(response.headers)]).toEqual([
        status,
        expect.arrayContaining(['Deprecation', 'Sunset', 'Link']),
      ]);
  });
});

describe.each(named)('%s', (_name, op) => {
  it('has the names that clients and tests use', () => {
    expect(op.id).toMatch(/^[a-z][A-Za-z]*\.[a-z][A-Za-z]*$/);
    expect(op.operationId).toMatch(/^[a-z][A-Za-z]*$/);
    // These check the scopes of what they are about, or are for every key.
    const hasOwnCheck = op.access !== undefined || /^(batch\.run|status\.get|views\..*)$/.test(op.id);
    expect([op.operationId, isScope(op.scope) || (op.scope === null && hasOwnCheck)]).toEqual([op.operationId, true]);
    expect(op.summary).toMatch(/^[A-Z].*[^.]$/);
    expect(op.description).toMatch(/\.$/);
  });

  it('has an example id of the right noun for each path parameter', () => {
    const names = [...op.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(Object.keys(op.example.params ?? {})).toEqual(names);
    for (const id of Object.values(op.example.params ?? {})) {
      expect(id).toMatch(/^[a-z]{3}_[0-9a-f]{32}$/);
      expect(Object.values(idPrefixes)).toContain(id.slice(0, 3));
    }
  });

  // The audit log is exported as a whole, in the order of its chain.
  const isChosen = (op.reply === 'list' || op.reply === 'export') && op.operationId !== 'exportAuditLog';

  if (isChosen)
    it('has a documented sort, with a default, in both directions', () => {
      const { parameters } = announcementOf(op.owner, [op]).operations[0]?.openapi as { parameters: Json[] };
      const { schema } = parameters.find(({ name }) => name === 'sort') as { schema: Json };
      const values = schema['enum'] as string[];
      expect(values).toContain(schema['default']);
      for (const value of values) expect(values).toContain(value.startsWith('-') ? value.slice(1) : `-${value}`);
    });

  if (isChosen)
    it('has filters by the time of creation, and ! in each filter by several values', () => {
      const { parameters } = announcementOf(op.owner, [op]).operations[0]?.openapi as { parameters: Json[] };
      const names = parameters.map(({ name }) => name);
      // Who is on call is computed; it has no time of creation.
      if (op.operationId !== 'getCurrentOnCall')
        expect(names).toEqual(expect.arrayContaining(['createdSince', 'createdUntil']));
      for (const { name, schema, description } of parameters)
        if ((schema as Json | undefined)?.['type'] === 'array')
          expect([name, description]).toEqual([name, expect.stringContaining('!')]);
    });

  it('has an example response, and an example body if it takes one', () => {
    expect(op.reply === 'none').toBe(op.example.reply === null);
    expect(op.body === undefined).toBe(op.example.body === undefined);
  });

  it('documents every error that an invalid request can cause', () => {
    const answers = Object.keys(announcementOf(op.owner, [op]).operations[0]?.openapi['responses'] as Json);
    const unauthorized = op.access === 'public' ? [] : ['401'];
    expect(answers).toEqual(expect.arrayContaining(['400', ...unauthorized, '403', '429', '500', '503']));
    // Links that can be used once have their token in the body.
    if (op.path.includes('{') || op.access === undefined) expect(answers.includes('404')).toBe(op.path.includes('{'));
    expect(answers.includes('413')).toBe(op.body !== undefined);
  });
});

describe('the schemas', () => {
  it('have `nullable` beside a type or `allOf`, and no enum that contains null or is nullable itself', () => {
    everywhere(schemas, (schema) => {
      if (Array.isArray(schema['enum']))
        expect([schema, schema['enum'].includes(null), schema['nullable']]).toEqual([schema, false, undefined]);
      if (schema['nullable'] === true)
        expect([schema, typeof schema['type'] === 'string' || Array.isArray(schema['allOf'])]).toEqual([schema, true]);
    });
  });

  it('keep a reference when other keywords are added', () => {
    everywhere(schemas, (schema) => {
      if (schema['$ref'] !== undefined) expect(Object.keys(schema)).toEqual(['$ref']);
      if (schema['allOf'] !== undefined)
        expect([schema, schema['allOf'], schema['type']]).toEqual([schema, [{ $ref: expect.any(String) }], undefined]);
    });
  });

  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  it.each([
    ['a reference', 'Alert', 'status', ref('AlertStatus')],
    [
      'a reference with a description',
      'TimelineEntry',
      'cause',
      { description: expect.any(String), allOf: [ref('Cause')] },
    ],
    [
      'a reference with a default',
      'PostIntegration',
      'type',
      { description: expect.any(String), default: 'generic', allOf: [ref('IntegrationType')] },
    ],
    ['a reference or null', 'Alert', 'acknowledgedBy', { nullable: true, allOf: [ref('Actor')] }],
    [
      'a reference or null, with a description',
      'Workflow',
      'conditions',
      { description: expect.any(String), nullable: true, allOf: [ref('Condition')] },
    ],
    ['one of some words or null', 'Alert', 'resolveReason', { nullable: true, allOf: [ref('ResolveReason')] }],
    ['anything, null too', 'Change', 'before', { description: expect.any(String) }],
  ])('say %s', (_what, schema, property, expected) => {
    expect(schemas[schema]?.properties?.[property]).toEqual(expected);
  });
});
