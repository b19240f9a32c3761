/** Filters of lists whose grammar is in the domain: one decorator adds the check and the documentation. */
import { labelFilterLimits, parseChoice, parseLabelTerm, type ChoiceOptions } from '@ams/domain';
import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsOptional,
  IsString,
  ValidateBy,
  type ValidationArguments,
} from 'class-validator';
import { CommaSeparated, Once, OneOrMore } from './common.js';

const maxValues = 100;

interface ChoiceFilterOptions extends ChoiceOptions {
  /** What the list has if the filter is used: `Only alerts in one of these states.` */
  description: string;
  example: string[];
  maxItems?: number;
}

const noneNote = ' `!` alone stands for no value.';

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((part) => typeof part === 'string');

/** Comma-separated values of a field, or values with `!` in front for all others. */
export const ChoiceFilter = ({
  description,
  example,
  maxItems = maxValues,
  ...options
}: ChoiceFilterOptions): PropertyDecorator => {
  const { allowed, mayBeNone = false } = options;
  const faultOf = (value: unknown) => {
    const parsed = isTexts(value) ? parseChoice(value, options) : null;
    return parsed?.kind === 'fault' ? parsed.message : null;
  };
  return applyDecorators(
    ApiPropertyOptional({
      ...(allowed ? { enum: allowed.flatMap((value) => [value, `!${value}`]) } : { type: 'string' }),
      isArray: true,
      description: `${description} With \`!\` in front of each value: all others.${mayBeNone ? noneNote : ''}`,
      example,
    }),
    CommaSeparated(),
    IsOptional(),
    IsArray(),
    ArrayMaxSize(maxItems),
    IsString({ each: true }),
    ValidateBy({
      name: 'choice',
      validator: {
        validate: (value) => faultOf(value) === null,
        defaultMessage: (checked?: ValidationArguments) => `$property ${faultOf(checked?.value) ?? ''}`,
      },
    }),
  );
};

function faultOfLabels(value: unknown): string | null {
  if (!isTexts(value)) return null;
  let patterns = 0;
  for (const text of value) {
    const parsed = parseLabelTerm(text);
    if (parsed.kind === 'fault') return parsed.message;
    if (parsed.term.kind === 'matches') patterns++;
  }
  const most = labelFilterLimits.patterns;
  return patterns > most ? `must not have more than ${most} patterns` : null;
}

export const LabelFilter = (): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      type: 'string',
      isArray: true,
      description:
        'Repeatable: an alert must meet all of them. `key:value` has this value, which may contain commas and ' +
        'colons; `key!:value` has another value or not this label. `key~:pattern` has a value of which a part ' +
        'matches the pattern (RE2); `key!~:pattern` has none. `key` has the label; `!key` does not.',
      example: ['region:eu'],
    }),
    OneOrMore(),
    IsOptional(),
    IsArray(),
    ArrayMaxSize(labelFilterLimits.terms),
    IsString({ each: true }),
    ValidateBy({
      name: 'label',
      validator: {
        validate: (value) => faultOfLabels(value) === null,
        defaultMessage: (checked?: ValidationArguments) => `$property ${faultOfLabels(checked?.value) ?? ''}`,
      },
    }),
  );

/** The `sort` of a list. Each value is a field, in ascending order, or with `-` in front in descending order. */
export const SortField = (sorts: readonly string[], byDefault: string, more = ''): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      enum: [...sorts],
      default: byDefault,
      description: `The field to sort by. A leading \`-\` sorts in descending order.${more}`,
    }),
    Once(),
    IsOptional(),
    IsIn(sorts),
  );
