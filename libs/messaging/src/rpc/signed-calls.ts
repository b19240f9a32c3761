/**
 * Whether an owner executes a call: with the keys of the API gateway, only what the gateway has signed
 * (docs/adr/0072). Without them every call is executed, as by releases that know no signatures.
 */
import type { Answer, Operation } from '@ams/contracts';
import { Fault } from '@ams/contracts';
import type { CallRefusal, CallVerifier } from '@ams/domain';
import { headers, type Msg, type MsgHdrs } from '@nats-io/transport-node';
import { signatureHeader, timeoutMsOf } from './request-headers.js';

/** In the reply to a call that was refused and not executed: the reason. */
export const refusedHeader = 'Ams-Refused';

export interface SignedCallsOptions {
  verifier: CallVerifier;
  /** Until this time calls without a signature are executed; milliseconds since 1970. */
  unsignedUntil: number;
}

export class SignedCalls {
  constructor(private readonly options: SignedCallsOptions | null = null) {}

  /** Why the call is refused; or for how long its caller waits. */
  check(message: Pick<Msg, 'subject' | 'reply' | 'headers' | 'data'>): CallRefusal | { timeoutMs: number } {
    if (this.options === null) return { timeoutMs: timeoutMsOf(message) };
    const { verifier, unsignedUntil } = this.options;
    const signature = message.headers?.get(signatureHeader);
    if (!signature) return Date.now() < unsignedUntil ? { timeoutMs: timeoutMsOf(message) } : 'unsigned';
    const { subject, reply = '', data: payload } = message;
    const now = { wallMs: Date.now(), monotonicMs: performance.now() };
    return verifier.check({ subject, reply, signature, payload }, now);
  }
}

/** The reply to a refused call. A gateway of an earlier release reads the text, and answers its caller with 503. */
export function refusedReply(
  reason: CallRefusal,
  operation: Operation | undefined,
): { text: string; headers: MsgHdrs } {
  const { code, message, details } = new Fault('UNAVAILABLE', { requestId: '' });
  const answer: Answer | { kind: 'unavailable' } = operation
    ? { ok: false, code, message, details }
    : { kind: 'unavailable' };
  const replyHeaders = headers();
  replyHeaders.set(refusedHeader, reason);
  return { text: JSON.stringify(answer), headers: replyHeaders };
}
