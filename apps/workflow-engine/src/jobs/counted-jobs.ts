/**
 * How many jobs of a share wait, for the levels of new ones. To count many takes PostgreSQL some ten milliseconds, and
 * a share with a storm asks many times in a second; so a large number is remembered for a second, together with what is
 * added. A small one is counted each time: it is fast, and decides who is first.
 */
import type { Share, WaitingJobs } from '@ams/domain';

const rememberedFrom = 100;
const rememberedMs = 1000;

interface Counted {
  waiting: WaitingJobs;
  until: number;
}

export class CountedJobs {
  private readonly counted = new Map<string, Counted>();

  /** Null: to be counted. `now`: monotonic clock, in milliseconds. */
  of(share: Share, now: number): WaitingJobs | null {
    const key = keyOf(share);
    const known = this.counted.get(key);
    if (!known) return null;
    if (now < known.until) return known.waiting;
    this.counted.delete(key);
    return null;
  }

  note(waiting: WaitingJobs, now: number): void {
    if (waiting.ofOrganization < rememberedFrom) return;
    this.counted.delete(keyOf(waiting));
    this.counted.set(keyOf(waiting), { waiting: { ...waiting }, until: now + rememberedMs });
    for (const [key, { until }] of this.counted) {
      if (until > now) break; // they are in the order of their times
      this.counted.delete(key);
    }
  }

  added(share: Share, jobs: number): void {
    const known = this.counted.get(keyOf(share));
    if (!known) return;
    known.waiting.ofTeam += jobs;
    known.waiting.ofOrganization += jobs;
  }
}

const keyOf = ({ organization, team }: Share): string => JSON.stringify([organization, team]);
