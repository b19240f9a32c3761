/** The texts of feeds, as a program that reads calendars understands them. */
import {
  feedRange,
  feedTimes,
  onCallAt,
  resolveShifts,
  type OnCallSchedule,
  type ScheduleOverride,
  type ScheduleSettings,
} from '@ams/domain';
import fc from 'fast-check';
import ical, { type VEvent } from 'node-ical';
import { calendarText } from './calendar-text.js';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const text = (at: number): string => new Date(at).toISOString();

const read = (feed: string): VEvent[] =>
  Object.values(ical.sync.parseICS(feed)).filter((component): component is VEvent => component?.type === 'VEVENT');

const feedOf = (schedule: OnCallSchedule, now: string): string =>
  calendarText(
    'Primary',
    feedTimes(schedule, feedRange(now)).map(({ userId, identity, startsAt, endsAt }) => ({
      identity: ['schedule', identity],
      startsAt,
      endsAt,
      summary: userId,
      description: 'On call',
    })),
    new Date(now),
  );

const onCallIn = (events: readonly VEvent[], at: number): string[] =>
  events
    .filter(({ start, end }) => start.getTime() <= at && at < (end?.getTime() ?? 0))
    .map(({ summary }) => String(summary));

/** Both clock changes of 2027 in three zones. In Lord Howe the clock changes by half an hour. */
const changes = [
  ['Europe/Berlin', '2027-03-28T01:00:00Z'],
  ['Europe/Berlin', '2027-10-31T01:00:00Z'],
  ['America/New_York', '2027-03-14T07:00:00Z'],
  ['America/New_York', '2027-11-07T06:00:00Z'],
  ['Australia/Lord_Howe', '2027-04-03T15:00:00Z'],
  ['Australia/Lord_Howe', '2027-10-02T15:30:00Z'],
] as const;

const people = ['ann', 'bob', 'cleo'];

/** Weekly hand-offs that include the hours around the clock change, and an edit and an override near it. */
const around = (timezone: string, change: number): fc.Arbitrary<OnCallSchedule> =>
  fc
    .record({
      handoffDay: fc.integer({ min: 1, max: 7 }),
      handoffTime: fc.constantFrom('00:00', '01:30', '02:00', '02:15', '02:30', '03:00', '09:00', '23:45'),
      /** In minutes from the change. */
      edited: fc.option(fc.integer({ min: -3 * 1440, max: 3 * 1440 }), { nil: null }),
      override: fc.option(fc.tuple(fc.integer({ min: -2 * 1440, max: 2 * 1440 }), fc.integer({ min: 1, max: 1440 })), {
        nil: null,
      }),
    })
    .map(({ handoffDay, handoffTime, edited, override }) => {
      const settings = (members: string[]): ScheduleSettings => ({
        timezone,
        layers: [
          {
            id: 'weekly',
            name: 'Weekly',
            members,
            rotation: { unit: 'week', interval: 1, handoffDay, handoffTime },
            startsAt: '2026-11-16T08:00:00.000Z',
            endsAt: null,
            restrictions: [],
          },
        ],
      });
      const overrides: ScheduleOverride[] = override
        ? [
            {
              id: 'override',
              userId: 'zoe',
              startsAt: text(change + override[0] * minute),
              endsAt: text(change + (override[0] + override[1]) * minute),
              createdAt: '2026-11-16T08:00:00.000Z',
            },
          ]
        : [];
      const laterVersions =
        edited === null ? [] : [{ ...settings([...people].reverse()), effectiveFrom: text(change + edited * minute) }];
      return { ...settings(people), laterVersions, overrides };
    });

