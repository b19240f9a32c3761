/** Whether to tell that a suppression window ends soon. */
import { activeUntil, nextOccurrence, type WindowTimes } from './suppression.js';

/** How long before the end it is told. For a window that is shorter, at its start. */
export const expiringMs = 3_600_000;

export interface ExpiringDecision {
  /** The end that has to be told now; null when there is none. */
  endsAt: string | null;
  /** When to decide again, unless the window changes before; null when no end is known. */
  lookAt: string | null;
}

/** Occurrences that follow each other without a pause do not end; more than these are taken for an end. */
const mostInARow = 1_000;

/** `told`: the end that was told last. An end is told once, and one that has passed is not told. */
export function decideExpiring(window: WindowTimes, told: string | null, at: string): ExpiringDecision {
  const endsAt = endOfRow(window, at);
  if (endsAt === null) return { endsAt: null, lookAt: nextOccurrence(window, at)?.startsAt ?? null };
  const tellAt = Date.parse(endsAt) - expiringMs;
  if (Date.parse(at) < tellAt) return { endsAt: null, lookAt: new Date(tellAt).toISOString() };
  return { endsAt: endsAt === told ? null : endsAt, lookAt: endsAt };
}

/** When the window stops to suppress; null when it is not active. */
function endOfRow(window: WindowTimes, at: string): string | null {
  let end = activeUntil(window, at);
  for (let n = 0; end !== null && n < mostInARow; n++) {
    const later = activeUntil(window, end);
    if (later === null) break;
    end = later;
  }
  return end;
}
