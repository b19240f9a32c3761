/** Checks what came from outside against a DTO: every fault at once, unknown fields refused. */
import 'reflect-metadata';
import { Fault, type Class, type FieldFault } from '@ams/contracts';
import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';

function flatten(errors: ValidationError[], prefix: string, out: FieldFault[]): FieldFault[] {
  for (const error of errors) {
    const path = prefix === '' ? error.property : /^\d+$/.test(error.property) ? `${prefix}[${error.property}]` : `${prefix}.${error.property}`;
    for (const [constraint, message] of Object.entries(error.constraints ?? {})) {
      const unknown = constraint === 'whitelistValidation';
      out.push({ path, rule: unknown ? 'unknown' : constraint, message: unknown ? `${path} is not a field of this request` : message });
    }
    flatten(error.children ?? [], path, out);
  }
  return out;
}

export function validate<T>(dto: Class<T>, input: unknown, what: 'body' | 'query'): T {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new Fault('VALIDATION_ERROR', { fields: [{ path: '', rule: 'object', message: `The ${what} must be a JSON object.` }] });
  }
  const instance = plainToInstance(dto, input, { enableImplicitConversion: false });
  const errors = validateSync(instance as object, { whitelist: true, forbidNonWhitelisted: true, forbidUnknownValues: true, validationError: { target: false, value: false } });
  if (errors.length > 0) throw new Fault('VALIDATION_ERROR', { fields: flatten(errors, '', []).slice(0, 100) });
  return instance;
}

/** A query of an operation that takes none. */
export function noParameters(query: Record<string, unknown>): void {
  const names = Object.keys(query);
  if (names.length > 0) {
    throw new Fault('VALIDATION_ERROR', { fields: names.slice(0, 100).map((path) => ({ path, rule: 'unknown', message: `${path} is not a parameter of this request` })) });
  }
}
