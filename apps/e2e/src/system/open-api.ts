/** Checks values against the schemas of the OpenAPI 3.0.3 document, as strictly as a generated client could. */
export interface Schema {
  $ref?: string;
  type?: string;
  nullable?: boolean;
  enum?: unknown[];
  format?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  allOf?: Schema[];
  oneOf?: Schema[];
  anyOf?: Schema[];
}

export interface OpenApiOperation {
  operationId: string;
  deprecated?: boolean;
  'x-required-scope'?: string;
  responses: Record<string, { content?: Record<string, { schema: Schema }>; headers?: Record<string, unknown> }>;
}

export interface OpenApi {
  openapi: string;
  paths: Record<string, Record<string, OpenApiOperation>>;
  components: { schemas: Record<string, Schema> };
}

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : Number.isInteger(value) ? 'integer' : typeof value;
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The faults of the value with their paths; empty when it matches its schema. Fields without a schema are faults. */
export function faultsOf(document: OpenApi, schema: Schema, value: unknown, at = '$'): string[] {
  if (schema.$ref) {
    const name = schema.$ref.replace('#/components/schemas/', '');
    const target = document.components.schemas[name];
    return target ? faultsOf(document, target, value, at) : [`${at}: there is no schema ${name}`];
  }
  if (value === null && schema.nullable) return [];
  if (schema.allOf) return schema.allOf.flatMap((part) => faultsOf(document, part, value, at));
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices)
    return choices.some((choice) => faultsOf(document, choice, value, at).length === 0)
      ? []
      : [`${at}: none of the alternatives fits`];
  if (schema.type === undefined) return [];

  const type = typeOf(value);
  if (type !== schema.type && !(type === 'integer' && schema.type === 'number'))
    return [`${at}: is ${type}, not ${schema.type}`];
  const faults: string[] = [];
  const check = (holds: boolean, what: string) => holds || faults.push(`${at}: ${what}`);
  if (schema.enum) check(schema.enum.includes(value), `${JSON.stringify(value)} is not in the list`);
  if (typeof value === 'string') {
    if (schema.format === 'date-time') check(instant.test(value), `${value} is not a time in UTC with milliseconds`);
    check(
      value.length >= (schema.minLength ?? 0) && value.length <= (schema.maxLength ?? Infinity),
      'has the wrong length',
    );
  }
  if (typeof value === 'number')
    check(value >= (schema.minimum ?? -Infinity) && value <= (schema.maximum ?? Infinity), `${value} is out of range`);
  if (Array.isArray(value))
    faults.push(...value.flatMap((item, i) => faultsOf(document, schema.items ?? {}, item, `${at}[${i}]`)));
  else if (type === 'object') faults.push(...faultsOfObject(document, schema, value as Record<string, unknown>, at));
  return faults;
}

function faultsOfObject(document: OpenApi, schema: Schema, value: Record<string, unknown>, at: string): string[] {
  const { properties = {}, additionalProperties, required = [] } = schema;
  const missing = required.filter((name) => !(name in value)).map((name) => `${at}: ${name} is missing`);
  const wrong = Object.entries(value).flatMap(([name, below]) => {
    const described = properties[name] ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
    if (described) return faultsOf(document, described, below, `${at}.${name}`);
    return additionalProperties === true || Object.keys(properties).length === 0
      ? []
      : [`${at}.${name}: is not described`];
  });
  return [...missing, ...wrong];
}
