/** What a sender holds of a shared memory. `canYield`: it has something that can be given up. */
export interface Holding {
  readonly bytes: number;
  readonly canYield: boolean;
}

/**
 * Which sender gives up something when the shared memory is full: of those that can, the one that holds the most. So a
 * sender that holds less than its equal share never yields while another one that can yield holds more. Null when
 * nobody can.
 */
export function whoYields<Sender>(holdings: Iterable<readonly [Sender, Holding]>): Sender | null {
  let most = -1;
  let found: Sender | null = null;
  for (const [sender, { bytes, canYield }] of holdings) {
    if (!canYield || bytes <= most) continue;
    most = bytes;
    found = sender;
  }
  return found;
}
