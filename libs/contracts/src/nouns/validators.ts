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
  // RFC 3339 writes years with four digits: an offset must not carry the time beyond them.
  return /^\d{4}-/.test(Number.isNaN(parsed.getTime()) ? '' : parsed.toISOString()) ? parsed : null;
}

export const IsDateOrInstant =
  (options?: ValidationOptions): PropertyDecorator =>
  (target, property) =>
    registerDecorator({
      name: 'isDateOrInstant',
      target: target.constructor,
      propertyName: property as string,
      options: {
        message: '$property must be a time such as 2026-11-20T14:00:00Z or a date such as 2026-11-20',
        ...options,
      },
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
      validator: {
        validate: (value: unknown) =>
          typeof value === 'string' && instant.test(value) && parseDateOrInstant(value) !== null,
      },
    });

const email = /^[^\s@<>(),;:"\\[\]]+@[^\s@<>(),;:"\\[\]]+\.[^\s@<>(),;:"\\[\]]+$/;

/** One address, without a display name; whether anybody reads it only a message can tell. */
export const isEmail = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= 320 && email.test(value);

/** A name of the IANA time zone database, or UTC. Offsets such as +02:00 are none: they know no summer time. */
export function isTimeZone(value: unknown): value is string {
  if (typeof value !== 'string' || !/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(value)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    return true;
  } catch {
    return false;
  }
}

export const IsTimeZone =
  (options?: ValidationOptions): PropertyDecorator =>
  (target, property) =>
    registerDecorator({
      name: 'isTimeZone',
      target: target.constructor,
      propertyName: property as string,
      options: { message: '$property must be an IANA time zone such as Europe/Berlin', ...options },
      validator: { validate: isTimeZone },
    });
