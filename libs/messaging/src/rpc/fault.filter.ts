/** Answers a failed operation with the code of its fault. Any other error is logged in full. */
import type { Answer, Call } from '@ams/contracts';
import { Catch, Inject, type ArgumentsHost, type RpcExceptionFilter } from '@nestjs/common';
import { of, type Observable } from 'rxjs';
import { Logger } from '../logger.js';
import { asFault } from './as-fault.js';

@Catch()
export class FaultFilter implements RpcExceptionFilter<unknown> {
  constructor(@Inject(Logger) private readonly log: Logger) {}

  catch(error: unknown, host: ArgumentsHost): Observable<Answer> {
    const call = host.switchToRpc().getData<Partial<Call> | null>();
    return of(refusalOf(error, call?.requestId ?? '', this.log));
  }
}

export function refusalOf(error: unknown, requestId: string, log: Logger): Answer {
  const fault = asFault(error, requestId);
  const facts = { requestId, code: fault.code, err: error };
  if (fault.status >= 500) log.error(facts, 'operation failed');
  else log.debug({ requestId, code: fault.code }, 'operation refused');
  return { ok: false, code: fault.code, message: fault.message, details: fault.details };
}
