/** Request fields whose rule is defined once: one decorator adds both the validation and the documentation. */
import { fieldDocument, slugPattern } from '@ams/domain';
import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { Clearable, Named, nullableText, nullableTime, Sent, time } from './common.js';
import { IsDateOrInstant, IsInstant, IsTimeZone } from './validators.js';

export interface FieldOptions {
  /**
   * `required`: must be sent. `kept`: keeps its value when it is left out. `clearable`: like `kept`, and `null` clears
   * it.
   */
  presence?: 'required' | 'kept' | 'clearable';
  description?: string;
  default?: string;
  example?: string;
}

type Presence = NonNullable<FieldOptions['presence']>;

/** Makes a decorator from the schema of the field, its schema when it may be null, and its checks. */
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

/** The name of a record. */
export const NameField = field(nameLength, { ...nullableText, ...nameLength }, Named(maxNameLength));

/** A text without a rule for its content, such as a description. */
export const TextField = (maxLength: number, options?: FieldOptions): PropertyDecorator =>
  field({ maxLength }, { ...nullableText, maxLength }, IsString(), MaxLength(maxLength))(options);

export const InstantField = field(time, nullableTime, IsInstant());

export const DateOrInstantField = field(time, nullableTime, IsDateOrInstant());

export const TimeZoneField = field({}, nullableText, IsTimeZone());

const slugSchema = { pattern: slugPattern.source };

export const SlugField = field(
  slugSchema,
  { ...nullableText, ...slugSchema },
  IsString(),
  Matches(slugPattern, { message: 'slug must be lower-case letters, digits and hyphens, 1 to 100' }),
);

/** A setting whose document comes from its schema in the domain; `check` of the operation validates it. */
export const SettingField = (
  schema: Parameters<typeof fieldDocument>[0],
  documented: {
    required?: boolean;
    nullable?: boolean;
    description?: string;
    default?: unknown;
    example?: unknown;
  } = {},
): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ required: false, ...fieldDocument(schema), ...documented } as ApiPropertyOptions),
    IsOptional(),
  );
