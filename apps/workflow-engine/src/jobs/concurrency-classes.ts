/**
 * Limits how many attempts of a class one replica makes at the same time. A class is the attempts to one target, for
 * one organization, or by the mail server. A slow target with many messages must not take the places of others.
 *
 * An attempt without a place waits here, in turns of the organizations. When many wait already, it is tried again
 * later, at the rate at which its class has had free places, or as soon as few wait: the rate of a busy time says nothing
 * about the time after it.
 */
import type { TraceContext } from '@ams/contracts';
import type { Share } from '@ams/domain';

/** The attempts that wait here, for each one that a class may make at the same time. */
export const waitingForEach = 24;
const leastDelayMs = 1000;
const mostDelayMs = 30_000;
/** Of those that are tried again later, so many of a class are known. The others are tried at their time. */
const mostKnown = 1000;
/** Attempts that are called back arrive some time later. Until then no others of the class are called. */
const callEveryMs = 250;
/** How long an attempt takes as long as none has ended, and the weight of each one that ends. */
const firstDurationMs = 100;
const weight = 0.1;

export interface ConcurrencyClass {
  name: string;
  /** The number of attempts at the same time. */
  limit: number;
  /** Several organizations use it. What waits for it is limited by the classes of each organization. */
  isShared?: true;
}

export interface Attempt {
  /** The id of what is attempted, and whose it is. */
  id: string;
  share: Share | undefined;
  /** The trace that the attempt continues. */
  traceContext?: TraceContext | undefined;
  organization: string;
  classes: readonly ConcurrencyClass[];
}

/** `waits` has a promise of the place. `later` has the time after which to try again, in milliseconds. */
export type Entry = { kind: 'taken' } | { kind: 'waits'; place: Promise<void> } | { kind: 'later'; afterMs: number };

interface Usage {
  running: number;
  waiting: number;
  /** The usual duration of an attempt. */
  durationMs: number;
  /** When the attempt that was refused last is to be tried again. */
  lastAt: number;
  /** The attempts that are to be tried again later, by their ids, in the order of their times (`at`). */
  later: Map<string, { attempt: Attempt; at: number }>;
  calledAt: number;
}

interface Waiting {
  attempt: Attempt;
  begin: () => void;
}

export class ConcurrencyClasses {
  private readonly usages = new Map<string, Usage>();
  /** The attempts of each organization that have a place. */
  private readonly organizations = new Map<string, number>();
  /** In the order of their arrival. */
  private readonly waiting = new Set<Waiting>();

  /** When the attempt has its place, `leave` has to be called at its end. `now` is in milliseconds, of one clock. */
  enter(attempt: Attempt, now: number): Entry {
    const full = attempt.classes.find(
      ({ name, limit, isShared }) => !isShared && (this.usages.get(name)?.waiting ?? 0) >= limit * waitingForEach,
    );
    if (full) {
      const { later } = this.usageOf(full);
      const afterMs = this.delayOf(full, now);
      later.delete(attempt.id);
      if (later.size < mostKnown) later.set(attempt.id, { attempt, at: now + afterMs });
      return { kind: 'later', afterMs };
    }
    let isTaken = false;
    const place = new Promise<void>((resolve) => {
      const begin = (): void => {
        isTaken = true;
        resolve();
      };
      this.waiting.add({ attempt, begin });
    });
    for (const one of attempt.classes) this.usageOf(one).waiting++;
    this.beginNext();
    return isTaken ? { kind: 'taken' } : { kind: 'waits', place };
  }

  /** The attempt has ended after so many milliseconds. Returns the attempts that are not to wait for their time. */
  leave({ organization, classes }: Attempt, durationMs: number, now: number): Attempt[] {
    const called: Attempt[] = [];
    for (const one of classes) {
      const usage = this.usageOf(one);
      usage.durationMs += (durationMs - usage.durationMs) * weight;
      usage.running--;
      called.push(...callBack(usage, one, now));
      if (usage.running === 0 && usage.waiting === 0 && usage.later.size === 0) this.usages.delete(one.name);
    }
    const running = (this.organizations.get(organization) ?? 1) - 1;
    if (running === 0) this.organizations.delete(organization);
    else this.organizations.set(organization, running);
    this.beginNext();
    return called;
  }

  private beginNext(): void {
    for (let next = this.next(); next; next = this.next()) {
      const { attempt } = next;
      this.waiting.delete(next);
      for (const one of attempt.classes) {
        const usage = this.usageOf(one);
        usage.waiting--;
        usage.running++;
      }
      this.organizations.set(attempt.organization, this.runningOf(attempt) + 1);
      next.begin();
    }
  }

  /** Of the attempts that find room in each class, the first one of the organization with the fewest at this time. */
  private next(): Waiting | null {
    let chosen: Waiting | null = null;
    for (const one of this.waiting)
      if (
        (chosen === null || this.runningOf(one.attempt) < this.runningOf(chosen.attempt)) &&
        one.attempt.classes.every((of) => this.usageOf(of).running < of.limit)
      )
        chosen = one;
    return chosen;
  }

  private runningOf({ organization }: Attempt): number {
    return this.organizations.get(organization) ?? 0;
  }

  private delayOf(full: ConcurrencyClass, now: number): number {
    const usage = this.usageOf(full);
    const next = Math.max(now + leastDelayMs, usage.lastAt + usage.durationMs / full.limit);
    usage.lastAt = Math.min(next, now + mostDelayMs);
    return usage.lastAt - now;
  }

  private usageOf({ name }: ConcurrencyClass): Usage {
    const usage = this.usages.get(name) ?? {
      running: 0,
      waiting: 0,
      durationMs: firstDurationMs,
      lastAt: 0,
      later: new Map(),
      calledAt: -Infinity,
    };
    this.usages.set(name, usage);
    return usage;
  }
}

/** An attempt whose time has come was made since, here or by another replica, and may wait for something else now. */
function callBack(usage: Usage, { limit }: ConcurrencyClass, now: number): Attempt[] {
  for (const [id, { at }] of usage.later) if (at <= now) usage.later.delete(id);
  const room = (limit * waitingForEach) / 2;
  const isIdle = usage.running === 0 && usage.waiting === 0;
  if (usage.later.size === 0 || usage.waiting > room || (!isIdle && now - usage.calledAt < callEveryMs)) return [];
  usage.calledAt = now;
  // Those that are refused next follow the ones that are left.
  if (usage.later.size <= room) usage.lastAt = 0;
  const called = [...usage.later.values()].slice(0, room).map(({ attempt }) => attempt);
  for (const { id } of called) usage.later.delete(id);
  return called;
}
