/**
 * Whether a server answers later than it usually does, measured by requests that are no work for it: then what it does
 * competes for processors. Times are in milliseconds, of one monotonic clock.
 */

/** What is usual is the shortest time of this and of the previous period. */
const periodMs = 5 * 60_000;
/** The part of each new time in the average. */
const weight = 0.1;
const slowTimes = 3;
/** Shorter differences are seen on servers without work. */
const slowMs = 0.5;
/** A server that was slow counts as slow for so long. */
const staysSlowMs = 1000;

export class AnswerTimes {
  private average: number | null = null;
  private shortest = Infinity;
  private shortestBefore = Infinity;
  private periodEnds = -Infinity;
  private slowUntil = -Infinity;

  note(ms: number, now: number): void {
    if (now >= this.periodEnds) {
      this.shortestBefore = now >= this.periodEnds + periodMs ? Infinity : this.shortest;
      this.shortest = Infinity;
      this.periodEnds = now + periodMs;
    }
    this.shortest = Math.min(this.shortest, ms);
    this.average = this.average === null ? ms : this.average + (ms - this.average) * weight;
    const usual = Math.min(this.shortest, this.shortestBefore);
    if (this.average > usual * slowTimes + slowMs) this.slowUntil = now + staysSlowMs;
  }

  isSlow(now: number): boolean {
    return now < this.slowUntil;
  }
}
