/**
 * When a consumer last made progress, and when it last tried. Progress is work that was completed, or an answer that
 * there is none to do; a consumer that only waits makes none. Times are of the monotonic clock.
 */
export class WorkClock {
  private progressAt = performance.now();
  private attemptAt = this.progressAt;
  /** Whether a piece of work was completed since the beginning. */
  hasProgressed = false;

  /** A piece of work was completed, or there is none. */
  progressed(): void {
    this.progressAt = this.attemptAt = performance.now();
    this.hasProgressed = true;
  }

  /** An attempt ended, also without success. */
  attempted(): void {
    this.attemptAt = performance.now();
  }

  get msSinceProgress(): number {
    return performance.now() - this.progressAt;
  }

  get msSinceAttempt(): number {
    return performance.now() - this.attemptAt;
  }
}
