/**
 * The results of recent attempts, by notification. The workflow engine repeats a request when the reply does not arrive
 * in time; a message that was sent, or is being sent, is not sent again. This memory is of one process: another replica
 * has its own, and receivers recognize a repeated message by its id.
 */
import type { SendReply } from '@ams/contracts';

/** The engine repeats a request within minutes. */
const keptMs = 15 * 60_000;
const maxKept = 50_000;

interface Attempt {
  endsAt: number;
  reply: Promise<SendReply>;
  /** It is over, and no message was sent. */
  failed: boolean;
}

export class RecentAttempts {
  private readonly attempts = new Map<string, Attempt>();

  /** `nowMs`: a monotonic clock. */
  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /**
   * Makes the attempt, and after a failure another one. If an attempt for the notification is running or has sent its
   * message, that attempt's reply is returned.
   */
  once(notificationId: string, send: () => Promise<SendReply>): Promise<SendReply> {
    this.forgetOld();
    const earlier = this.attempts.get(notificationId);
    if (earlier && !earlier.failed) return earlier.reply;
    const attempt: Attempt = { endsAt: this.nowMs() + keptMs, reply: send(), failed: false };
    this.attempts.delete(notificationId); // so that it becomes the last entry
    this.attempts.set(notificationId, attempt);
    attempt.reply.then(
      ({ kind }) => void (attempt.failed = kind !== 'sent'),
      () => void (attempt.failed = true),
    );
    return attempt.reply;
  }

  /** The reply of the last attempt, which may still be running. */
  replyOf(notificationId: string): Promise<SendReply> | undefined {
    return this.attempts.get(notificationId)?.reply;
  }

  /** The same, without an attempt that is over and has sent no message. */
  standingReplyOf(notificationId: string): Promise<SendReply> | undefined {
    const attempt = this.attempts.get(notificationId);
    return attempt?.failed ? undefined : attempt?.reply;
  }

  /** The oldest entries are the first ones of the map. */
  private forgetOld(): void {
    const now = this.nowMs();
    for (const [id, { endsAt }] of this.attempts) {
      if (endsAt > now && this.attempts.size < maxKept) return;
      this.attempts.delete(id);
    }
  }
}
