/** The OpenAPI 3.0.3 operations and schemas of a service, generated from its operations and their DTOs. */
import { csvHeader, csvLines, ndjsonLine } from '@ams/domain';
import { generateSchema } from '@nestjs/swagger';
import type { Announcement } from './wire/announcement.js';
import { exampleOfFault, type Shown } from './fault-examples.js';
import { statusOfCode, type FaultCode } from './fault.js';
import { narrowingOf } from './narrowed-keys.js';
import { subjectOf, type Class, type ExportFile, type Operation, type Owner } from './operation.js';

type Json = Record<string, unknown>;

const refOf = (dto: Class<unknown>): Json => ({ $ref: `#/components/schemas/${dto.name}` });

const envelopeOf = (op: Operation): Json => {
  const item = op.item ? refOf(op.item) : {};
  if (op.reply === 'list') {
    return {
      type: 'object',
      required: ['data', 'meta'],
      properties: { data: { type: 'array', items: item }, meta: { $ref: '#/components/schemas/ListMeta' } },
    };
  }
  return { type: 'object', required: ['data'], properties: { data: item } };
};

const commonFaults: FaultCode[] = ['VALIDATION_ERROR', 'RATE_LIMITED', 'INTERNAL_ERROR', 'UNAVAILABLE'];

/** INSUFFICIENT_SCOPE is also the answer to a request that comes from the page of another site. */
const faultsOfAccess = ({ access }: Operation): FaultCode[] =>
  access === 'public' ? ['INSUFFICIENT_SCOPE'] : ['UNAUTHORIZED', 'INSUFFICIENT_SCOPE'];

function faultsOf(op: Operation): FaultCode[] {
  const codes = new Set<FaultCode>([...commonFaults, ...faultsOfAccess(op), ...(op.faults ?? [])]);
  if (op.path.includes('{')) codes.add('NOT_FOUND');
  if (op.body)
    for (const code of ['INVALID_JSON', 'REQUEST_TIMEOUT', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const)
      codes.add(code);
  return [...codes];
}

const requestIdHeader = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } };

/** The headers of every response to an authenticated request. */
export const answerHeaders = {
  ...requestIdHeader,
  'RateLimit-Limit': { $ref: '#/components/headers/RateLimit-Limit' },
  'RateLimit-Remaining': { $ref: '#/components/headers/RateLimit-Remaining' },
  'RateLimit-Reset': { $ref: '#/components/headers/RateLimit-Reset' },
};

/** The headers of every response of a deprecated operation. */
const deprecationHeaders = {
  Deprecation: { $ref: '#/components/headers/Deprecation' },
  Sunset: { $ref: '#/components/headers/Sunset' },
  Link: { $ref: '#/components/headers/Link' },
};

const restrictionNote = (op: Operation): string =>
  op.access !== undefined || narrowingOf(op) === 'within'
    ? ''
    : '. Refused to keys that are restricted to clients or teams.';

function responsesOf(op: Operation): Json {
  const responses: Json = {};
  const always: Json = {
    ...(op.access === 'public' ? requestIdHeader : answerHeaders),
    ...(op.deprecated ? deprecationHeaders : {}),
  };
  const headers: Json = {
    ...always,
    ...(op.versioned && op.reply !== 'none' ? { ETag: { $ref: '#/components/headers/ETag' } } : {}),
  };
  if (op.reply === 'none') responses['204'] = { description: 'Success without a body.', headers: always };
  else if (op.file) responses['200'] = exportResponse(op.file, op.example.reply as unknown[], always);
  else {
    const status = op.reply === 'created' ? '201' : '200';
    responses[status] = {
      description: status === '201' ? 'Created.' : 'Success.',
      headers,
      content: { 'application/json': { schema: envelopeOf(op), example: op.example.reply } },
    };
  }
  if (op.accepted) {
    const schema = { type: 'object', required: ['data'], properties: { data: refOf(op.accepted) } };
    const content = { 'application/json': { schema, example: op.example.accepted } };
    responses['202'] = { description: 'Accepted: the work continues in the background.', headers: always, content };
  }
  return { ...responses, ...errorResponses(faultsOf(op), op) };
}

