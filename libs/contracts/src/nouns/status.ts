/** Whether the parts of the service work, as an organization sees them. */
import {
  partStates,
  readingLimitSeconds,
  readingNames,
  readingRules,
  readingUnits,
  serviceParts,
  type PartState,
  type ReadingName,
  type ReadingSource,
  type ReadingUnit,
  type ServicePart,
} from '@ams/domain';
import { ApiProperty } from '@nestjs/swagger';
import { operation } from '../operation.js';
import { nullableTime } from './common.js';

const state = {
  enum: partStates,
  enumName: 'PartState',
  description:
    '`operational`: every reading is newer than ' +
    `${readingLimitSeconds} seconds and within its limits. \`unknown\`: a reading is older, or missing. ` +
    '`degraded`, `down`: a reading has reached this limit.',
};
const nullableNumber = { type: 'number', nullable: true } as const;

export class StatusReading {
  @ApiProperty({ enum: readingNames, enumName: 'ReadingName', description: 'What was read.' }) name!: ReadingName;
  @ApiProperty({
    enum: ['service', 'organization'],
    enumName: 'ReadingSource',
    description:
      '`service`: of the whole service. `organization`: of the records of the organization that the caller sees, in the ' +
      'environment of the key.',
  })
  of!: ReadingSource;
  @ApiProperty(state) state!: PartState;
  @ApiProperty({ ...nullableNumber, description: 'Null: it is not known.' }) value!: number | null;
  @ApiProperty({ enum: readingUnits, enumName: 'ReadingUnit', description: 'The unit of `value` and of the limits.' })
  unit!: ReadingUnit;
  @ApiProperty({ ...nullableNumber, description: 'How old the reading is, in seconds. Null: there is none.' })
  ageSeconds!: number | null;
  @ApiProperty({ ...nullableNumber, description: 'The value from which the part is `degraded`. Null: never.' })
  degradedFrom!: number | null;
  @ApiProperty({ ...nullableNumber, description: 'The value from which the part is `down`. Null: never.' })
  downFrom!: number | null;
}

export class StatusPart {
  @ApiProperty({
    enum: serviceParts,
    enumName: 'ServicePart',
    description:
      '`ingest`: events of senders are accepted. `alerts`: they become alerts. `pages`: people are chosen. ' +
      '`notifications`: messages are sent. `api`: this API. `stream`: `GET /stream`.',
  })
  part!: ServicePart;
  @ApiProperty({ ...state, description: 'The worst state of the readings.' }) state!: PartState;
  @ApiProperty({ ...nullableTime, description: 'Since when the part has this state. Null: it was not known before.' })
  since!: string | null;
  @ApiProperty({ type: [StatusReading] }) readings!: StatusReading[];
}

export class ServiceStatus {
  @ApiProperty({ ...state, description: 'The worst state of the parts.' }) state!: PartState;
  @ApiProperty({
    ...nullableTime,
    description: 'When the readings of the whole service were last collected. Null: never yet.',
  })
  readAt!: string | null;
  @ApiProperty({ type: [StatusPart] }) parts!: StatusPart[];
}

const reading = (name: ReadingName, readingState: PartState, value: number | null, ageSeconds: number | null) => {
  const { of, unit, degradedFrom, downFrom } = readingRules[name];
  return { name, of, state: readingState, value, unit, ageSeconds, degradedFrom, downFrom };
};

export const getStatus = operation({
  id: 'status.get',
  operationId: 'getStatus',
  owner: 'workflow-engine',
  method: 'GET',
  path: '/status',
  scope: null,
  tag: 'Status',
  summary: 'Get the status of the service',
  description:
    'Whether the parts of the service work, with the readings behind it. Every valid key and every member may ask. The ' +
    'readings are of the whole service, and of the records of the organization; nothing of other organizations is in ' +
    'them. A reading that is old or missing is `unknown`, never `operational`. When the service cannot answer at all, ' +
    'the answer is 503, or there is none.',
  reply: 'one',
  item: ServiceStatus,
  example: {
    reply: {
      data: {
        state: 'degraded',
        readAt: '2026-11-20T14:00:03.000Z',
        parts: [
          {
            part: 'alerts',
            state: 'degraded',
            since: '2026-11-20T13:59:12.000Z',
            readings: [
              reading('oldestUnappliedEvent', 'degraded', 81.4, 2.1),
              reading('partitionsNotHeld', 'degraded', 1, 2.1),
              reading('leaseAge', 'operational', 3.2, 2.1),
            ],
          },
        ],
      },
    },
  },
});

export const statusOperations = [getStatus];
