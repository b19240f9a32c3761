/** What an attempt passes before it is made: the circuits of where it goes, and a free place. */
import { Circuits, circuitRules, type Verdict } from './circuits.js';
import { heldBack, type Blame, type Outcome } from './outcome.js';
import { Places, type Lane } from './places.js';

/** Somewhere that an attempt goes to, or through. `name` is for people: it holds no secret. */
export interface Stop extends Lane {
  name: string;
  role: 'target' | 'relay';
}

/** What the end of an attempt says about each stop of it. */
const verdicts: Record<Stop['role'], Record<Blame, Verdict>> = {
  target: { nobody: 'worked', target: 'failed', relay: 'unknown', unknown: 'unknown' },
  relay: { nobody: 'worked', target: 'worked', relay: 'failed', unknown: 'unknown' },
};

/** When the engine should ask again if there was no place. */
const busySeconds = 2;

export class Gate {
  private readonly circuits = new Circuits();
  private readonly places: Places;

  /** `limit`: attempts at once in all; `waitMs`: how long one may wait for its place; `now`: milliseconds since 1970. */
  constructor(
    limit: number,
    waitMs: number,
    private readonly now: () => number,
  ) {
    this.places = new Places(limit, waitMs);
  }

  /** Makes the attempt if it can be made now; if not, says when to ask again. */
  async pass(stops: readonly Stop[], attempt: () => Promise<Outcome>): Promise<Outcome> {
    const before = this.closedFor(stops);
    if (before) return before;
    if (!(await this.places.enter(stops))) {
      return heldBack(
        'busy',
        `Too many messages are on their way to ${stops[0]?.name ?? 'the outside'} at once.`,
        busySeconds,
      );
    }
    try {
      // While it waited for its place, others may have failed.
      return this.closedFor(stops) ?? (await this.judged(stops, attempt));
    } finally {
      this.places.leave(stops);
    }
  }

  private async judged(stops: readonly Stop[], attempt: () => Promise<Outcome>): Promise<Outcome> {
    const begun = stops.map((stop) => ({ stop, isProbe: this.circuits.begin(stop.key) }));
    let blame: Blame = 'unknown';
    try {
      const outcome = await attempt();
      blame = outcome.blame;
      return outcome;
    } finally {
      for (const { stop, isProbe } of begun)
        this.circuits.end(stop.key, verdicts[stop.role][blame], isProbe, this.now());
    }
  }

  private closedFor(stops: readonly Stop[]): Outcome | null {
    const now = this.now();
    for (const { key, name } of stops) {
      const waitMs = this.circuits.waitMs(key, now);
      if (waitMs > 0)
        return heldBack(
          'circuit',
          `${name} failed ${circuitRules.failures} times in a row or more: it is left alone for a while.`,
          Math.ceil(waitMs / 1000),
        );
    }
    return null;
  }
}
