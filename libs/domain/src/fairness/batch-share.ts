/**
 * Which work of a batch is done now, and which waits for a later turn of its organization. The work of one organization
 * in a batch is limited, so a batch never takes long because of one of them.
 */

export interface BatchWork {
  organization: string;
  /** What stays in order, within the organization: when work of a lane waits, what comes after it waits too. */
  lane: string | number;
  weight: number;
  /** Earlier work of its lane waits already. */
  isBehind: boolean;
}

/** The weight of the work of one organization in a batch. */
export const mostWeight = 32;
/** The same of one that has much more work than others. */
export const fewWeight = 8;

/**
 * `batch` is in the order in which it arrived, and so are `now` and `later`. The lanes of an organization take turns,
 * so much work of one lane does not keep a little work of another from being done. The first work of an organization is
 * done whatever its weight, unless it is behind other work.
 */
export function withinShares<Work extends BatchWork>(
  batch: readonly Work[],
  mostOf: (organization: string) => number,
): { now: Work[]; later: Work[] } {
  const chosen = new Set<Work>();
  const taken = new Map<string, number>();
  const waiting = new Set<string>();
  for (const { work, lane } of inTurnsOfLanes(batch)) {
    const before = taken.get(work.organization) ?? 0;
    if (work.isBehind || waiting.has(lane) || (before > 0 && before + work.weight > mostOf(work.organization)))
      waiting.add(lane);
    else {
      taken.set(work.organization, before + work.weight);
      chosen.add(work);
    }
  }
  return { now: batch.filter((work) => chosen.has(work)), later: batch.filter((work) => !chosen.has(work)) };
}

/** The first work of each lane before the second ones. */
function inTurnsOfLanes<Work extends BatchWork>(batch: readonly Work[]): { work: Work; lane: string; nth: number }[] {
  const counts = new Map<string, number>();
  return batch
    .map((work) => {
      const lane = JSON.stringify([work.organization, work.lane]);
      const nth = counts.get(lane) ?? 0;
      counts.set(lane, nth + 1);
      return { work, lane, nth };
    })
    .sort((a, b) => a.nth - b.nth);
}
