import { parseRecurrenceRule } from './recurrence-rule.js';

const fault = (text: string) => {
  const rule = parseRecurrenceRule(text);
  return rule.kind === 'fault' ? rule.message : undefined;
};

test('every part is parsed', () => {
  expect(
    parseRecurrenceRule(
      'FREQ=YEARLY;INTERVAL=2;COUNT=9;WKST=SU;BYMONTH=1,12;BYWEEKNO=20,-1;BYYEARDAY=1,-366;BYMONTHDAY=31,-1;BYDAY=MO,SU;BYHOUR=0,23;BYMINUTE=0,59;BYSECOND=59;BYSETPOS=1,-1',
    ),
  ).toEqual({
    kind: 'rule',
    FREQ: 'YEARLY',
    INTERVAL: 2,
    COUNT: 9,
    WKST: 7,
    BYMONTH: [1, 12],
    BYWEEKNO: [20, -1],
    BYYEARDAY: [1, -366],
    BYMONTHDAY: [31, -1],
    BYDAY: [
      { weekday: 1, ordinal: 0 },
      { weekday: 7, ordinal: 0 },
    ],
    BYHOUR: [0, 23],
    BYMINUTE: [0, 59],
    BYSECOND: [59],
    BYSETPOS: [1, -1],
  });
});

test.each([
  ['the prefix is not part of the rule', 'RRULE:FREQ=DAILY', { FREQ: 'DAILY' }],
  ['case does not matter', 'rrule:freq=weekly;byday=mo', { FREQ: 'WEEKLY', BYDAY: [{ weekday: 1, ordinal: 0 }] }],
  ['parts come in any order', 'INTERVAL=3;FREQ=HOURLY', { FREQ: 'HOURLY', INTERVAL: 3 }],
  [
    'weekdays are counted',
    'FREQ=MONTHLY;BYDAY=2MO,+1TU,-1FR',
    {
      FREQ: 'MONTHLY',
      BYDAY: [
        { weekday: 1, ordinal: 2 },
        { weekday: 2, ordinal: 1 },
        { weekday: 5, ordinal: -1 },
      ],
    },
  ],
  [
    'an end in UTC',
    'FREQ=DAILY;UNTIL=20261224T120000Z',
    { FREQ: 'DAILY', UNTIL: { time: Date.UTC(2026, 11, 24, 12), isUtc: true } },
  ],
  [
    'a last day',
    'FREQ=DAILY;UNTIL=20261224',
    { FREQ: 'DAILY', UNTIL: { time: Date.UTC(2026, 11, 24, 23, 59, 59), isUtc: false } },
  ],
  ['a quarter of an hour apart', 'FREQ=HOURLY;BYMINUTE=0,15,30,45', { FREQ: 'HOURLY', BYMINUTE: [0, 15, 30, 45] }],
])('%s', (_, text, expected) => {
  expect(parseRecurrenceRule(text)).toEqual({ kind: 'rule', ...expected });
});

