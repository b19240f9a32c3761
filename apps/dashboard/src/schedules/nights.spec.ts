import { changedNights } from './nights.js';

const user = (id: string) => ({ id, name: `Name of ${id}`, email: `${id}@example.com` });
const change = (startsAt: string, endsAt: string, before: string[], after: string[]) => ({
  startsAt,
  endsAt,
  before: before.map(user),
  after: after.map(user),
});
const nights = (changes: ReturnType<typeof change>[], zone = 'UTC') =>
  changedNights(changes, zone).map(({ userId, gained, lost }) => [userId, gained.join(), lost.join()]);

test.each([
  ['nothing', [], []],
  ['a day', [change('2026-11-23T06:00:00Z', '2026-11-23T22:00:00Z', ['a'], ['b'])], []],
  [
    'a day and a part of a night',
    [change('2026-11-23T06:00:00Z', '2026-11-23T22:01:00Z', ['a'], ['b'])],
    [
      ['a', '', '2026-11-23'],
      ['b', '2026-11-23', ''],
    ],
  ],
  [
    'the end of a night',
    [change('2026-11-23T05:00:00Z', '2026-11-23T09:00:00Z', ['a'], [])],
    [['a', '', '2026-11-22']],
  ],
  [
    'two nights, and the member who stays',
    [change('2026-11-23T20:00:00Z', '2026-11-25T05:00:00Z', ['a'], ['a', 'b'])],
    [['b', '2026-11-23,2026-11-24', '']],
  ],
  [
    'a night that is given away and taken again',
    [
      change('2026-11-23T22:00:00Z', '2026-11-24T01:00:00Z', ['a'], ['b']),
      change('2026-11-24T01:00:00Z', '2026-11-24T06:00:00Z', ['b'], ['a']),
    ],
    [],
  ],
])('%s', (_, changes, expected) => {
  expect(nights(changes)).toEqual(expected);
});

test('nights are those of the zone', () => {
  const changes = [change('2026-11-23T14:00:00Z', '2026-11-23T20:00:00Z', ['a'], [])];
  expect([nights(changes, 'Asia/Tokyo'), nights(changes, 'Europe/Berlin')]).toEqual([[['a', '', '2026-11-23']], []]);
});
