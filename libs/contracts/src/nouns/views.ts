/** Saved views: the filters of a list under a name. */
import {
  savedViewFaults,
  savedViewLimits,
  viewPageNames,
  viewVisibilities,
  type ViewPage,
  type ViewVisibility,
} from '@ams/domain';
import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { IsIn, IsInt, IsString, Max, Min } from 'class-validator';
import type { FieldFault } from '../fault.js';
import { operation } from '../operation.js';
import { Clearable, ListQuery, nullableText, SearchText, Sent, time, worded } from './common.js';
import { NameField } from './fields.js';
import { ChoiceFilter, SortField } from './filters.js';

export type ViewQuery = Record<string, string | string[]>;

const querySchema = {
  type: 'object' as const,
  additionalProperties: { oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
};

const visibilityDescription =
  '`own`: visible to its owner. `team`: to the members of the team. `organization`: to everybody in the organization.';

export class View {
  @ApiProperty() id!: string;
  @ApiProperty({ maxLength: 200 }) name!: string;
  @ApiProperty({ enum: viewPageNames, enumName: 'ViewPage', description: 'The list that the view is of.' })
  page!: ViewPage;
  @ApiProperty({ ...querySchema, description: 'The parameters of the list.' }) query!: ViewQuery;
  @ApiProperty({ enum: viewVisibilities, enumName: 'ViewVisibility', description: visibilityDescription })
  visibility!: ViewVisibility;
  @ApiProperty({ ...nullableText, description: 'The team that sees the view.' }) teamId!: string | null;
  @ApiProperty({
    ...nullableText,
    description: 'The member who made the view; null for one that a key made, or a member who was deleted.',
  })
  ownerId!: string | null;
  @ApiProperty({ type: 'integer', minimum: 0, description: 'Where the view is shown among others.' }) position!: number;
  @ApiProperty({ ...time }) createdAt!: string;
  @ApiProperty({ ...time }) updatedAt!: string;
  @ApiProperty({ type: 'integer', minimum: 1 }) version!: number;
}

export class PutView {
  @NameField({ presence: 'kept' })
  name?: string;

  @ApiPropertyOptional({
    ...querySchema,
    description:
      `Replaces all parameters: at most ${savedViewLimits.parameters}, and ${savedViewLimits.queryBytes} bytes as JSON. ` +
      'A parameter that is repeated is a list.',
  })
  @Sent()
  query?: ViewQuery;

  @ApiPropertyOptional({ enum: viewVisibilities, enumName: 'ViewVisibility', description: visibilityDescription })
  @Sent()
  @IsIn(viewVisibilities)
  visibility?: ViewVisibility;

  @ApiPropertyOptional({ ...nullableText, description: 'Needed with the visibility `team`, and allowed only with it.' })
  @Clearable()
  @IsString()
  teamId?: string | null;

  @ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: savedViewLimits.position, default: 0 })
  @Sent()
  @IsInt()
  @Min(0)
  @Max(savedViewLimits.position)
  position?: number;
}

export class PostView extends OmitType(PutView, ['name'] as const) {
  @NameField()
  name!: string;

  @ApiProperty({ enum: viewPageNames, enumName: 'ViewPage' })
  @IsIn(viewPageNames)
  page!: ViewPage;
}

export const viewSorts = ['position', '-position', 'name', '-name', 'createdAt', '-createdAt'] as const;

export class ListViewsQuery extends ListQuery {
  @ChoiceFilter({ allowed: viewPageNames, description: 'Only views of these lists.', example: ['alerts'] })
  page?: string[];

  @ChoiceFilter({
    allowed: viewVisibilities,
    description: 'Only views with one of these visibilities.',
    example: ['own', 'team'],
  })
  visibility?: string[];

  @ChoiceFilter({
    mayBeNone: true,
    description: 'Only views of these teams.',
    example: ['tem_01938f3a7c2e7d4ab1c2d3e4f5060110'],
  })
  teamId?: string[];

  @SearchText('name', 'night')
  q?: string;