test.each([
  ['', '"" is not a known part of a rule, such as FREQ=DAILY'],
  ['daily', '"DAILY" is not a known part of a rule, such as FREQ=DAILY'],
  ['FREQ=DAILY;', '"" is not a known part of a rule, such as FREQ=DAILY'],
  ['FREQ=DAILY;BYEASTER=0', '"BYEASTER=0" is not a known part of a rule, such as FREQ=DAILY'],
  ['FREQ=DAILY;CONSTRUCTOR=1', '"CONSTRUCTOR=1" is not a known part of a rule, such as FREQ=DAILY'],
  ['FREQ=DAILY;RSCALE=HEBREW', '"RSCALE=HEBREW" is not a known part of a rule, such as FREQ=DAILY'],
  [
    'FREQ=DAILY\nEXDATE:20260101T000000Z',
    '"FREQ=DAILY\nEXDATE:20260101T000000Z" is not a known part of a rule, such as FREQ=DAILY',
  ],
  [
    'DTSTART:20260101T000000Z\nRRULE:FREQ=DAILY',
    '"DTSTART:20260101T000000Z\nRRULE:FREQ=DAILY" is not a known part of a rule, such as FREQ=DAILY',
  ],
  ['INTERVAL=2', 'FREQ is missing'],
  ['FREQ=DAILY;FREQ=WEEKLY', 'FREQ is repeated'],
  ['FREQ=SECONDLY', 'FREQ must be one of YEARLY, MONTHLY, WEEKLY, DAILY, HOURLY'],
  ['FREQ=MINUTELY;INTERVAL=90', 'FREQ must be one of YEARLY, MONTHLY, WEEKLY, DAILY, HOURLY'],
  ['FREQ=DAILY;INTERVAL=0', 'INTERVAL must be an integer from 1 to 10000'],
  ['FREQ=DAILY;INTERVAL=1.5', 'INTERVAL must be an integer from 1 to 10000'],
  ['FREQ=DAILY;COUNT=0', 'COUNT must be an integer from 1 to 10000'],
  ['FREQ=DAILY;COUNT=99999999999', 'COUNT must be an integer from 1 to 10000'],
  [
    'FREQ=DAILY;UNTIL=20260101T000000',
    'UNTIL must be a time in UTC such as 20261231T225959Z, or a date such as 20261231',
  ],
  ['FREQ=DAILY;UNTIL=20260230', 'UNTIL must be a time in UTC such as 20261231T225959Z, or a date such as 20261231'],
  [
    'FREQ=DAILY;UNTIL=20260101T250000Z',
    'UNTIL must be a time in UTC such as 20261231T225959Z, or a date such as 20261231',
  ],
  ['FREQ=DAILY;WKST=1', 'WKST must be one of MO, TU, WE, TH, FR, SA, SU'],
  ['FREQ=DAILY;BYMONTH=0', 'BYMONTH must be an integer from 1 to 12, or several separated by commas'],
  ['FREQ=DAILY;BYHOUR=24', 'BYHOUR must be an integer from 0 to 23, or several separated by commas'],
  ['FREQ=DAILY;BYHOUR=', 'BYHOUR must be an integer from 0 to 23, or several separated by commas'],
  ['FREQ=DAILY;BYHOUR=-1', 'BYHOUR must be an integer from 0 to 23, or several separated by commas'],
  ['FREQ=DAILY;BYSECOND=60', 'BYSECOND must be an integer from 0 to 59, or several separated by commas'],
  [
    'FREQ=MONTHLY;BYMONTHDAY=1,,2',
    'BYMONTHDAY must be an integer from 1 to 31, or its negative, or several separated by commas',
  ],
  [
    'FREQ=MONTHLY;BYMONTHDAY=--1',
    'BYMONTHDAY must be an integer from 1 to 31, or its negative, or several separated by commas',
  ],
  [
    'FREQ=WEEKLY;BYDAY=XX',
    'BYDAY must be one of MO, TU, WE, TH, FR, SA, SU, optionally preceded by a number such as 2 or -1, or several ' +
      'separated by commas',
  ],
  [
    'FREQ=MONTHLY;BYDAY=0MO',
    'BYDAY must be one of MO, TU, WE, TH, FR, SA, SU, optionally preceded by a number such as 2 or -1, or several ' +
      'separated by commas',
  ],
  ['FREQ=DAILY;COUNT=3;UNTIL=20270101', 'a rule must not have both COUNT and UNTIL'],
  ['FREQ=MONTHLY;BYWEEKNO=3', 'a rule may have BYWEEKNO only with FREQ=YEARLY'],
  ['FREQ=DAILY;BYYEARDAY=3', 'a rule may have BYYEARDAY only with FREQ=YEARLY and FREQ=HOURLY'],
  ['FREQ=WEEKLY;BYMONTHDAY=13', 'a rule must not have BYMONTHDAY with FREQ=WEEKLY'],
  ['FREQ=WEEKLY;BYDAY=2MO', 'a rule may have numbers in BYDAY only with FREQ=YEARLY and FREQ=MONTHLY'],
  ['FREQ=YEARLY;BYWEEKNO=2;BYDAY=2MO', 'a rule must not have numbers in BYDAY together with BYWEEKNO'],
  ['FREQ=MONTHLY;BYSETPOS=1', 'a rule may have BYSETPOS only together with another BY part'],
  ['FREQ=DAILY;BYMINUTE=0,12,24,36,48', 'a rule may begin at most 4 times in an hour'],
  ['FREQ=DAILY;BYMINUTE=0,20,40;BYSECOND=0,30', 'a rule may begin at most 4 times in an hour'],
  [`FREQ=DAILY;BYHOUR=${'1,'.repeat(300)}1`, 'a rule may have at most 500 characters'],
])('%j is rejected', (text, message) => {
  expect(fault(text)).toBe(message);
});
