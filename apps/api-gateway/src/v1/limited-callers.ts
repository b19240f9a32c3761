/**
 * Remembers for a moment whose limit is used up. A caller that goes on without a pause would otherwise cost the auth
 * service and the database as much as before its limit. A window's count never goes down, so until its end every
 * further request of the caller is refused, too. The end of a window comes with the refusal.
 *
 * The moment is short, because a key that is revoked meanwhile is told so after it, with 401.
 */
import type { AdmitReply, Credential } from '@ams/contracts';

export type LimitedReply = Extract<AdmitReply, { kind: 'limited' }>;

const rememberedMs = 250;
const maxCallers = 10_000;

interface Limited {
  reply: LimitedReply;
  /** The times are of `performance.now()`. */
  askedAt: number;
  until: number;
}

export class LimitedCallers {
  private readonly callers = new Map<string, Limited>();

  /** The refusal of the caller's next request, or null when the auth service must be asked. */
  of(credential: Credential, now: number): LimitedReply | null {
    const name = nameOf(credential);
    const limited = this.callers.get(name);
    if (!limited) return null;
    if (now >= limited.until) {
      this.callers.delete(name);
      return null;
    }
    const { reply, askedAt } = limited;
    const resetSeconds = Math.max(1, Math.ceil(reply.rate.resetSeconds - (now - askedAt) / 1000));
    return { ...reply, rate: { ...reply.rate, resetSeconds } };
  }

  /** `askedAt`: before the auth service was asked. Its seconds are rounded up, so the last one may be over already. */
  note(credential: Credential, reply: LimitedReply, askedAt: number, now: number): void {
    const until = Math.min(now + rememberedMs, askedAt + (reply.rate.resetSeconds - 1) * 1000);
    if (until <= now) return;
    if (this.callers.size >= maxCallers) this.forget(now);
    if (this.callers.size < maxCallers) this.callers.set(nameOf(credential), { reply, askedAt, until });
  }

  private forget(now: number): void {
    for (const [name, { until }] of this.callers) if (until <= now) this.callers.delete(name);
  }
}

/** Of the caller. Not the secret itself. */
export const nameOf = (credential: Credential): string =>
  'keyHash' in credential ? credential.keyHash : `${credential.sessionHash} ${credential.environment}`;
