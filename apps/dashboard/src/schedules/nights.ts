/** Whose nights an edit of a schedule changes. A night is from 22:00 to 06:00 in the zone of the schedule. */
import type { components } from '@ams/client';
import { Temporal } from 'temporal-polyfill';

type Change = components['schemas']['PreviewedChange'];

export interface NightsOf {
  userId: string;
  name: string;
  /** The dates on which the nights begin, in order. */
  gained: string[];
  lost: string[];
}

/** Only members with other nights than before, those with the most changes first. */
export function changedNights(changes: readonly Change[], zone: string): NightsOf[] {
  const found = new Map<string, { name: string; gained: Set<string>; lost: Set<string> }>();
  const of = ({ id, name }: { id: string; name: string }) => {
    const known = found.get(id) ?? { name, gained: new Set<string>(), lost: new Set<string>() };
    found.set(id, known);
    return known;
  };
  for (const { startsAt, endsAt, before, after } of changes) {
    const nights = nightsIn(startsAt, endsAt, zone);
    const has = (users: readonly { id: string }[], id: string): boolean => users.some((user) => user.id === id);
    for (const user of after) if (!has(before, user.id)) for (const night of nights) of(user).gained.add(night);
    for (const user of before) if (!has(after, user.id)) for (const night of nights) of(user).lost.add(night);
  }
  return [...found]
    .map(([userId, { name, gained, lost }]) => ({
      userId,
      name,
      gained: [...gained].filter((night) => !lost.has(night)).sort(),
      lost: [...lost].filter((night) => !gained.has(night)).sort(),
    }))
    .filter(({ gained, lost }) => gained.length + lost.length > 0)
    .sort((a, b) => b.gained.length + b.lost.length - a.gained.length - a.lost.length || (a.name < b.name ? -1 : 1));
}

/** The dates of the nights that a time has a part of. */
function nightsIn(startsAt: string, endsAt: string, zone: string): string[] {
  const start = Date.parse(startsAt);
  const end = Date.parse(endsAt);
  const nights: string[] = [];
  let date = Temporal.Instant.fromEpochMilliseconds(start).toZonedDateTimeISO(zone).toPlainDate().subtract({ days: 1 });
  for (;;) {
    const begins = date.toZonedDateTime({ timeZone: zone, plainTime: '22:00' }).epochMilliseconds;
    const ends = date.add({ days: 1 }).toZonedDateTime({ timeZone: zone, plainTime: '06:00' }).epochMilliseconds;
    if (begins >= end) return nights;
    if (ends > start) nights.push(date.toString());
    date = date.add({ days: 1 });
  }
}
