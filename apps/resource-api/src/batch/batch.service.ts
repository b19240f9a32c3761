/**
 * Runs the operations of a batch in one transaction. Each one is handled as if it were a request of its own: with its
 * guard, its checks, its audit entry and its answer. What its handler does in `writeAs` is part of the transaction of
 * the batch, so a refusal undoes the operations before it.
 */
import {
  allOperations,
  Fault,
  type Answer,
  type Batch,
  type BatchAnswer,
  type BatchResult,
  type Call,
  type FaultCode,
  type Input,
  type NoQuery,
  type RefusedOperation,
} from '@ams/contracts';
import { Database, withIdempotency } from '@ams/database';
import { mapInParts, withReferences } from '@ams/domain';
import { faultsOfCall, OrganizationActivity, RpcServer } from '@ams/messaging';
import { Outbox } from '@ams/persistence';
import { evaluationTurns } from '@ams/service';
import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { planOf, requireScopes, type PlannedOperation } from './batch-plan.js';

/** The answers must fit into one message. */
const answerBytes = 700 * 1024;
/** The longest rest after an operation. */
const longestRestMs = 5;

/** A failure of the service and not of the operation: the caller gets it as it is. */
const isOfService = (code: FaultCode): boolean =>
  code === 'INTERNAL_ERROR' || code === 'UNAVAILABLE' || code === 'UNAUTHORIZED';

@Injectable()
export class BatchService {
  constructor(
    private readonly database: Database,
    private readonly server: RpcServer,
    private readonly outbox: Outbox,
    private readonly activity: OrganizationActivity,
  ) {}

  async run(input: Input<NoQuery, Batch>): Promise<BatchResult> {
    const { principal, body, idempotency } = input;
    const plan = planOf(body, this.server.operations, allOperations);
    if (plan.kind === 'faults') throw new Fault('VALIDATION_ERROR', { fields: plan.faults });
    requireScopes(principal, plan.operations);
    await refuseInvalid(input, plan.operations);
    const result = await this.database.writeTogether(principal, (tx) =>
      withIdempotency(tx, 'resource-api', principal, idempotency, () => this.runAll(input, plan.operations)),
    );
    this.outbox.publishNow();
    return result;
  }

  private async runAll(input: Input<NoQuery, Batch>, operations: readonly PlannedOperation[]): Promise<BatchResult> {
    const ids = new Map<string, string>();
    const results: BatchAnswer[] = [];
    let bytes = 0;
    for (const planned of operations) {
      const begun = performance.now();
      const answer = await this.server.call(planned.operation, callOf(input, planned, ids));
      if (!answer.ok) throw refusalOf(planned, answer, input.requestId);
      const made = (answer.body as { data?: { id?: unknown } } | null)?.data?.id;
      if (typeof made === 'string') ids.set(planned.id, made);
      results.push({ id: planned.id, status: answer.status, body: answer.body });
      bytes += Buffer.byteLength(JSON.stringify(answer.body));
      if (bytes > answerBytes) throw batchFailed([tooLarge(planned)]);
      await this.rest(input.principal.organizationId, begun);
    }
    return { results };
  }

  /** While others are active, for as long as the operation took: a request of others meets few of them. */
  private async rest(organizationId: string, begun: number): Promise<void> {
    const now = performance.now();
    if (this.activity.isAnyBeside(organizationId, now)) await sleep(Math.min(longestRestMs, now - begun));
  }
}

function callOf(
  { requestId, principal, ip, userAgent }: Input<unknown, unknown>,
  { params, body }: PlannedOperation,
  ids: ReadonlyMap<string, string>,
): Call {
  return {
    requestId,
    principal,
    params: withReferences(params, ids) as Record<string, string>,
    query: {},
    body: withReferences(body, ids),
    ifMatch: null,
    idempotency: null,
    ip,
    userAgent,
  };
}

/** Refuses all invalid bodies at once. A body with references is checked when they are known. */
async function refuseInvalid(input: Input<unknown, unknown>, operations: readonly PlannedOperation[]): Promise<void> {
  const { organizationId } = input.principal;
  const faults = await evaluationTurns.run(
    { organizationId, record: 'batch' },
    mapInParts(operations, (planned) =>
      planned.hasReferences ? null : faultsOfCall(planned.operation, callOf(input, planned, new Map())),
    ),
  );
  const failures = faults.flatMap((fault, index): RefusedOperation[] => {
    const operation = operations[index]!.id;
    return fault === null ? [] : [{ operation, code: fault.code, error: fault.message, details: fault.details }];
  });
  if (failures.length > 0) throw batchFailed(failures);
}

function refusalOf({ id }: PlannedOperation, answer: Extract<Answer, { ok: false }>, requestId: string): Fault {
  const { code, message: error, details } = answer;
  if (isOfService(code)) return new Fault(code, (details ?? { requestId }) as never, error);
  return batchFailed([{ operation: id, code, error, details }]);
}

const tooLarge = ({ id }: PlannedOperation): RefusedOperation => ({
  operation: id,
  code: 'PAYLOAD_TOO_LARGE',
  error: `The answers of the operations up to this one are larger than ${answerBytes} bytes. Send smaller batches.`,
  details: { limitBytes: answerBytes },
});

function batchFailed(failures: RefusedOperation[]): Fault {
  const [first] = failures as [RefusedOperation];
  return new Fault('BATCH_FAILED', { ...first, failures });
}
