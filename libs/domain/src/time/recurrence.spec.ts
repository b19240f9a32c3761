import fc from 'fast-check';
import { RRuleTemporal } from 'rrule-temporal';
import { Temporal } from 'temporal-polyfill';
import { parseRecurrenceRule } from './recurrence-rule.js';
import { wallTimesOf, type WallTimes } from './recurrence.js';

function wallTimes(text: string, first: number): WallTimes {
  const rule = parseRecurrenceRule(text);
  if (rule.kind === 'fault') throw new Error(rule.message);
  return wallTimesOf(rule, first);
}

function beginning(count: number, times: Iterable<number>): number[] {
  const found: number[] = [];
  for (const time of times) {
    if (found.push(time) === count) break;
  }
  return found;
}

const days = (times: number[]): string[] => times.map((time) => new Date(time).toISOString().slice(0, 10));
const hours = (times: number[]): string[] => times.map((time) => new Date(time).toISOString().slice(0, 16));

/** `1997-09 2 4; 10 1`: days of months; the year is written when it changes. */
function dates(text: string): string[] {
  let year = '';
  return text.split('; ').flatMap((piece) => {
    const [month = '', ...numbers] = piece.split(' ');
    if (month.length > 2) year = month.slice(0, 4);
    return numbers.map((number) => `${year}-${month.slice(-2)}-${number.padStart(2, '0')}`);
  });
}

