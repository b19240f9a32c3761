/** Turns a call into the input of its handler: query and body are checked against the DTOs of the operation. */
import { Fault, type Call, type Input, type Operation, type PublicCall, type PublicInput } from '@ams/contracts';
import type { PipeTransform } from '@nestjs/common';
import { noParameters, validate } from '../validate.js';

/** What `CallPipe` would throw for the call; null for a valid one. */
export function faultsOfCall(operation: Operation, call: Call): Fault | null {
  try {
    new CallPipe(operation).transform(call);
    return null;
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

type AnyInput = Input<unknown, unknown> | PublicInput<unknown, unknown>;

export class CallPipe implements PipeTransform<Call | PublicCall, AnyInput> {
  constructor(private readonly operation: Operation) {}

  /** Throws VALIDATION_ERROR with every fault. */
  transform(call: Call | PublicCall): AnyInput {
    const { query: queryDto, body: bodyDto, bodyOptional, check, verbatim } = this.operation;
    if (!queryDto) noParameters(call.query);
    const query = queryDto ? validate(queryDto, call.query, 'query') : {};
    const sent = bodyOptional ? (call.body ?? {}) : call.body;
    const body = bodyDto ? validate(bodyDto, sent, 'body', { check, verbatim }) : undefined;
    return { ...call, query, body };
  }
}
