/**
 * The pace of refusals (429) of one caller, at one replica. A client that ignores `Retry-After` and sends again at once
 * would keep a gateway busy with refusals alone. The first refusals are answered at once, further ones later, so a
 * client that waits for its answer cannot send more. Nobody waits longer than `longestMs`, and callers do not wait for
 * each other (ADR 82).
 */
import { setTimeout as sleep } from 'node:timers/promises';

export interface RefusalLimits {
  /** Refusals that are answered at once, after a time without any. */
  burst: number;
  perSecond: number;
  longestMs: number;
  /** Refusals that wait at the same time, of all callers. Others are answered at once. */
  mostWaiting: number;
  /** Callers that are remembered. Others are answered at once. */
  mostCallers: number;
}

const usual: RefusalLimits = {
  burst: 20,
  perSecond: 20,
  longestMs: 1000,
  mostWaiting: 200,
  mostCallers: 10_000,
};

export class RefusalPace {
  /** By caller: when its next refusal would be due if there were no burst. */
  private readonly nextAt = new Map<string, number>();
  private held = 0;
  private readonly limits: RefusalLimits;

  constructor(limits: Partial<RefusalLimits> = {}) {
    this.limits = { ...usual, ...limits };
  }

  /** How many refusals wait now. */
  get waiting(): number {
    return this.held;
  }

  /** Counts a refusal of the caller. How many milliseconds its answer waits. `now` in milliseconds. */
  delayMs(caller: string, now: number): number {
    const { burst, perSecond, longestMs, mostCallers } = this.limits;
    const everyMs = 1000 / perSecond;
    if (this.nextAt.size >= mostCallers && !this.nextAt.has(caller)) this.forget(now);
    if (this.nextAt.size >= mostCallers && !this.nextAt.has(caller)) return 0;
    const due = Math.max(this.nextAt.get(caller) ?? 0, now);
    const delay = Math.min(longestMs, Math.max(0, due - now - (burst - 1) * everyMs));
    // After the longest delay there is no debt: a caller that stops is soon answered at once again.
    this.nextAt.set(caller, Math.min(due + everyMs, now + longestMs + burst * everyMs));
    return delay;
  }

  /** Waits until the refusal of the caller may be answered. */
  async turn(caller: string): Promise<void> {
    const delay = this.delayMs(caller, performance.now());
    if (delay < 1 || this.held >= this.limits.mostWaiting) return;
    this.held++;
    await sleep(delay, undefined, { ref: false });
    this.held--;
  }

  private forget(now: number): void {
    for (const [caller, at] of this.nextAt) if (at <= now) this.nextAt.delete(caller);
  }
}