describe('the examples of RFC 5545, 3.8.5.3', () => {
  test.each([
    ['1997-09-02', 'FREQ=DAILY;COUNT=10', '1997-09 2 3 4 5 6 7 8 9 10 11'],
    ['1997-09-02', 'FREQ=DAILY;INTERVAL=2', '1997-09 2 4 6 8 10 12 14 16 18 20 22 24 26 28 30; 10 2 4 6'],
    ['1997-09-02', 'FREQ=DAILY;INTERVAL=10;COUNT=5', '1997-09 2 12 22; 10 2 12'],
    ['1998-01-29', 'FREQ=YEARLY;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA', '1998-01 29 30 31; 1999-01 1 2 3 4'],
    ['1998-01-29', 'FREQ=DAILY;BYMONTH=1', '1998-01 29 30 31; 1999-01 1 2 3 4'],
    ['1997-09-02', 'FREQ=WEEKLY;COUNT=10', '1997-09 2 9 16 23 30; 10 7 14 21 28; 11 4'],
    [
      '1997-09-02',
      'FREQ=WEEKLY;INTERVAL=2;WKST=SU',
      '1997-09 2 16 30; 10 14 28; 11 11 25; 12 9 23; 1998-01 6 20; 02 3 17',
    ],
    ['1997-09-02', 'FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH', '1997-09 2 4 9 11 16 18 23 25 30; 10 2'],
    [
      '1997-09-01',
      'FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=MO,WE,FR',
      '1997-09 1 3 5 15 17 19 29; 10 1 3 13 15 17 27 29 31; 11 10 12 14 24 26 28; 12 8 10 12 22',
    ],
    ['1997-09-02', 'FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH', '1997-09 2 4 16 18 30; 10 2 14 16'],
    [
      '1997-09-05',
      'FREQ=MONTHLY;COUNT=10;BYDAY=1FR',
      '1997-09 5; 10 3; 11 7; 12 5; 1998-01 2; 02 6; 03 6; 04 3; 05 1; 06 5',
    ],
    [
      '1997-09-07',
      'FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU',
      '1997-09 7 28; 11 2 30; 1998-01 4 25; 03 1 29; 05 3 31',
    ],
    ['1997-09-22', 'FREQ=MONTHLY;COUNT=6;BYDAY=-2MO', '1997-09 22; 10 20; 11 17; 12 22; 1998-01 19; 02 16'],
    ['1997-09-28', 'FREQ=MONTHLY;BYMONTHDAY=-3', '1997-09 28; 10 29; 11 28; 12 29; 1998-01 29; 02 26'],
    ['1997-09-02', 'FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15', '1997-09 2 15; 10 2 15; 11 2 15; 12 2 15; 1998-01 2 15'],
    [
      '1997-09-30',
      'FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1',
      '1997-09 30; 10 1 31; 11 1 30; 12 1 31; 1998-01 1 31; 02 1',
    ],
    [
      '1997-09-10',
      'FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15',
      '1997-09 10 11 12 13 14 15; 1999-03 10 11 12 13',
    ],
    [
      '1997-09-02',
      'FREQ=MONTHLY;INTERVAL=2;BYDAY=TU',
      '1997-09 2 9 16 23 30; 11 4 11 18 25; 1998-01 6 13 20 27; 03 3 10 17 24 31',
    ],
    [
      '1997-06-10',
      'FREQ=YEARLY;COUNT=10;BYMONTH=6,7',
      '1997-06 10; 07 10; 1998-06 10; 07 10; 1999-06 10; 07 10; 2000-06 10; 07 10; 2001-06 10; 07 10',
    ],
    [
      '1997-03-10',
      'FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3',
      '1997-03 10; 1999-01 10; 02 10; 03 10; 2001-01 10; 02 10; 03 10; 2003-01 10; 02 10; 03 10',
    ],
    [
      '1997-01-01',
      'FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200',
      '1997-01 1; 04 10; 07 19; 2000-01 1; 04 9; 07 18; 2003-01 1; 04 10; 07 19; 2006-01 1',
    ],
    ['1997-05-19', 'FREQ=YEARLY;BYDAY=20MO', '1997-05 19; 1998-05 18; 1999-05 17'],
    ['1997-05-12', 'FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO', '1997-05 12; 1998-05 11; 1999-05 17'],
    ['1997-03-13', 'FREQ=YEARLY;BYMONTH=3;BYDAY=TH', '1997-03 13 20 27; 1998-03 5 12 19 26; 1999-03 4 11 18 25'],
    [
      '1997-06-05',
      'FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8',
      '1997-06 5 12 19 26; 07 3 10 17 24 31; 08 7 14 21 28; 1998-06 4 11 18 25; 07 2 9 16 23 30',
    ],
    ['1997-09-02', 'FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13', '1998-02 13; 03 13; 11 13; 1999-08 13; 2000-10 13'],
    [
      '1997-09-13',
      'FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13',
      '1997-09 13; 10 11; 11 8; 12 13; 1998-01 10; 02 7; 03 7; 04 11; 05 9; 06 13',
    ],
    [
      '1996-11-05',
      'FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8',
      '1996-11 5; 2000-11 7; 2004-11 2',
    ],
    ['1997-09-04', 'FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3', '1997-09 4; 10 7; 11 6'],
    [
      '1997-09-29',
      'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2',
      '1997-09 29; 10 30; 11 27; 12 30; 1998-01 29; 02 26; 03 30',
    ],
    ['1997-08-05', 'FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO', '1997-08 5 10 19 24'],
    ['1997-08-05', 'FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU', '1997-08 5 17 19 31'],
    ['2007-01-15', 'FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5', '2007-01 15 30; 02 15; 03 15 30'],
  ])('from %s, %s', (first, text, expected) => {
    const times = wallTimes(text, Date.parse(`${first}T09:00:00Z`))(-Infinity, Infinity);
    const wanted = dates(expected);
    expect(days(beginning(text.includes('COUNT') ? wanted.length + 1 : wanted.length, times))).toEqual(wanted);
  });

  test.each([
    [
      'every three hours',
      'FREQ=HOURLY;INTERVAL=3',
      ['1997-09-02T09:00', '1997-09-02T12:00', '1997-09-02T15:00', '1997-09-02T18:00'],
    ],
    [
      'every twenty minutes of some hours',
      'FREQ=DAILY;BYHOUR=9,16;BYMINUTE=0,20,40',
      ['1997-09-02T09:00', '1997-09-02T09:20', '1997-09-02T09:40', '1997-09-02T16:00'],
    ],
  ])('%s', (_, text, expected) => {
    expect(
      hours(beginning(expected.length, wallTimes(text, Date.parse('1997-09-02T09:00:00Z'))(-Infinity, Infinity))),
    ).toEqual(expected);
  });
});

