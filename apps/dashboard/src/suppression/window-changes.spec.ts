import { endedNow, extendedBy } from './window-changes.js';

const once = {
  rrule: null,
  startsAt: '2026-11-22T10:00:00.000Z',
  endsAt: '2026-11-22T12:00:00.000Z',
  timezone: 'UTC',
  excludedDates: [],
};
const nightly = {
  ...once,
  rrule: 'FREQ=DAILY',
  endsAt: null,
  timezone: 'Europe/Berlin',
  excludedDates: ['2026-11-01'],
};
const at = (time: string): number => Date.parse(time);

test('a window of one time ends at the present', () => {
  const current = { windowId: 'w', startsAt: once.startsAt, endsAt: once.endsAt };
  expect(endedNow(once, current, at('2026-11-22T11:00:00Z'))).toEqual({
    body: { endsAt: '2026-11-22T11:00:00.000Z' },
    undo: { endsAt: once.endsAt },
  });
  expect(endedNow(once, current, at(once.startsAt)).body.endsAt).toBe('2026-11-22T10:00:00.001Z');
});

test('of a window that repeats, the date of its zone on which it began is excluded', () => {
  const current = { windowId: 'w', startsAt: '2026-11-22T23:30:00.000Z', endsAt: '2026-11-23T03:00:00.000Z' };
  expect(endedNow(nightly, current, at('2026-11-23T01:00:00Z'))).toEqual({
    body: { excludedDates: ['2026-11-01', '2026-11-23'] },
    undo: { excludedDates: ['2026-11-01'] },
  });
});

test('a longer window', () => {
  expect(extendedBy(once, 3600)).toEqual({
    body: { endsAt: '2026-11-22T13:00:00.000Z' },
    undo: { endsAt: '2026-11-22T12:00:00.000Z' },
  });
});
