import { byDay, coloursOf, draftOf, nextGap, rowsOf, spansOf } from './spans.js';

const time = (hour: number): string => new Date(Date.UTC(2026, 10, 22, hour)).toISOString();
const ms = (hour: number): number => Date.parse(time(hour));
const shift = (id: string, from: number, to: number, layerId: string | null, overrideId: string | null = null) => ({
  user: { id, name: `Name of ${id}`, email: `${id}@example.com` },
  startsAt: time(from),
  endsAt: time(to),
  source: overrideId === null ? ('layer' as const) : ('override' as const),
  layerId,
  overrideId,
});
const shifts = {
  shifts: [shift('usr_a', 0, 8, 'nights'), shift('usr_b', 8, 12, null, 'ovr_1'), shift('usr_a', 20, 40, 'days')],
  gaps: [{ startsAt: time(12), endsAt: time(20) }],
};

test('shifts and gaps are in order, and cut at the ends', () => {
  const spans = spansOf(shifts, { start: ms(2), end: ms(24) });
  expect(spans.map(({ kind, start, end }) => [kind, start, end])).toEqual([
    ['shift', ms(2), ms(8)],
    ['shift', ms(8), ms(12)],
    ['gap', ms(12), ms(20)],
    ['shift', ms(20), ms(24)],
  ]);
  expect(nextGap(spans, ms(13))).toMatchObject({ start: ms(12) });
  expect(nextGap(spans, ms(20))).toBeNull();
});

test('the layers have what they contribute, the last one first', () => {
  const layers = [
    { id: 'days', name: 'Days' },
    { id: 'nights', name: 'Nights' },
  ] as never[];
  const rows = rowsOf({ layers }, spansOf(shifts, { start: ms(0), end: ms(24) }), true);
  expect(rows.map(({ title, isOverrides, spans }) => [title, isOverrides, spans.map(({ start }) => start)])).toEqual([
    [null, false, [ms(0), ms(8), ms(12), ms(20)]],
    [null, true, [ms(8)]],
    ['Nights', false, [ms(0)]],
    ['Days', false, [ms(20)]],
  ]);
});

test('a shift over midnight is on both days', () => {
  const days = [
    { date: '2026-11-22', start: ms(0), end: ms(24) },
    { date: '2026-11-23', start: ms(24), end: ms(48) },
  ];
  const found = byDay(days, spansOf(shifts, { start: ms(0), end: ms(48) }));
  expect(found.map(({ date, spans }) => [date, spans.map(({ start, end }) => [start, end])])).toEqual([
    [
      '2026-11-22',
      [
        [ms(0), ms(8)],
        [ms(8), ms(12)],
        [ms(12), ms(20)],
        [ms(20), ms(24)],
      ],
    ],
    ['2026-11-23', [[ms(24), ms(40)]]],
  ]);
});

test('an override does not begin in the past, and has a length', () => {
  const now = ms(10) + 90_500;
  expect(draftOf('sch_1', { start: ms(8), end: ms(20) }, now)).toMatchObject({
    startsAt: '2026-11-22T10:01:00.000Z',
    endsAt: time(20),
  });
  expect(draftOf('sch_1', null, now)).toMatchObject({ startsAt: time(11), endsAt: time(23) });
  expect(draftOf('sch_1', { start: ms(1), end: ms(2) }, now).endsAt).toBe('2026-11-22T11:01:00.000Z');
});

test('the first ten members have ten colours, and keep them when others join', () => {
  const ids = Array.from({ length: 10 }, (_, i) => `usr_01a${i}`);
  expect(ids.map((id) => coloursOf(ids).get(id))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  const later = coloursOf(['usr_01b0', ...ids.toReversed()]);
  expect(ids.map((id) => later.get(id))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(later.get('usr_01b0')).toBe(0);
});