/** `records`: an example. */
function exportResponse({ name, columns }: ExportFile, records: unknown[], headers: Json): Json {
  const contentDisposition = {
    description: 'A name for the file.',
    schema: { type: 'string' },
    example: `attachment; filename="${name}-20261120T140500Z.ndjson"`,
  };
  const text = (description: string, example: string) => ({ schema: { type: 'string', description }, example });
  return {
    description: 'Success: all records, one after another.',
    headers: { ...headers, 'Content-Disposition': contentDisposition },
    content: {
      'application/x-ndjson': text('One record as JSON on each line.', records.map(ndjsonLine).join('')),
      'text/csv': text(
        `RFC 4180 with a header line. Columns: ${columns.join(', ')}.`,
        csvHeader(columns) + records.map(csvLines(columns)).join(''),
      ),
    },
  };
}

/** The error responses of an operation by status, each code with an example. */
export function errorResponses(codes: readonly FaultCode[], op: Shown): Json {
  const byStatus = new Map<number, FaultCode[]>();
  for (const code of codes) byStatus.set(statusOfCode[code], [...(byStatus.get(statusOfCode[code]) ?? []), code]);
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, same]) => [
        String(status),
        {
          description: same.map((code) => `\`${code}\``).join(' or '),
          headers: {
            'X-Request-Id': answerHeaders['X-Request-Id'],
            ...(op.deprecated ? deprecationHeaders : {}),
            ...(status === 429 || status === 503
              ? { 'Retry-After': { $ref: '#/components/headers/Retry-After' } }
              : {}),
          },
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/Error' },
              examples: Object.fromEntries(same.map((code) => [code, { value: exampleOfFault(code, op) }])),
            },
          },
        },
      ]),
  );
}

function parametersOf(op: Operation, schemas: Json): Json[] {
  const inPath = [...op.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    description: 'The id, as lists return it.',
    schema: { type: 'string' },
    example: op.example.params?.[name as string],
  }));
  const inQuery = op.query ? queryParameters(op.query, op.example.query ?? {}, schemas) : [];
  const inHeader: Json[] = [{ $ref: '#/components/parameters/X-Request-Id' }];
  if (op.method === 'POST' && op.access !== 'public')
    inHeader.push({ $ref: '#/components/parameters/Idempotency-Key' });
  if (op.versioned && op.method !== 'GET' && op.reply !== 'created')
    inHeader.push({ $ref: '#/components/parameters/If-Match' });
  return [...inPath, ...inQuery, ...inHeader];
}

function queryParameters(dto: Class<unknown>, examples: Record<string, string>, schemas: Json): Json[] {
  const { schema, schemas: all } = generateSchema(dto as never);
  for (const [name, other] of Object.entries(all)) if (name !== dto.name) schemas[name] = other;
  const required = new Set((schema as { required?: string[] }).required ?? []);
  return Object.entries((schema as { properties?: Record<string, Json> }).properties ?? {}).map(([name, property]) => {
    const { description, example = exampleOf(property), ...rest } = corrected(property) as Json;
    const isList = rest.type === 'array';
    const shown = examples[name];
    return {
      name,
      in: 'query',
      required: required.has(name),
      description,
      schema: rest,
      // `label` is repeatable because its values may contain commas; other lists are comma-separated.
      ...(isList ? { style: 'form', explode: name === 'label' } : {}),
      example: shown === undefined ? example : isList ? shown.split(',') : shown,
    };
  });
}

/** Example of a parameter when neither the operation nor its DTO has one. */
const exampleOf = ({ default: byDefault, enum: values }: Json): unknown =>
  byDefault ?? (values as unknown[] | undefined)?.[0];

const structuralKeywords = ['properties', 'additionalProperties', 'allOf', 'oneOf', 'anyOf'];

/**
 * Corrects schemas of the generator for OpenAPI 3.0.3: a reference has no type beside it, and is alone or in `allOf`;
 * a value of any kind (`unknown` in a DTO, which reflection reports as an object) has no type. ADR 30 has the form of
 * what may be null.
 */
