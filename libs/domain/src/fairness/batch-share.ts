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

/**
 * `batch` is in the order in which it arrived, and so are `now` and `later`. The first work of an organization is done
 * whatever its weight, unless it is behind other work.
 */
export function withinShares<Work extends BatchWork>(
  batch: readonly Work[],
  most: number = mostWeight,
): { now: Work[]; later: Work[] } {
  const taken = new Map<string, number>();
  const waiting = new Set<string>();
  const now: Work[] = [];
  const later: Work[] = [];
  for (const work of batch) {
    const { organization, weight, isBehind } = work;
    const lane = JSON.stringify([organization, work.lane]);
    const before = taken.get(organization) ?? 0;
    if (isBehind || waiting.has(lane) || (before > 0 && before + weight > most)) {
      waiting.add(lane);
      later.push(work);
    } else {
      taken.set(organization, before + weight);
      now.push(work);
    }
  }
  return { now, later };
}
