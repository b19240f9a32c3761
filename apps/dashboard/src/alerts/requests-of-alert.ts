/** Which stored requests of an integration are about an alert. */
interface Stored {
  id: string;
  items: readonly unknown[];
}

/** A request names the events that it became, and the fingerprint of each. Events are those of the explanation. */
export function requestsOfAlert<One extends Stored>(
  requests: readonly One[],
  eventIds: ReadonlySet<string>,
  fingerprint: string,
): One[] {
  const about = (isMine: (item: Record<string, unknown>) => boolean): One[] =>
    requests.filter(({ items }) => items.some((item) => isMine((item ?? {}) as Record<string, unknown>)));
  const named = about(({ eventId }) => typeof eventId === 'string' && eventIds.has(eventId));
  return named.length > 0 ? named : about((item) => item['fingerprint'] === fingerprint);
}

/** JSON with line breaks; any other text as it is. */
export function readable(payload: string): string {
  try {
    return JSON.stringify(JSON.parse(payload), null, 2);
  } catch {
    return payload;
  }
}
