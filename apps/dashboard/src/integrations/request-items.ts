/** What became of a request of a sender, from the items of its log. */
export interface RequestItem {
  outcome: string;
  eventId?: string;
  fingerprint?: string;
  reason?: string;
  warnings: readonly Fault[];
  faults: readonly Fault[];
}

interface Fault {
  path: string;
  message: string;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const faultsOf = (value: unknown): Fault[] =>
  (Array.isArray(value) ? value : [])
    .filter(isObject)
    .map(({ path, message }) => ({ path: textOf(path) ?? '', message: textOf(message) ?? '' }));

/** An item of the log, of a preview or of a replay; they are open objects in the document. */
export function itemOf(value: unknown): RequestItem {
  const { outcome, eventId, fingerprint, reason, warnings, faults } = isObject(value) ? value : {};
  return {
    outcome: textOf(outcome) ?? 'event',
    eventId: textOf(eventId),
    fingerprint: textOf(fingerprint),
    reason: textOf(reason),
    warnings: faultsOf(warnings),
    faults: faultsOf(faults),
  };
}

export interface Counts {
  events: number;
  ignored: number;
  faulty: number;
  warnings: number;
}

export function countsOf(items: readonly unknown[]): Counts {
  const counts: Counts = { events: 0, ignored: 0, faulty: 0, warnings: 0 };
  for (const { outcome, warnings } of items.map(itemOf)) {
    if (outcome === 'event') counts.events += 1;
    else if (outcome === 'ignored') counts.ignored += 1;
    else if (outcome === 'faulty') counts.faulty += 1;
    counts.warnings += warnings.length;
  }
  return counts;
}

/** JSON with line breaks; other text as it is. */
export function readable(payload: string): string {
  try {
    return JSON.stringify(JSON.parse(payload), null, 2);
  } catch {
    return payload;
  }
}

export type Parsed = { kind: 'json'; value: unknown } | { kind: 'wrong'; message: string };

export function parsed(text: string): Parsed {
  try {
    return { kind: 'json', value: JSON.parse(text) as unknown };
  } catch (error) {
    return { kind: 'wrong', message: error instanceof Error ? error.message : '' };
  }
}
