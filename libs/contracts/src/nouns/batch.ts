/** Several operations in one request, all or nothing. */
import { batchIdPattern } from '@ams/domain';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray } from 'class-validator';
import type { FieldFault } from '../fault.js';
import { operation } from '../operation.js';

export const batchLimits = {
  operations: 100,
  /** A batch counts as one request for every so many operations. */
  operationsPerRequest: 10,
  pathLength: 2000,
} as const;

export const batchMethods = ['POST', 'PUT', 'DELETE'] as const;
export type BatchMethod = (typeof batchMethods)[number];

export class BatchOperation {
  @ApiProperty({
    pattern: batchIdPattern.source,
    description: 'A name of your own for the operation. Later operations refer to what it made by `$` and this name.',
  })
  id!: string;

  @ApiProperty({ enum: batchMethods })
  method!: BatchMethod;

  @ApiProperty({
    maxLength: batchLimits.pathLength,
    description: 'The path below `/api/v1`, such as `/clients`, without a query.',
  })
  path!: string;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'The body of the operation, if it has one.',
  })
  body?: unknown;
}

export class Batch {
  @ApiProperty({ type: [BatchOperation], minItems: 1, maxItems: batchLimits.operations })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(batchLimits.operations)
  operations!: BatchOperation[];
}

export class BatchAnswer {
  @ApiProperty({ description: 'The name of the operation.' }) id!: string;
  @ApiProperty({ type: 'integer', description: 'The HTTP status that the operation alone would have.' })
  status!: number;
  @ApiProperty({
    type: 'object',
    nullable: true,
    additionalProperties: true,
    description: 'The body that the operation alone would have; null for a deletion.',
  })
  body!: unknown;
}

export class BatchResult {
  @ApiProperty({ type: [BatchAnswer], description: 'In the order of the operations.' }) results!: BatchAnswer[];
}

const fields = ['id', 'method', 'path', 'body'];

/** The form of the operations. What they name is checked where they run. */
function batchFaults({ operations }: Record<string, unknown>): FieldFault[] {
  if (!Array.isArray(operations)) return [];
  const ids = new Set<unknown>();
  return operations.slice(0, batchLimits.operations).flatMap((sent: unknown, index): FieldFault[] => {
    const at = `operations[${index}]`;
    const fault = (path: string, rule: string, message: string): FieldFault => ({
      path,
      rule,
      message: `${path} ${message}`,
    });
    if (typeof sent !== 'object' || sent === null || Array.isArray(sent))
      return [fault(at, 'isObject', 'must be an object')];
    const { id, method, path } = sent as Partial<Record<string, unknown>>;
    const faults = Object.keys(sent)
      .filter((name) => !fields.includes(name))
      .map((name) => fault(`${at}.${name}`, 'unknown', 'is not a field of this request'));
    if (typeof id !== 'string' || !batchIdPattern.test(id))
      faults.push(fault(`${at}.id`, 'form', 'must be 1 to 64 letters, digits, hyphens and underscores'));
    else if (ids.has(id)) faults.push(fault(`${at}.id`, 'unique', 'is the name of an earlier operation already'));
    ids.add(id);
    if (!batchMethods.includes(method as BatchMethod))
      faults.push(fault(`${at}.method`, 'isIn', `must be one of ${batchMethods.join(', ')}`));
    if (typeof path !== 'string' || !path.startsWith('/') || path.length > batchLimits.pathLength)
      faults.push(fault(`${at}.path`, 'form', 'must be a path below /api/v1, such as /clients'));
    else if (/[?#]/.test(path)) faults.push(fault(`${at}.path`, 'form', 'must not have a query'));
    return faults;
  });
}

const clientBody = {
  id: 'cli_01938f3a7c2e7d4ab1c2d3e4f5060020',
  name: 'Acme Shipping',
};

export const runBatch = operation({
  id: 'batch.run',
  operationId: 'runBatch',
  owner: 'resource-api',
  method: 'POST',
  path: '/batch',
  scope: null,
  tag: 'Batch',
  summary: 'Run several operations together',
  description:
    `Runs up to ${batchLimits.operations} operations in order, all or nothing: when one is refused, nothing has ` +
    'changed, and the response is 400 `BATCH_FAILED` with the operation and its error. The text `"$<id>"`, as a ' +
    'whole value in a body or as a segment of a path, stands for the id of what the earlier operation `<id>` made. ' +
    'A batch can have POST, PUT and DELETE on clients, integrations, schedules, suppression windows, workflows, ' +
    'teams, escalation policies and the settings of the organization. It counts as one request for every ' +
    `${batchLimits.operationsPerRequest} operations. The key needs the scope of each operation, which is checked ` +
    'before the first one runs.',
  body: Batch,
  check: batchFaults,
  counts: { list: 'operations', perRequest: batchLimits.operationsPerRequest },
  reply: 'one',
  item: BatchResult,
  faults: ['BATCH_FAILED', 'IDEMPOTENCY_KEY_REUSED'],
  example: {
    body: {
      operations: [
        { id: 'acme', method: 'POST', path: '/clients', body: { name: clientBody.name } },
        { id: 'rename', method: 'PUT', path: '/clients/$acme', body: { name: 'Acme' } },
      ],
    },
    reply: {
      data: {
        results: [
          { id: 'acme', status: 201, body: { data: clientBody } },
          { id: 'rename', status: 200, body: { data: { ...clientBody, name: 'Acme' } } },
        ],
      },
    },
  },
});

export const batchOperations = [runBatch];
