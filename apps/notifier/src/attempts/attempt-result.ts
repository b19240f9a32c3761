/** The result of an attempt, for the workflow engine, the circuit breakers and the log. */
import type { SendReply } from '@ams/contracts';

/** What caused a failure; circuit breakers count it. `unknown`: nothing was sent, so the target was not tested. */
export type Blame = 'none' | 'target' | 'relay' | 'unknown';

export interface AttemptResult {
  reply: SendReply;
  /** `retry`: another attempt makes sense. `held`: no attempt was made. */
  result: 'sent' | 'failed' | 'retry' | 'held';
  blame: Blame;
  /** For the log: a status, an error code or a word. Never a text from the other side, never an address. */
  code: string;
}

export const sent = (code: string, detail: string | null = null): AttemptResult => ({
  reply: { kind: 'sent', detail },
  result: 'sent',
  blame: 'none',
  code,
});

/** Another attempt would fail in the same way. */
export const permanentFailure = (code: string, reason: string, blame: Blame): AttemptResult => ({
  reply: { kind: 'failed', reason, retry: false, retryAfterSeconds: null },
  result: 'failed',
  blame,
  code,
});

/** Another attempt may succeed. `retryAfterSeconds`: what the other side asked for. */
export const temporaryFailure = (
  code: string,
  reason: string,
  blame: Blame,
  retryAfterSeconds: number | null = null,
): AttemptResult => ({
  reply: { kind: 'failed', reason, retry: true, retryAfterSeconds },
  result: 'retry',
  blame,
  code,
});

/** No attempt was made; one is possible after so many seconds. */
export const heldBack = (code: string, reason: string, seconds: number): AttemptResult => ({
  reply: { kind: 'heldBack', reason, retryAfterSeconds: seconds },
  result: 'held',
  blame: 'unknown',
  code,
});
