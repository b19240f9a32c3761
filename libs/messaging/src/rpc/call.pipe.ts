/** Turns a call into the input of its handler: query and body are checked against the DTOs of the operation. */
import type { Call, Input, Operation } from '@ams/contracts';
import type { PipeTransform } from '@nestjs/common';
import { noParameters, validate } from '../validate.js';

export class CallPipe implements PipeTransform<Call, Input<unknown, unknown>> {
  constructor(private readonly operation: Operation) {}

  /** Throws VALIDATION_ERROR with every fault. */
  transform(call: Call): Input<unknown, unknown> {
    const { query: queryDto, body: bodyDto, bodyOptional, check, verbatim } = this.operation;
    if (!queryDto) noParameters(call.query);
    const query = queryDto ? validate(queryDto, call.query, 'query') : {};
    const sent = bodyOptional ? (call.body ?? {}) : call.body;
    const body = bodyDto ? validate(bodyDto, sent, 'body', { check, verbatim }) : undefined;
    return { ...call, query, body };
  }
}
