/**
 * What a look for missing pages has found, as a pure decision. Work in progress looks the same as work that was lost,
 * and the clocks of the services that write the times differ. So what is missing was found by an earlier look, too.
 */

/** What a look found: ids, and when they were found first, by the clock of the looks (RFC 3339). */
export type Seen = Readonly<Record<string, string>>;

/** What exists for this long without its page is missing. */
const missingAfterMs = 60_000;

interface Candidate {
  id: string;
  /** By the clock of the service that wrote it. */
  since: string;
}

/** Candidates that the last look found already, and that are older than a minute, by their time or by the looks. */
export function missingAmong(
  candidates: readonly Candidate[],
  seen: Seen,
  now: string,
): { missing: string[]; seen: Seen } {
  const isOld = (time: string): boolean => Date.parse(now) - Date.parse(time) >= missingAfterMs;
  const missing = candidates.filter(({ id, since }) => {
    const found = seen[id];
    return found !== undefined && (isOld(since) || isOld(found));
  });
  return {
    missing: missing.map(({ id }) => id),
    seen: Object.fromEntries(candidates.map(({ id }) => [id, seen[id] ?? now])),
  };
}
