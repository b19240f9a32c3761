/**
 * Runs work that a tenant's configuration or data may make long: conditions, mappings, searches. Nothing of it holds
 * the event loop for long. After `sliceMs` the work pauses, and organizations take turns, one slice in each turn of the
 * event loop. An organization that has used its share of a second waits, and others continue. While others are active,
 * it rests after each slice, so what others ask for meanwhile waits for few of its slices.
 *
 * How long work takes decides only when it continues, never its result: the results are limited by steps
 * (`evaluationLimits` of libs/domain).
 */
import { OrganizationActivity } from '@ams/messaging';
import { performance } from 'node:perf_hooks';

export interface EvaluationOwner {
  /** Null for the work of several organizations together: it is short. */
  organizationId: string | null;
  /** What is evaluated, for the log: a kind, or the id of a record. Never a text of the tenant. */
  record: string;
  /**
   * Whether the work pauses only, and does not wait for its share: others wait for it, for example a transaction. Its
   * steps must be limited.
   */
  isShort?: boolean;
  /** Whether such work rests after each slice, as other work: only work of its own organization waits for it. */
  rests?: boolean;
}

export interface Slice {
  owner: EvaluationOwner;
  ms: number;
}

const sliceMs = 2;
/** Milliseconds of work that an organization may do in a second, and at once. */
const sharePerSecond = 150;
/** The same while others are active, too. */
const shareBesideOthers = 75;
/** While others are active, an organization rests this many times as long as its slice took. */
const restOfSlice = 2;
/** What counts of a slice or of a step at most: the process may have been paused meanwhile. */
export const mostCountedMs = 50;
/** How often work that waits for its share is looked at, at least. */
const lookMs = 10;

interface Share {
  leftMs: number;
  at: number;
  restsUntil: number;
}

interface Waiting {
  owner: EvaluationOwner;
  resume: () => void;
}

export class EvaluationTurns {
  /** By organization, in the order of their turns. */
  private readonly waiting = new Map<string, Waiting[]>();
  private readonly shares = new Map<string, Share>();
  private readonly listeners = new Set<(slice: Slice) => void>();
  private isScheduled = false;

  constructor(
    private readonly activity: OrganizationActivity,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Calls the listener after each slice. Returns a function that ends this. */
  onSlice(listener: (slice: Slice) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /**
   * Work that ends within its slice ends at once. An organization that had long work in the last second waits for its
   * turn first: otherwise many requests that arrive together would have a slice each in the same turn.
   */
  run<Result>(owner: EvaluationOwner, work: Generator<void, Result>): Result | Promise<Result> {
    if (this.mayContinue(owner) && !this.shares.has(owner.organizationId ?? '')) {
      const step = this.slice(owner, work);
      if (step.done) return step.value;
    }
    return this.continueLater(owner, work);
  }

  /** Waits until the organization has something left of its share: before reading what is to be evaluated. */
  turn(owner: EvaluationOwner): void | Promise<void> {
    return this.run(owner, nothing());
  }

  private async continueLater<Result>(owner: EvaluationOwner, work: Generator<void, Result>): Promise<Result> {
    for (;;) {
      await new Promise<void>((resume) => this.wait({ owner, resume }));
      const step = this.slice(owner, work);
      if (step.done) return step.value;
    }
  }

  private slice<Result>(owner: EvaluationOwner, work: Generator<void, Result>): IteratorResult<void, Result> {
    const begun = this.now();
    try {
      for (;;) {
        const step = work.next();
        if (step.done || this.now() - begun >= sliceMs) return step;
      }
    } finally {
      this.note(owner, this.now() - begun);
    }
  }

  private note(owner: EvaluationOwner, ms: number): void {
    for (const listener of this.listeners) listener({ owner, ms });
    const { organizationId } = owner;
    if (organizationId !== null) this.activity.note(organizationId, this.now());
    // Work of less than a millisecond opens no account: most organizations never need one.
    if (organizationId === null || (ms < 1 && !this.shares.has(organizationId))) return;
    const share = this.shareOf(organizationId);
    const counted = Math.min(ms, mostCountedMs);
    share.leftMs -= counted;
    if (this.activity.isAnyBeside(organizationId, share.at)) share.restsUntil = share.at + restOfSlice * counted;
  }

  private shareOf(organizationId: string): Share {
    const now = this.now();
    const perSecond = this.perSecondOf(organizationId, now);
    const share = this.shares.get(organizationId) ?? { leftMs: sharePerSecond, at: now, restsUntil: now };
    share.leftMs = Math.min(sharePerSecond, share.leftMs + ((now - share.at) * perSecond) / 1000);
    share.at = now;
    this.shares.set(organizationId, share);
    return share;
  }

  private perSecondOf(organizationId: string, now: number): number {
    return this.activity.isAnyBeside(organizationId, now) ? shareBesideOthers : sharePerSecond;
  }

  private mayContinue(owner: EvaluationOwner): boolean {
    return this.msUntilTurn(owner) === 0;
  }

  private msUntilTurn({ organizationId, isShort = false, rests = !isShort }: EvaluationOwner): number {
    if (!rests || organizationId === null || !this.shares.has(organizationId)) return 0;
    const { leftMs, at, restsUntil } = this.shareOf(organizationId);
    if (leftMs >= sharePerSecond) this.shares.delete(organizationId);
    if (isShort) return Math.max(restsUntil - at, 0);
    const msUntilShare = leftMs > 0 ? 0 : 1 + (-leftMs * 1000) / this.perSecondOf(organizationId, at);
    return Math.max(msUntilShare, restsUntil - at, 0);
  }

  private wait(one: Waiting): void {
    const organizationId = one.owner.organizationId ?? '';
    const queue = this.waiting.get(organizationId);
    if (queue) queue.push(one);
    else this.waiting.set(organizationId, [one]);
    this.schedule(0);
  }

  private schedule(ms: number): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    if (ms > 0) setTimeout(() => this.next(), ms);
    else setImmediate(() => this.next());
  }

  private next(): void {
    this.isScheduled = false;
    const taken = this.take();
    taken?.resume();
    if (this.waiting.size > 0) this.schedule(taken ? 0 : this.msUntilNext());
  }

  private msUntilNext(): number {
    const all = [...this.waiting.values()].flatMap((queue) => queue.map(({ owner }) => this.msUntilTurn(owner)));
    return Math.max(1, Math.min(lookMs, ...all));
  }

  /** The work whose turn it is; null when all that waits has used its share. */
  private take(): Waiting | null {
    for (const [organizationId, queue] of this.waiting) {
      const index = queue.findIndex(({ owner }) => this.mayContinue(owner));
      if (index < 0) continue;
      const [taken] = queue.splice(index, 1);
      this.waiting.delete(organizationId);
      if (queue.length > 0) this.waiting.set(organizationId, queue);
      return taken!;
    }
    return null;
  }
}

function* nothing(): Generator<void, void> {}

/** Of this process, as its event loop. */
export const organizationActivity = new OrganizationActivity();
export const evaluationTurns = new EvaluationTurns(organizationActivity);

/** Work for several records, which has limited steps. It belongs to their organization if they have one in common. */
export function ownerOfShort(records: readonly { organizationId: string }[], record: string): EvaluationOwner {
  const first = records[0]?.organizationId ?? null;
  const isOfOne = records.every(({ organizationId }) => organizationId === first);
  return { organizationId: isOfOne ? first : null, record, isShort: true };
}