describe('choices that the RFC leaves open', () => {
  const first = Date.parse('2026-01-14T02:30:15.250Z'); // a Wednesday
  test.each([
    ['the time of the day, to the millisecond', 'FREQ=DAILY', ['2026-01-14T02:30:15.250Z', '2026-01-15T02:30:15.250Z']],
    ['the hour alone', 'FREQ=DAILY;BYMINUTE=0;BYSECOND=0', ['2026-01-15T02:00:00.250Z', '2026-01-16T02:00:00.250Z']],
    ['the minute of each hour', 'FREQ=HOURLY;INTERVAL=12', ['2026-01-14T02:30:15.250Z', '2026-01-14T14:30:15.250Z']],
    ['the weekday', 'FREQ=WEEKLY;INTERVAL=2', ['2026-01-14T02:30:15.250Z', '2026-01-28T02:30:15.250Z']],
    [
      'the weekday of numbered weeks',
      'FREQ=YEARLY;BYWEEKNO=25',
      ['2026-06-17T02:30:15.250Z', '2027-06-23T02:30:15.250Z'],
    ],
    ['the day of the month', 'FREQ=MONTHLY', ['2026-01-14T02:30:15.250Z', '2026-02-14T02:30:15.250Z']],
    ['the day of the year', 'FREQ=YEARLY', ['2026-01-14T02:30:15.250Z', '2027-01-14T02:30:15.250Z']],
  ])('%s gives the same from a later start', (_, text, expected) => {
    expect(
      beginning(2, wallTimes(text, first)(-Infinity, Infinity)).map((time) => new Date(time).toISOString()),
    ).toEqual(expected);
  });
});

describe('special cases of the calendar', () => {
  test.each([
    ['only in long months', '2026-01-31', 'FREQ=MONTHLY', '2026-01 31; 03 31; 05 31; 07 31'],
    ['only in leap years, of which 2100 is none', '2088-02-29', 'FREQ=YEARLY', '2088-02 29; 2092-02 29; 2096-02 29'],
    [
      'the last day of years, leap or not',
      '2027-01-01',
      'FREQ=YEARLY;BYYEARDAY=-1,366',
      '2027-12 31; 2028-12 31; 2029-12 31',
    ],
    [
      'week 1 begins in the year before',
      '2024-06-01',
      'FREQ=YEARLY;BYWEEKNO=1;BYDAY=MO',
      '2024-12 30; 2025-12 29; 2027-01 4',
    ],
    [
      'some years have a week 53',
      '2020-01-01',
      'FREQ=YEARLY;BYWEEKNO=53;BYDAY=TH',
      '2020-12 31; 2026-12 31; 2032-12 30',
    ],
    [
      'weeks counted from the end of the year',
      '2026-01-01',
      'FREQ=YEARLY;BYWEEKNO=-1;BYDAY=MO',
      '2026-12 28; 2027-12 27; 2028-12 25',
    ],
    [
      'parts narrow each other',
      '2026-01-01',
      'FREQ=YEARLY;BYYEARDAY=60;BYMONTHDAY=29',
      '2028-02 29; 2032-02 29; 2036-02 29',
    ],
    ['weekdays, counted and not', '2024-12-24', 'FREQ=YEARLY;BYDAY=TU,1WE', '2024-12 24 31; 2025-01 1 7 14'],
    ['weekdays counted in the year, not the month', '2026-01-01', 'FREQ=YEARLY;BYDAY=-1SU', '2026-12 27; 2027-12 26'],
  ])('%s', (_, first, text, expected) => {
    const wanted = dates(expected);
    expect(
      days(beginning(wanted.length, wallTimes(text, Date.parse(`${first}T00:00:00Z`))(-Infinity, Infinity))),
    ).toEqual(wanted);
  });

  test('nothing recurs after the last supported century', () => {
    expect(days([...wallTimes('FREQ=DAILY', Date.UTC(2099, 11, 30))(-Infinity, Infinity)])).toEqual([
      '2099-12-30',
      '2099-12-31',
    ]);
  });
});

