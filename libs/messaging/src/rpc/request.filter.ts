/** A failed service request gets no reply: the caller retries, or answers UNAVAILABLE after its deadline. */
import { Catch, Inject, type ArgumentsHost, type RpcExceptionFilter } from '@nestjs/common';
import { EMPTY, type Observable } from 'rxjs';
import { Logger } from '../logger.js';
import type { RpcContext } from './rpc-context.js';

@Catch()
export class RequestFilter implements RpcExceptionFilter<unknown> {
  constructor(@Inject(Logger) private readonly log: Logger) {}

  catch(error: unknown, host: ArgumentsHost): Observable<never> {
    const { subject } = host.switchToRpc().getContext<RpcContext>();
    this.log.error({ subject, err: error }, 'request failed; no reply is sent');
    return EMPTY;
  }
}