test.each(changes)(
  'weekly hand-offs in %s over the clock change of %s: the feed, the shifts and who is on call agree at each instant',
  (timezone, changesAt) => {
    const change = Date.parse(changesAt);
    fc.assert(
      fc.property(around(timezone, change), fc.integer({ min: -20, max: 100 }), (schedule, daysBefore) => {
        const events = read(feedOf(schedule, text(change - daysBefore * day)));
        const { shifts } = resolveShifts(schedule, text(change - 9 * day), text(change + 9 * day));
        const edges = shifts.flatMap(({ startsAt, endsAt }) => [Date.parse(startsAt), Date.parse(endsAt ?? '')]);
        const instants = [change, ...edges.slice(1, -1)].flatMap((at) =>
          [-hour, -30 * minute, -1, 0, 1, 30 * minute, hour].map((shift) => at + shift),
        );
        for (const at of instants.filter((one) => Math.abs(one - change) < 9 * day)) {
          const expected = onCallAt(schedule, text(at)).shifts.map(({ userId }) => userId);
          const inShifts = shifts.filter(
            ({ startsAt, endsAt }) => Date.parse(startsAt) <= at && at < Date.parse(endsAt!),
          );
          expect([text(at), onCallIn(events, at)]).toEqual([text(at), expected]);
          expect(inShifts.map(({ userId }) => userId)).toEqual(expected);
        }
      }),
      { numRuns: 12 },
    );
  },
);

test('a hand-off at 09:00 on Mondays is at 09:00 on both sides of the clock change', () => {
  const schedule: OnCallSchedule = {
    timezone: 'Europe/Berlin',
    layers: [
      {
        id: 'weekly',
        name: 'Weekly',
        members: people,
        rotation: { unit: 'week', interval: 1, handoffDay: 1, handoffTime: '09:00' },
        startsAt: '2027-03-01T08:00:00Z',
        endsAt: null,
        restrictions: [],
      },
    ],
    overrides: [],
  };
  const starts = read(feedOf(schedule, '2027-03-20T12:00:00Z')).map(({ start }) => start.toISOString());
  expect(starts.slice(0, 6)).toEqual([
    '2027-03-01T08:00:00.000Z',
    '2027-03-08T08:00:00.000Z',
    '2027-03-15T08:00:00.000Z',
    '2027-03-22T08:00:00.000Z',
    '2027-03-29T07:00:00.000Z',
    '2027-04-05T07:00:00.000Z',
  ]);
});

describe('the text', () => {
  const event = {
    identity: ['a'],
    startsAt: '2027-03-01T08:00:00.250Z',
    endsAt: '2027-03-08T08:00:00.000Z',
    summary: 'Zoë, "the" 2nd; \\ and\nanother line',
    description: 'On call in Primary',
  };
  const at = new Date('2027-03-01T00:00:00Z');

  test('has no line over 75 bytes, ends lines with CRLF, and keeps every character of a name', () => {
    const long = { ...event, summary: `${event.summary} ${'ü'.repeat(190)}` };
    const feed = calendarText('Primary', [long], at);
    for (const line of feed.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(feed).not.toMatch(/[^\r]\n/);
    expect(read(feed)[0]).toMatchObject({ summary: long.summary, start: new Date('2027-03-01T08:00:00Z') });
  });

  test('is the same for the same times, and says when to read it again', () => {
    expect(calendarText('Primary', [event], at)).toBe(calendarText('Primary', [event], at));
    expect(calendarText('Primary', [event], at)).toContain('REFRESH-INTERVAL;VALUE=DURATION:PT1H');
  });

  test('leaves out a time that is shorter than a second', () => {
    const short = { ...event, startsAt: '2027-03-01T08:00:00.100Z', endsAt: '2027-03-01T08:00:00.900Z' };
    expect(read(calendarText('Primary', [short], at))).toEqual([]);
  });

  test('marks nobody as busy, and names nobody as a guest', () => {
    const feed = calendarText('Primary', [event], at);
    expect(feed).toContain('TRANSP:TRANSPARENT');
    expect(feed).not.toMatch(/ATTENDEE|ORGANIZER|mailto/i);
  });
});
