/** Facets: the values that the records of a list have, with their numbers. */
import { ApiProperty, ApiPropertyOptional, IntersectionType, OmitType } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { alertFacetNames, facetLimits, incidentFacetNames, parseFacets, type FacetName } from '@ams/domain';
import { applyDecorators } from '@nestjs/common';
import { IsArray, IsInt, IsOptional, IsString, Max, Min, ValidateBy, type ValidationArguments } from 'class-validator';
import { operation } from '../operation.js';
import { AlertFilter } from './alerts.js';
import { CommaSeparated, nullableText } from './common.js';
import { ListIncidentsQuery } from './incidents.js';

const faultOf = (value: unknown, names: readonly FacetName[], hasLabels: boolean): string | null => {
  if (!Array.isArray(value) || !value.every((part) => typeof part === 'string')) return null;
  const parsed = parseFacets(value, names, hasLabels);
  return parsed.kind === 'fault' ? parsed.message : null;
};

const FacetField = (names: readonly FacetName[], hasLabels: boolean): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      type: 'string',
      isArray: true,
      maxItems: facetLimits.facets,
      default: names,
      description:
        `The facets: ${names.map((name) => `\`${name}\``).join(', ')}` +
        (hasLabels ? `, and \`label:<key>\` for at most ${facetLimits.labels} labels.` : '.'),
      example: hasLabels ? ['status', 'severity', 'label:region'] : ['status', 'severity'],
    }),
    CommaSeparated(),
    IsOptional(),
    IsArray(),
    IsString({ each: true }),
    ValidateBy({
      name: 'facet',
      validator: {
        validate: (value) => faultOf(value, names, hasLabels) === null,
        defaultMessage: (checked?: ValidationArguments) =>
          `$property ${faultOf(checked?.value, names, hasLabels) ?? ''}`,
      },
    }),
  );

class FacetValuesQuery {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: facetLimits.values,
    default: facetLimits.valuesByDefault,
    description: 'How many values each facet has at the most.',
  })
  @Transform(({ value }) => {
    const text: unknown = Array.isArray(value) ? value.at(-1) : value;
    return typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : text;
  })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(facetLimits.values)
  values?: number;
}

export class AlertFacetsQuery extends IntersectionType(AlertFilter, FacetValuesQuery) {
  @FacetField(alertFacetNames, true)
  facet?: string[];
}

export class IncidentFacetsQuery extends IntersectionType(
  OmitType(ListIncidentsQuery, ['limit', 'cursor', 'sort'] as const),
  FacetValuesQuery,
) {
  @FacetField(incidentFacetNames, false)
  facet?: string[];
}

export class FacetValue {
  @ApiProperty({ ...nullableText, description: 'As the filter takes it. Null: the records without a value.' })
  value!: string | null;
  @ApiProperty({ type: 'integer', minimum: 1 }) count!: number;
}

export class Facet {
  @ApiProperty({ description: 'The name that was asked for.' }) facet!: string;
  @ApiProperty({ type: [FacetValue], description: 'The most frequent values, the most frequent first.' })
  values!: FacetValue[];
  @ApiProperty({ description: 'Whether there are more values.' }) hasMore!: boolean;
  @ApiProperty({
    description:
      `False: more than ${facetLimits.records.toLocaleString('en')} records match, and only the newest were counted. The ` +
      'counts are too low, and rare values may be missing.',
  })
  exact!: boolean;
}

export class Facets {
  @ApiProperty({ type: [Facet], description: 'In the order in which they were asked for.' }) facets!: Facet[];
}

const description =
  'How many records of the list have each value of a field. The filters are those of the list. A facet ignores the ' +
  'filter by its own field, so that it shows what else could be chosen. When very many records match, only the newest ' +
  'are counted: see `exact`.';

export const getAlertFacets = operation({
  id: 'alerts.facets',
  operationId: 'getAlertFacets',
  owner: 'resource-api',
  method: 'GET',
  path: '/alerts/facets',
  scope: 'alerts:read',
  tag: 'Alerts',
  summary: 'Count alerts by their values',
  description,
  query: AlertFacetsQuery,
  reply: 'one',
  item: Facets,
  example: {
    query: { facet: 'status,label:region', severity: 'critical' },
    reply: {
      data: {
        facets: [
          {
            facet: 'status',
            values: [
              { value: 'resolved', count: 812 },
              { value: 'firing', count: 14 },
            ],
            hasMore: false,
            exact: true,
          },
          { facet: 'label:region', values: [{ value: 'eu', count: 826 }], hasMore: false, exact: true },
        ],
      },
    },
  },
});

export const getIncidentFacets = operation({
  id: 'incidents.facets',
  operationId: 'getIncidentFacets',
  owner: 'resource-api',
  method: 'GET',
  path: '/incidents/facets',
  scope: 'incidents:read',
  tag: 'Incidents',
  summary: 'Count incidents by their values',
  description,
  query: IncidentFacetsQuery,
  reply: 'one',
  item: Facets,
  example: {
    query: { facet: 'status' },
    reply: {
      data: {
        facets: [{ facet: 'status', values: [{ value: 'resolved', count: 40 }], hasMore: false, exact: true }],
      },
    },
  },
});

export const facetOperations = [getAlertFacets, getIncidentFacets];