function corrected(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(corrected);
  if (typeof value !== 'object' || value === null) return value;
  const schema = Object.fromEntries(Object.entries(value).map(([name, below]) => [name, corrected(below)])) as Json;
  if (schema.type === 'object' && !structuralKeywords.some((keyword) => keyword in schema)) delete schema.type;
  const [reference, ...others] = Array.isArray(schema.allOf) ? (schema.allOf as Json[]) : [];
  if (reference?.$ref && others.length === 0) return correctedReference(schema, reference);
  if (schema.nullable === true && schema.type === undefined && schema.oneOf === undefined) delete schema.nullable;
  return schema;
}

/** A reference that the generator wrapped in `allOf`, because OpenAPI 3.0.3 ignores keywords beside `$ref`. */
function correctedReference({ allOf: _allOf, type: _type, ...more }: Json, reference: Json): Json {
  return Object.keys(more).length === 0 ? reference : { ...more, allOf: [reference] };
}

/**
 * The generator gives the schema of a named enum the description of one field that uses it, which differs between
 * services.
 */
const withoutDescriptionsOfUses = (schemas: Json): Json =>
  Object.fromEntries(
    Object.entries(schemas as Record<string, Json>).map(([name, schema]) => [
      name,
      'enum' in schema
        ? Object.fromEntries(
            Object.entries(schema).filter(([key, value]) => key !== 'description' && value !== undefined),
          )
        : schema,
    ]),
  );

const deprecationNote = ({ method, deprecated }: Operation): string =>
  deprecated
    ? `Deprecated since ${deprecated.since}: use \`${method} ${deprecated.successor}\`. It will be removed ` +
      `after ${deprecated.sunset}.\n\n`
    : '';

const accessNotes = {
  public: 'Needs neither a key nor a session.',
  member: 'Needs a session of a person who is signed in, with any role; keys are refused.',
};

const scopeNote = ({ access, scope, needs = [] }: Operation): string =>
  access !== undefined
    ? accessNotes[access]
    : scope === null
      ? 'Scope: none of its own; the description says what the caller needs.'
      : `Scope: ${[scope, ...needs].map((name) => `\`${name}\``).join(' and ')}`;

const apiKey = { apiKey: [] };
const session = { session: [] };

const securityOf = ({ access }: Operation): Json[] =>
  access === 'public' ? [] : access === 'member' ? [session] : [apiKey, session];

/** The announcement of a service: all that the gateway needs to route requests to it and to document it. */
export function announcementOf(service: Owner, operations: readonly Operation[]): Announcement {
  const schemas: Json = {};
  const add = (dto?: Class<unknown>) => {
    if (dto) Object.assign(schemas, generateSchema(dto as never).schemas);
  };
  const announced = operations.map((op) => {
    // A file is text for the document; its records are those of a list, or described where the export is.
    if (!op.file) add(op.item);
    add(op.accepted);
    add(op.body);
    Object.assign(schemas, op.schemas);
    const openapi: Json = {
      operationId: op.operationId,
      tags: [op.tag],
      summary: op.summary,
      description: `${op.description}\n\n${deprecationNote(op)}${scopeNote(op)}${restrictionNote(op)}`,
      ...(op.deprecated ? { deprecated: true } : {}),
      security: securityOf(op),
      ...(op.scope === null ? {} : { 'x-required-scope': op.scope }),
      parameters: parametersOf(op, schemas),
      ...(op.body
        ? {
            requestBody: {
              required: !op.bodyOptional,
              content: {
                'application/json': {
                  schema: { $ref: `#/components/schemas/${op.body.name}` },
                  example: op.example.body,
                },
              },
            },
          }
        : {}),
      responses: responsesOf(op),
    };
    return {
      id: op.id,
      method: op.method,
      path: op.path,
      scope: op.scope ?? '',
      ...(op.access ? { access: op.access } : {}),
      subject: subjectOf(op),
      reply: op.reply,
      body: op.body ? (op.bodyOptional ? ('optional' as const) : ('required' as const)) : ('none' as const),
      versioned: op.versioned ?? false,
      ...(op.counts ? { counts: op.counts } : {}),
      ...(op.file ? { file: op.file } : {}),
      ...(op.deprecated ? { deprecated: op.deprecated } : {}),
      openapi,
    };
  });
  return { service, operations: announced, schemas: corrected(withoutDescriptionsOfUses(schemas)) as Json };
}