  @SortField(viewSorts, 'position')
  sort?: (typeof viewSorts)[number];
}

const queryFaults = ({ query }: Record<string, unknown>): FieldFault[] =>
  query === undefined ? [] : worded(savedViewFaults(query));

const viewExample: View = {
  id: 'viw_01938f3a7c2e7d4ab1c2d3e4f5060150',
  name: 'Critical in Europe',
  page: 'alerts',
  query: { severity: 'critical', label: ['region:eu'] },
  visibility: 'organization',
  teamId: null,
  ownerId: null,
  position: 0,
  createdAt: '2026-11-20T13:00:00.000Z',
  updatedAt: '2026-11-20T13:00:00.000Z',
  version: 1,
};
const { id } = viewExample;

const scopeText = ' The caller needs the scope that reads the list of the view.';

export const listViews = operation({
  id: 'views.list',
  operationId: 'listViews',
  owner: 'resource-api',
  method: 'GET',
  path: '/views',
  scope: null,
  tag: 'Views',
  summary: 'List saved views',
  description:
    'The views that the caller may see: its own, those of its teams, and those of the ' +
    'organization. A key sees those of the organization.' +
    scopeText,
  query: ListViewsQuery,
  reply: 'list',
  item: View,
  faults: ['INVALID_CURSOR'],
  example: {
    query: { page: 'alerts' },
    reply: { data: [viewExample], meta: { limit: 50, hasMore: false, nextCursor: null, total: 1 } },
  },
});

export const createView = operation({
  id: 'views.create',
  operationId: 'createView',
  owner: 'resource-api',
  method: 'POST',
  path: '/views',
  scope: null,
  tag: 'Views',
  summary: 'Save a view',
  description:
    'Saves the filters of a list under a name. Without `visibility`, a member makes a view of their own, and a key one ' +
    'of the organization; a key makes no others. A view of the organization needs the scope that changes the records ' +
    `of the list. A member has at most ${savedViewLimits.ofOwner} views, and so have all keys together.${scopeText}`,
  body: PostView,
  check: queryFaults,
  reply: 'created',
  item: View,
  versioned: true,
  faults: ['QUOTA_EXCEEDED', 'CONFLICT', 'IDEMPOTENCY_KEY_REUSED'],
  example: {
    body: { name: viewExample.name, page: 'alerts', query: viewExample.query },
    reply: { data: viewExample },
  },
});

export const getView = operation({
  id: 'views.get',
  operationId: 'getView',
  owner: 'resource-api',
  method: 'GET',
  path: '/views/{id}',
  scope: null,
  tag: 'Views',
  summary: 'Get a saved view',
  description: `One view.${scopeText}`,
  reply: 'one',
  item: View,
  versioned: true,
  example: { params: { id }, reply: { data: viewExample } },
});

export const updateView = operation({
  id: 'views.update',
  operationId: 'updateView',
  owner: 'resource-api',
  method: 'PUT',
  path: '/views/{id}',
  scope: null,
  tag: 'Views',
  summary: 'Update a saved view',
  description:
    'Changes the fields that are sent and keeps the others. A view is changed by its owner; one of a team also by the ' +
    `managers of the team, and one of the organization also with the scope \`organization:write\`.${scopeText}`,
  body: PutView,
  check: queryFaults,
  reply: 'one',
  item: View,
  versioned: true,
  faults: ['VERSION_MISMATCH'],
  example: {
    params: { id },
    body: { position: 3 },
    reply: { data: { ...viewExample, position: 3, version: 2 } },
  },
});

export const deleteView = operation({
  id: 'views.delete',
  operationId: 'deleteView',
  owner: 'resource-api',
  method: 'DELETE',
  path: '/views/{id}',
  scope: null,
  tag: 'Views',
  summary: 'Delete a saved view',
  description: `Who may change a view may delete it. The views of a team are deleted with the team.${scopeText}`,
  reply: 'none',
  versioned: true,
  faults: ['VERSION_MISMATCH'],
  example: { params: { id }, reply: null },
});

export const viewOperations = [listViews, createView, getView, updateView, deleteView];
