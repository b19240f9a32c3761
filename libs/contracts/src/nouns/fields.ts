/** Fields of requests whose rule is said once: one decorator gives the check and the document. */
import { emailLimits, slugPattern } from '@ams/domain';
import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsString, Matches, MaxLength } from 'class-validator';
import { Clearable, Named, nullableText, nullableTime, Sent, time } from './common.js';
import { IsDateOrInstant, IsEmailAddress, IsInstant, IsTimeZone } from './validators.js';

export interface FieldOptions {
  /** `required`: has to be sent. `kept`: keeps its value when it is left out. `clearable`: the same, and null clears it. */
  presence?: 'required' | 'kept' | 'clearable';
  description?: string;
  default?: string;
  example?: string;
}

type Presence = NonNullable<FieldOptions['presence']>;

/** A decorator: the schema of the field, the one when it may be null, and what it is checked by. */
const field =
  (schema: object, nullableSchema: object, ...checks: PropertyDecorator[]) =>
  ({ presence = 'required', ...documented }: FieldOptions = {}): PropertyDecorator => {
    const decorators: Record<Presence, PropertyDecorator[]> = {
      required: [ApiProperty({ ...schema, ...documented })],
      kept: [ApiPropertyOptional({ ...schema, ...documented }), Sent()],
      clearable: [ApiPropertyOptional({ ...nullableSchema, ...documented }), Clearable()],
    };
    return applyDecorators(...decorators[presence], ...checks);
  };

const maxNameLength = 200;
const nameLength = { minLength: 1, maxLength: maxNameLength };

/** What a record is called. */
export const NameField = field(nameLength, { ...nullableText, ...nameLength }, Named(maxNameLength));

/** A text of any content, such as a description. */
export const TextField = (maxLength: number, options?: FieldOptions): PropertyDecorator =>
  field({ maxLength }, { ...nullableText, maxLength }, IsString(), MaxLength(maxLength))(options);

export const InstantField = field(time, nullableTime, IsInstant());

export const DateOrInstantField = field(time, nullableTime, IsDateOrInstant());

export const TimeZoneField = field({}, nullableText, IsTimeZone());

const emailSchema = { format: 'email', maxLength: emailLimits.address };

export const EmailField = field(emailSchema, { ...nullableText, ...emailSchema }, IsEmailAddress());

const slugSchema = { pattern: slugPattern.source };

export const SlugField = field(
  slugSchema,
  { ...nullableText, ...slugSchema },
  IsString(),
  Matches(slugPattern, { message: 'slug must be lower-case letters, digits and hyphens, 1 to 100' }),
);
