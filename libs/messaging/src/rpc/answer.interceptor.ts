/** Turns the result of a handler into the answer of its operation, and logs the call. */
import { Accepted, WithSession, type Answer, type Call, type Operation, type PublicCall } from '@ams/contracts';
import { Inject, Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { map, type Observable } from 'rxjs';
import { Logger } from '../logger.js';
import { operationOf } from './operation-metadata.js';

@Injectable()
export class AnswerInterceptor implements NestInterceptor<unknown, Answer> {
  constructor(@Inject(Logger) private readonly log: Logger) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<Answer> {
    const operation = operationOf(context);
    const { requestId, principal } = context.switchToRpc().getData<Call | PublicCall>();
    const started = performance.now();
    return next.handle().pipe(
      map((output) => {
        const answer = answerOf(operation, output);
        const ms = Math.round(performance.now() - started);
        const facts = { operation: operation.id, requestId, organizationId: principal?.organizationId, ms };
        this.log.debug({ ...facts, status: answer.status }, 'answered');
        return answer;
      }),
    );
  }
}

/** A list is the body itself. A single object is in `data`; its version becomes the ETag. */
export function answerOf(operation: Operation, output: unknown): Answer & { ok: true } {
  const { id, reply, versioned, accepted } = operation;
  if (output instanceof WithSession) return { ...answerOf(operation, output.record), session: output.session };
  if (output instanceof Accepted) {
    if (!accepted) throw new Error(`${id} cannot be answered with 202`);
    return { ok: true, status: 202, body: { data: output.record }, version: null };
  }
  if (reply === 'none') return { ok: true, status: 204, body: null, version: null };
  if (reply === 'list' || reply === 'export') return { ok: true, status: 200, body: output, version: null };
  const version = versioned ? ((output as { version?: number }).version ?? null) : null;
  return { ok: true, status: reply === 'created' ? 201 : 200, body: { data: output }, version };
}
