/** Weekly hand-offs over both clock changes of 2027, in three zones. The expected instants come from Temporal. */
import { Temporal } from 'temporal-polyfill';
import { onCallAt, resolveShifts } from '../index.js';
import { layer, schedule, weekly } from '../../testing/schedules.js';

/** The Monday before the change, and how long the clock's week lasts in hours when its hand-off is on Monday at 09:00. */
test.each([
  ['Europe/Berlin', '2027-03-22', 167],
  ['Europe/Berlin', '2027-10-25', 169],
  ['America/New_York', '2027-03-08', 167],
  ['America/New_York', '2027-11-01', 169],
  ['Australia/Lord_Howe', '2027-03-29', 168.5],
  ['Australia/Lord_Howe', '2027-09-27', 167.5],
])('%s, the week from %s has %d hours', (timezone, monday, hours) => {
  const handoff = (weeks: number): string =>
    new Date(
      Temporal.PlainDate.from(monday).add({ weeks }).toZonedDateTime({ timeZone: timezone, plainTime: '09:00' })
        .epochMilliseconds,
    ).toISOString();
  const turns = layer({ members: ['ann', 'bob', 'cleo'], rotation: weekly(1, 1, '09:00'), startsAt: handoff(-1) });
  for (const resolved of [
    schedule([turns], { timezone }),
    schedule([{ ...turns, timezone }], { timezone: 'Asia/Tokyo' }),
  ]) {
    const { shifts, gaps } = resolveShifts(resolved, handoff(-1), handoff(3));
    expect(gaps).toEqual([]);
    expect(shifts.map(({ userId, startsAt, endsAt }) => [userId, startsAt, endsAt])).toEqual(
      ['ann', 'bob', 'cleo', 'ann'].map((user, i) => [user, handoff(i - 1), handoff(i)]),
    );
    const [, changed] = shifts;
    expect((Date.parse(changed!.endsAt!) - Date.parse(changed!.startsAt)) / 3_600_000).toBe(hours);
    const justBefore = new Date(Date.parse(handoff(1)) - 1).toISOString();
    expect(onCallAt(resolved, justBefore).shifts[0]?.userId).toBe('bob');
    expect(onCallAt(resolved, handoff(1)).shifts[0]?.userId).toBe('cleo');
  }
});
