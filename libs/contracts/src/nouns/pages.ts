/** The page ledger: alerts that ask for somebody, and how that ended. */
import { pageOutcomes, type PageOutcome } from '@ams/domain';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsIn, IsOptional, IsString } from 'class-validator';
import { operation } from '../operation.js';
import { SortField } from './filters.js';
import { CommaSeparated, Instant, nullableText, nullableTime, PageQuery, time } from './common.js';

export const pageSorts = ['askedAt', '-askedAt'] as const;

export class AlertPage {
  @ApiProperty() id!: string;
  @ApiProperty() alertId!: string;
  @ApiProperty({ ...nullableText }) incidentId!: string | null;
  @ApiProperty({
    ...nullableText,
    description: 'The workflow that asked; null when no workflow ran and the catch-all policy was asked.',
  })
  workflowId!: string | null;
  @ApiProperty({
    enum: pageOutcomes,
    enumName: 'PageOutcome',
    nullable: true,
    description:
      '`told`: somebody was told. `joined`: the alert joined an incident whose people were told. `acknowledged`, ' +
      '`resolved`, `suppressed`: the alert was, before anybody was told. `fallback`: nobody of the policy could be told, ' +
      'and the catch-all policy or the owners were. `nobody`: nobody at all could be told. Null: not yet ended.',
  })
  outcome!: PageOutcome | null;
  @ApiProperty({ ...nullableText, description: 'Why, as a sentence.' }) reason!: string | null;
  @ApiProperty({ type: 'array', items: { type: 'string' }, description: 'The notifications that told somebody.' })
  notificationIds!: string[];
  @ApiProperty({ ...time }) askedAt!: string;
  @ApiProperty({ ...nullableTime }) endedAt!: string | null;
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'How often the page was missing and was put on its way again. 0 in a healthy system.',
  })
  repairs!: number;
}

export class ListPagesQuery extends PageQuery {
  @ApiPropertyOptional({
    type: 'string',
    isArray: true,
    description: 'Only pages for one of these alerts.',
    example: ['alr_01938f3a7c2e7d4ab1c2d3e4f5061728'],
  })
  @CommaSeparated()
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(100)
  @IsString({ each: true })
  alertId?: string[];

  @ApiPropertyOptional({
    type: 'string',
    isArray: true,
    description: 'Only pages of one of these incidents.',
    example: ['inc_01938f3a7c2e7d4ab1c2d3e4f5060040'],
  })
  @CommaSeparated()
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(100)
  @IsString({ each: true })
  incidentId?: string[];

  @ApiPropertyOptional({
    enum: pageOutcomes,
    enumName: 'PageOutcome',
    isArray: true,
    description: 'Only pages with one of these outcomes.',
    example: ['fallback', 'nobody'],
  })
  @CommaSeparated()
  @IsOptional()
  @IsArray()
  @IsIn(pageOutcomes, { each: true })
  outcome?: PageOutcome[];

  @Instant('Only pages that were asked for at or after this time.')
  since?: string;

  @Instant('Only pages that were asked for before this time.')
  until?: string;

  @SortField(pageSorts, '-askedAt')
  sort?: (typeof pageSorts)[number];
}

export const listPages = operation({
  id: 'pages.list',
  operationId: 'listPages',
  owner: 'workflow-engine',
  method: 'GET',
  path: '/pages',
  scope: 'incidents:read',
  tag: 'Pages',
  summary: 'List pages',
  description:
    'Newest first: every alert that asked for somebody, and how that ended. An alert asks when a workflow with a `page` ' +
    'step runs for it. An urgent alert for which no workflow runs asks the catch-all policy of the organization.',
  query: ListPagesQuery,
  reply: 'list',
  item: AlertPage,
  faults: ['INVALID_CURSOR'],
  example: {
    query: { outcome: 'fallback,nobody' },
    reply: {
      data: [
        {
          id: 'pag_01938f3a7c2e7d4ab1c2d3e4f50600a0',
          alertId: 'alr_01938f3a7c2e7d4ab1c2d3e4f5061728',
          incidentId: 'inc_01938f3a7c2e7d4ab1c2d3e4f5060040',
          workflowId: 'wfl_01938f3a7c2e7d4ab1c2d3e4f5060070',
          outcome: 'fallback',
          reason: 'Nobody of the escalation policy could be told.',
          notificationIds: ['ntf_01938f3a7c2e7d4ab1c2d3e4f5060090'],
          askedAt: '2026-11-20T14:00:00.300Z',
          endedAt: '2026-11-20T14:00:01.900Z',
          repairs: 0,
        },
      ],
      meta: { limit: 50, hasMore: false, nextCursor: null, total: 1 },
    },
  },
});

export const pageOperations = [listPages];
