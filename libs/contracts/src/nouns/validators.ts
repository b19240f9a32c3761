/** Validators for class-validator that use the rules of the domain. */
import { isEmailAddress, isInstant, isTimeZone, parseDateOrInstant } from '@ams/domain';
import { ValidateBy } from 'class-validator';

const checkedBy = (name: string, message: string, validate: (value: unknown) => boolean) => (): PropertyDecorator =>
  ValidateBy({ name, validator: { validate, defaultMessage: () => `$property ${message}` } });

export const IsInstant = checkedBy('isInstant', 'must be a time such as 2026-11-20T14:00:00Z', isInstant);

export const IsDateOrInstant = checkedBy(
  'isDateOrInstant',
  'must be a time such as 2026-11-20T14:00:00Z or a date such as 2026-11-20',
  (value) => parseDateOrInstant(value) !== null,
);

export const IsTimeZone = checkedBy('isTimeZone', 'must be an IANA time zone such as Europe/Berlin', isTimeZone);

export const IsEmailAddress = checkedBy(
  'isEmailAddress',
  'must be an e-mail address such as mira@example.com',
  (value) => typeof value === 'string' && isEmailAddress(value),
);
