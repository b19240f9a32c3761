/** Shared parts of the nouns: query parameters of lists, and decorators that several DTOs use. */
import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import {
  IsInt,
  IsOptional,
  IsString,
  Matches,
  MaxLength,
  Min,
  ValidateIf,
  type ValidationOptions,
} from 'class-validator';
import type { FieldFault } from '../fault.js';
import { IsInstant } from './validators.js';

/** For descriptions of operations whose answers have e-mail addresses of members. See `withAddressesFor`. */
export const addressNote =
  'Without `users:read`, and to a key that is restricted to clients or teams, e-mail addresses are shown as ' +
  '`m…@example.com`.';

export const maxPageSize = 100;
export const defaultPageSize = 50;

const last = (value: unknown): unknown => (Array.isArray(value) ? value[value.length - 1] : value);

/** `a,b` and `?x=a&x=b` both mean a or b. */
export const CommaSeparated = () =>
  Transform(({ value }) => {
    if (value === undefined || value === null) return value;
    const list = (Array.isArray(value) ? value : [value]).flatMap((text) => String(text).split(','));
    return list.map((text) => text.trim()).filter((text) => text !== '');
  });

/** A repeatable parameter; a single value becomes a list of one. */
export const OneOrMore = () =>
  Transform(({ value }) => (value === undefined || value === null || Array.isArray(value) ? value : [value]));

export const Once = () => Transform(({ value }) => last(value));

/** An optional field that may not be `null`. When it is left out, the record keeps its value. */
export const Sent = () => ValidateIf((_object, value) => value !== undefined);

/** An optional field; `null` clears it. */
export const Clearable = () => ValidateIf((_object, value) => value !== undefined && value !== null);

/** `limit` and `cursor` of every list. */
export class PageQuery {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: maxPageSize,
    default: defaultPageSize,
    description: 'The page size. Values above 100 are reduced to 100.',
  })
  @Transform(({ value }) => {
    const text = last(value);
    if (text === undefined) return undefined;
    return typeof text === 'string' && /^[+-]?\d{1,15}$/.test(text) ? Number(text) : text;
  })
  @IsOptional()
  @IsInt({ message: 'limit must be an integer' })
  @Min(1, { message: 'limit must be at least 1' })
  limit?: number;

  @ApiPropertyOptional({
    type: 'string',
    description: '`meta.nextCursor` of the previous page. Filters and sort must be the same as for that page.',
    example:
      'WzEsInBhWDZKOFJYZ0c3TCIsIjIwMjYtMTEtMjBUMTQ6MDU6MDAuMDAwWiIsIjAxOTM4ZjNhLTdjMmUtN2Q0YS1iMWMyLWQzZTRmNTA2MTcyOCJd',
  })
  @Once()
  @IsOptional()
  @IsString()
  cursor?: string;
}

export const Instant = (description: string) =>
  applyDecorators(
    ApiPropertyOptional({ type: 'string', format: 'date-time', description, example: '2026-11-20T14:00:00Z' }),
    Once(),
    IsOptional(),
    IsInstant(),
  );

/** The parameters of every list of stored records. */
export class ListQuery extends PageQuery {
  @Instant('Only records that were created at or after this time.')
  createdSince?: string;

  @Instant('Only records that were created before this time.')
  createdUntil?: string;
}

export const SearchText = (what: string, example: string) =>
  applyDecorators(
    ApiPropertyOptional({
      type: 'string',
      maxLength: 200,
      description: `Text that the ${what} contains, regardless of case.`,
      example,
    }),
    Once(),
    IsOptional(),
    IsString(),
    MaxLength(200),
  );

/** A text for people, with at least one visible character and a maximum length. */
export const Named = (maxLength: number, options?: ValidationOptions) =>
  applyDecorators(
    IsString(options),
    Matches(/\S/, { message: '$property must not be empty', ...options }),
    MaxLength(maxLength, options),
  );

/** Field errors from the domain as full sentences. The domain says `must be …`; the path becomes the subject. */
export const worded = (faults: readonly FieldFault[]): FieldFault[] =>
  faults.map(({ path, rule, message }) => ({ path, rule, message: `${path} ${message}` }));

/** What somebody writes about a change. */
export const NoteField = (description = 'Stored in the timeline.') =>
  applyDecorators(
    ApiPropertyOptional({ ...nullableText, maxLength: 4096, description }),
    Clearable(),
    IsString(),
    MaxLength(4096),
  );

/** The member for whom a key acts. */
export const OnBehalfOfField = () =>
  applyDecorators(
    ApiPropertyOptional({
      ...nullableText,
      description:
        'The id of the member for whom the key acts. Records show the member, and the key (`via`). Needs the scope ' +
        '`users:read`.',
      example: 'usr_01938f3a7c2e7d4ab1c2d3e4f5060030',
    }),
    Clearable(),
    IsString(),
  );

export class ActorKey {
  @ApiProperty({ enum: ['api_key'] }) type!: 'api_key';
  @ApiProperty() id!: string;
  @ApiProperty() name!: string;
}

export class Actor {
  @ApiProperty({ enum: ['user', 'api_key', 'workflow', 'integration', 'service'] })
  type!: 'user' | 'api_key' | 'workflow' | 'integration' | 'service';

  @ApiProperty({ type: 'string', nullable: true })
  id!: string | null;

  @ApiProperty()
  name!: string;

  @ApiPropertyOptional({ type: ActorKey, description: 'The key that acted on behalf of the member (`onBehalfOf`).' })
  via?: ActorKey;
}

export class Change {
  @ApiProperty()
  field!: string;

  @ApiProperty({ nullable: true, description: 'The value before the change, in the form of the record.' })
  before!: unknown;

  @ApiProperty({ nullable: true, description: 'The value after the change.' })
  after!: unknown;
}

export const stringMap = { type: 'object', additionalProperties: { type: 'string' } } as const;
export const nullableTime = { type: 'string', format: 'date-time', nullable: true } as const;
export const time = { type: 'string', format: 'date-time' } as const;
export const nullableText = { type: 'string', nullable: true } as const;
