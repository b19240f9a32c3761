/**
 * The idempotency keys of requests whose answer was not seen: whether the API did what they ask is unknown. When the
 * same request is sent again within some minutes, for example by the same button, it has the same key, so it is done
 * once.
 */
const keptMs = 5 * 60_000;
const maxKept = 50;

export class Unanswered {
  private readonly keys = new Map<string, { key: string; at: number }>();

  constructor(
    private readonly now: () => number = () => performance.now(),
    private readonly newKey: () => string = () => crypto.randomUUID(),
  ) {}

  keyOf(request: string): string {
    const kept = this.keys.get(request);
    return kept && this.now() - kept.at < keptMs ? kept.key : this.newKey();
  }

  /** `status` of the answer; 0 without one. After 5xx it is unknown, too. */
  ended(request: string, key: string, status: number): void {
    this.keys.delete(request);
    if (status > 0 && status < 500) return;
    this.keys.set(request, { key, at: this.now() });
    const [oldest] = this.keys.keys();
    if (this.keys.size > maxKept && oldest !== undefined) this.keys.delete(oldest);
  }
}
