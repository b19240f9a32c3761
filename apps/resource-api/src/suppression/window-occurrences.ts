/** When the windows of an environment are active in a range of time. */
import { Fault, occurrenceLimits, publicId, type OccurrencesQuery, type WindowOccurrences } from '@ams/contracts';
import { occurrencesBetween } from '@ams/domain';
import { timesOf, type StoredTimes } from './window-status.js';

const day = 86_400_000;

export function rangeOf(sent: OccurrencesQuery, now: Date): { since: string; until: string } {
  const since = sent.since === undefined ? now.getTime() : Date.parse(sent.since);
  const until = sent.until === undefined ? since + occurrenceLimits.defaultDays * day : Date.parse(sent.until);
  if (until <= since) throw invalid('order', 'until must be after since');
  if (until > since + occurrenceLimits.maxDays * day)
    throw invalid('range', `until must be at most ${occurrenceLimits.maxDays} days after since`);
  return { since: new Date(since).toISOString(), until: new Date(until).toISOString() };
}

const invalid = (rule: string, message: string): Fault =>
  new Fault('VALIDATION_ERROR', { fields: [{ path: 'until', rule, message }] });

export function occurrencesOf(
  windows: readonly StoredTimes[],
  { since, until }: { since: string; until: string },
): WindowOccurrences {
  const { ofOneWindow, together } = occurrenceLimits;
  const found = windows.map((window) =>
    occurrencesBetween(timesOf(window), since, until, ofOneWindow + 1).map((one) => ({
      windowId: publicId('suppressionWindow', window.id),
      ...one,
    })),
  );
  const all = found
    .flatMap((ofOne) => ofOne.slice(0, ofOneWindow))
    .sort((a, b) => (a.startsAt < b.startsAt ? -1 : a.startsAt > b.startsAt ? 1 : 0));
  return {
    since,
    until,
    occurrences: all.slice(0, together),
    hasMore: all.length > together || found.some((ofOne) => ofOne.length > ofOneWindow),
  };
}
