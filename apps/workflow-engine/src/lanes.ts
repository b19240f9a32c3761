/**
 * How many attempts one replica makes at once to the same target: one that is slow, and has much to get, must not take all
 * the places of those who work. Whoever finds no place comes again later, and the later the more there are.
 */
const atOnce = 8;
/** How many of those who were put off are worth a second. */
const aSecond = 20;
const mostSeconds = 30;

interface Lane {
  taken: number;
  putOff: number;
}

export class Lanes {
  private readonly lanes = new Map<string, Lane>();

  /** Null: the place is taken, and `leave` has to be called. Else after how many seconds to come again; `random` from 0 to 1. */
  enter(target: string, random: number): number | null {
    const lane = this.lanes.get(target) ?? { taken: 0, putOff: 0 };
    this.lanes.set(target, lane);
    if (lane.taken < atOnce) {
      lane.taken++;
      lane.putOff = Math.max(0, lane.putOff - 1);
      return null;
    }
    lane.putOff++;
    return 1 + random * Math.min(lane.putOff / aSecond, mostSeconds);
  }

  leave(target: string): void {
    const lane = this.lanes.get(target);
    if (lane && --lane.taken === 0) this.lanes.delete(target);
  }
}
