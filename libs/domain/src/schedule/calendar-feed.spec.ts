import fc from 'fast-check';
import {
  feedLimits,
  feedRange,
  feedTimes,
  nearestTimes,
  onCallAt,
  type FeedTime,
  type OnCallSchedule,
} from '../index.js';
import { daily, hourly, layer, override, schedule, weekly } from '../../testing/schedules.js';

const day = 86_400_000;
const text = (at: number): string => new Date(at).toISOString();
const now = '2025-06-10T12:34:56.789Z';

const resolved: fc.Arbitrary<OnCallSchedule> = fc
  .record({
    timezone: fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'UTC'),
    rotation: fc.constantFrom(daily(1, '08:00'), daily(3, '00:00'), weekly(1, 1, '09:00'), hourly(36, '06:00')),
    members: fc.uniqueArray(fc.constantFrom('ann', 'bob', 'cleo'), { minLength: 1 }),
    startsAt: fc.integer({ min: -200, max: 200 }).map((days) => text(Date.parse(now) + days * day)),
    overrides: fc.array(
      fc.record({
        userId: fc.constantFrom('ann', 'zoe'),
        start: fc.integer({ min: -60 * 24, max: 200 * 24 }),
        hours: fc.integer({ min: 1, max: 400 }),
      }),
      { maxLength: 4 },
    ),
  })
  .map(({ timezone, rotation, members, startsAt, overrides }) =>
    schedule([layer({ rotation, members, startsAt })], {
      timezone,
      overrides: overrides.map(({ userId, start, hours }, i) =>
        override({
          id: `override-${i}`,
          userId,
          startsAt: text(Date.parse(now) + start * 3_600_000),
          endsAt: text(Date.parse(now) + (start + hours) * 3_600_000),
        }),
      ),
    }),
  );

describe('the times of a feed', () => {
  it('are those in which the members are on call, for 30 days back and 180 ahead', () => {
    const days = fc.integer({ min: -30 * 1440, max: 180 * 1440 });
    fc.assert(
      fc.property(resolved, days, (one, minutes) => {
        const at = Date.parse(now) + minutes * 60_000;
        const present = feedTimes(one, feedRange(now)).filter(
          ({ startsAt, endsAt }) => Date.parse(startsAt) <= at && at < Date.parse(endsAt),
        );
        const expected = new Set(onCallAt(one, text(at)).shifts.map(({ userId }) => userId));
        expect(new Set(present.map(({ userId }) => userId))).toEqual(expected);
        expect(present).toHaveLength(expected.size);
      }),
      { numRuns: 30 },
    );
  });

  it('keep their identity while days pass, and no two have the same', () => {
    fc.assert(
      fc.property(resolved, fc.integer({ min: 1, max: 20 }), (one, days) => {
        const today = feedTimes(one, feedRange(now));
        const later = feedTimes(one, feedRange(text(Date.parse(now) + days * day)));
        expect(new Set(today.map(({ identity }) => identity)).size).toBe(today.length);
        const long = ({ identity }: FeedTime): boolean => identity.endsWith('earlier');
        const key = ({ userId, startsAt }: FeedTime): string => `${userId} ${startsAt}`;
        const known = new Map(today.filter((time) => !long(time)).map((time) => [key(time), time.identity]));
        for (const time of later.filter((candidate) => !long(candidate) && known.has(key(candidate))))
          expect(time.identity).toBe(known.get(key(time)));
      }),
      { numRuns: 15 },
    );
  });

  it('are one time for consecutive turns and overrides of a member', () => {
    const alone = schedule([layer({ members: ['ann'], startsAt: '2025-06-01T08:00:00Z' })], {
      overrides: [override({ userId: 'ann', startsAt: '2025-06-03T00:00Z', endsAt: '2025-06-04T00:00Z' })],
    });
    const [time, ...others] = feedTimes(alone, feedRange(now));
    expect(others).toEqual([]);
    expect(time).toMatchObject({
      userId: 'ann',
      startsAt: '2025-06-01T08:00:00.000Z',
      endsAt: '2025-12-08T00:00:00.000Z',
    });
  });

  it('change only with the schedule or with the day', () => {
    const [morning, evening] = ['2025-06-10T00:00:00.000Z', '2025-06-10T23:59:59.999Z'].map(feedRange);
    expect(morning).toEqual(evening);
    expect(feedRange('2025-06-11T00:00:00Z')).not.toEqual(morning);
  });
});

describe('a feed with too many times', () => {
  const times = feedTimes(schedule([layer({ rotation: hourly(1, '00:00'), members: ['ann', 'bob'] })]), feedRange(now));

  it('has the next ones and the latest ones', () => {
    expect(times.length).toBeGreaterThan(5000);
    const kept = nearestTimes(times, now);
    expect(kept).toHaveLength(feedLimits.present + feedLimits.past);
    const first = times.findIndex(({ endsAt }) => endsAt > now);
    expect(kept).toEqual(times.slice(first - feedLimits.past, first + feedLimits.present));
  });

  it('has fewer when it is too long, and none in the end', () => {
    expect(nearestTimes(times, now, 0.5)).toHaveLength((feedLimits.present + feedLimits.past) / 2);
    expect(nearestTimes(times, now, 1 / 4096)).toEqual([]);
  });
});
