/**
 * How many attempts one replica makes at once on the same way: to a target, for an organization, by the mail server. One that
 * is slow, and has much to get, must not take all the places of those who work. Whoever finds no place comes again later,
 * and the later the more there are.
 */

/** How many of those who were put off are worth a second. */
const aSecond = 20;
const mostSeconds = 30;

/** A way that has so many places. */
export interface Lane {
  name: string;
  places: number;
}

interface Use {
  taken: number;
  putOff: number;
}

export class Lanes {
  private readonly uses = new Map<string, Use>();

  /** Null: a place on each is taken, and `leave` has to be called. Else after how many seconds to come again; `random` from 0 to 1. */
  enter(lanes: readonly Lane[], random: number): number | null {
    const full = lanes.find(({ name, places }) => (this.uses.get(name)?.taken ?? 0) >= places);
    if (full) {
      const use = this.useOf(full);
      use.putOff++;
      return 1 + random * Math.min(use.putOff / aSecond, mostSeconds);
    }
    for (const lane of lanes) {
      const use = this.useOf(lane);
      use.taken++;
      use.putOff = Math.max(0, use.putOff - 1);
    }
    return null;
  }

  leave(lanes: readonly Lane[]): void {
    for (const { name } of lanes) {
      const use = this.uses.get(name);
      if (use && --use.taken === 0) this.uses.delete(name);
    }
  }

  private useOf({ name }: Lane): Use {
    const use = this.uses.get(name) ?? { taken: 0, putOff: 0 };
    this.uses.set(name, use);
    return use;
  }
}