const { constantFrom, integer } = fc;
const weekday = constantFrom('MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU');
const some = <T>(values: fc.Arbitrary<T>) => fc.uniqueArray(values, { minLength: 1, maxLength: 3 }).map(String);
const signed = (most: number) => integer({ min: -most, max: most }).filter((number) => number !== 0);

/** The rules for which rrule-temporal is correct; the tables above have the others. */
const ordinaryParts: Record<string, Record<string, fc.Arbitrary<string>>> = {
  YEARLY: { BYMONTH: some(integer({ min: 1, max: 12 })), BYMONTHDAY: some(signed(31)) },
  MONTHLY: { BYMONTHDAY: some(signed(28)) },
  WEEKLY: { BYDAY: some(weekday), WKST: weekday },
  DAILY: { BYDAY: some(weekday), BYMONTH: some(integer({ min: 1, max: 12 })) },
  HOURLY: { BYDAY: some(weekday), BYMONTHDAY: some(signed(28)) },
};
const counted = fc.record({
  FREQ: fc.constant('MONTHLY'),
  BYDAY: fc
    .uniqueArray(
      fc.tuple(constantFrom(1, 2, 3, 4, -1, -2), weekday).map((parts) => parts.join('')),
      { minLength: 1, maxLength: 3 },
    )
    .map(String),
});
const placed = fc.record({
  FREQ: fc.constant('MONTHLY'),
  BYDAY: fc.uniqueArray(weekday, { minLength: 2, maxLength: 5 }).map(String),
  BYSETPOS: some(constantFrom(1, 2, 3, -1, -2)),
});
const ordinary = fc.oneof<fc.Arbitrary<object>[]>(
  counted,
  placed,
  ...Object.entries(ordinaryParts).map(([FREQ, parts]) =>
    fc.record({ FREQ: fc.constant(FREQ), ...parts }, { requiredKeys: ['FREQ'] }),
  ),
);
const often = fc.record(
  {
    INTERVAL: integer({ min: 1, max: 3 }).map(String),
    BYHOUR: some(integer({ min: 0, max: 23 })),
    BYMINUTE: some(integer({ min: 0, max: 59 })),
  },
  { requiredKeys: [] },
);
const ruleText = fc.tuple(ordinary, often).map((parts) =>
  Object.entries(Object.assign({}, ...parts) as object)
    .map((part) => part.join('='))
    .join(';'),
);
const second = (from: string, to: string) =>
  integer({ min: Date.parse(from) / 1_000, max: Date.parse(to) / 1_000 }).map((time) => time * 1_000);

test('ordinary rules give the same starts as another implementation', () => {
  fc.assert(
    fc.property(ruleText, second('2024-01-01', '2027-01-01'), (text, first) => {
      const end = first + 500 * 86_400_000;
      const dtstart = Temporal.Instant.fromEpochMilliseconds(first).toZonedDateTimeISO('UTC');
      const theirs = new RRuleTemporal({ rruleString: text, dtstart, maxIterations: 20_000 }).between(
        new Date(first),
        new Date(end),
        true,
      );
      expect([...wallTimes(text, first)(first, end + 1)]).toEqual(
        theirs.map(({ epochMilliseconds }) => epochMilliseconds),
      );
    }),
  );
});

test('the result does not depend on where the search begins', () => {
  fc.assert(
    fc.property(
      ruleText,
      fc.option(integer({ min: 1, max: 200 })),
      second('2024-01-01', '2027-01-01'),
      integer({ min: 0, max: 1_000 }),
      (text, count, first, offset) => {
        const times = wallTimes(count === null ? text : `${text};COUNT=${count}`, first);
        const [from, end] = [first + offset * 3_600_000, first + 500 * 86_400_000];
        expect([...times(from, end)]).toEqual([...times(-Infinity, end)].filter((time) => time >= from));
      },
    ),
  );
});
