/** The team that a record belongs to: its field in the record, in requests, and as a filter of lists. */
import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsOptional, IsString } from 'class-validator';
import { Clearable, CommaSeparated, nullableText } from './common.js';

const schema = { ...nullableText, description: 'The team that it belongs to.' };

export const TeamId = (): PropertyDecorator => ApiProperty(schema);

export const TeamField = (): PropertyDecorator => applyDecorators(ApiPropertyOptional(schema), Clearable(), IsString());

/** `what`: the records of the list. */
export const TeamFilter = (what: string): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      type: 'string',
      isArray: true,
      description: `Only ${what} that belong to one of these teams.`,
      example: ['tem_01938f3a7c2e7d4ab1c2d3e4f5060110'],
    }),
    CommaSeparated(),
    IsOptional(),
    IsArray(),
    ArrayMaxSize(100),
    IsString({ each: true }),
  );
