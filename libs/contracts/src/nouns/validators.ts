/** Checks that class-validator does not have. */
import { registerDecorator, type ValidationOptions } from 'class-validator';

const instant = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d:\d\d)$/;
const date = /^\d{4}-\d\d-\d\d$/;

/** An RFC 3339 time with its offset, or a date: `null` when it is neither or does not exist (30 February). */
export function parseDateOrInstant(text: unknown): Date | null {
  if (typeof text !== 'string') return null;
  if (date.test(text)) {
    const end = new Date(`${text}T23:59:59.999Z`);
    return Number.isNaN(end.getTime()) || end.toISOString().slice(0, 10) !== text ? null : end;
  }
  if (!instant.test(text)) return null;
  const parsed = new Date(text);
  return Number.isNaN(parsed.getTime()) ? null : parsed;
}

export const IsDateOrInstant =
  (options?: ValidationOptions): PropertyDecorator =>
  (target, property) =>
    registerDecorator({
      name: 'isDateOrInstant',
      target: target.constructor,
      propertyName: property as string,
      options: { message: '$property must be a time such as 2026-11-20T14:00:00Z or a date such as 2026-11-20', ...options },
      validator: { validate: (value: unknown) => parseDateOrInstant(value) !== null },
    });

/** An RFC 3339 time with its offset that exists: what JavaScript cannot read, the database would refuse. */
export const IsInstant =
  (options?: ValidationOptions): PropertyDecorator =>
  (target, property) =>
    registerDecorator({
      name: 'isInstant',
      target: target.constructor,
      propertyName: property as string,
      options: { message: '$property must be a time such as 2026-11-20T14:00:00Z', ...options },
      validator: { validate: (value: unknown) => typeof value === 'string' && instant.test(value) && parseDateOrInstant(value) !== null },
    });
