/** The outcome of a step that notifies, from the ends of its messages. */

export interface MessageEnd {
  status: 'queued' | 'sent' | 'failed' | 'captured' | 'skipped';
  reason: string | null;
}

export interface MessageOutcome {
  outcome: 'pending' | 'done' | 'skipped' | 'failed';
  /** Why nobody was told; null for `pending` and `done`. */
  reason: string | null;
}

const none: Pick<MessageOutcome, 'reason'> = { reason: null };

/**
 * `done` as soon as one message was sent: somebody was told. (In the test environment, captured.) Until then `pending`
 * while one may still be sent. When all have ended and none was sent, `failed` if one of them failed, otherwise
 * `skipped`.
 */
export function messageOutcome(messages: readonly MessageEnd[]): MessageOutcome {
  const first = (status: MessageEnd['status']) => messages.find((message) => message.status === status);
  if (first('sent') || first('captured')) return { outcome: 'done', ...none };
  if (first('queued')) return { outcome: 'pending', ...none };
  const failed = first('failed');
  if (failed) return { outcome: 'failed', reason: failed.reason };
  return { outcome: 'skipped', reason: first('skipped')?.reason ?? 'it has no recipients' };
}
