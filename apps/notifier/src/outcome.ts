/** How an attempt went, in the terms of those who want to know: the engine, the circuits, the log. */
import type { SendReply } from '@ams/contracts';

/** Whose fault a failure was, which is what circuits count. `unknown`: nobody was asked, so nothing was learned. */
export type Blame = 'nobody' | 'target' | 'relay' | 'unknown';

export interface Outcome {
  reply: SendReply;
  /** `retry`: another attempt makes sense. `held`: there was no attempt, it was not the time for one. */
  result: 'sent' | 'failed' | 'retry' | 'held';
  blame: Blame;
  /** For the log: a status, an error's code, a word. Never anything that the other side wrote, or an address. */
  code: string;
}

export const sent = (code: string, detail: string | null = null): Outcome => ({
  reply: { kind: 'sent', detail },
  result: 'sent',
  blame: 'nobody',
  code,
});

/** Another attempt would end the same. */
export const failedForGood = (code: string, reason: string, blame: Blame): Outcome => ({
  reply: { kind: 'failed', reason, retry: false, retryAfterSeconds: null },
  result: 'failed',
  blame,
  code,
});

/** Another attempt may do better; `retryAfterSeconds` when the other side said when. */
export const failedForNow = (
  code: string,
  reason: string,
  blame: Blame,
  retryAfterSeconds: number | null = null,
): Outcome => ({
  reply: { kind: 'failed', reason, retry: true, retryAfterSeconds },
  result: 'retry',
  blame,
  code,
});

/** Nothing was tried; it can be in so many seconds. */
export const heldBack = (code: string, reason: string, seconds: number): Outcome => ({
  reply: { kind: 'heldBack', reason, retryAfterSeconds: seconds },
  result: 'held',
  blame: 'unknown',
  code,
});
