import { bodyOf, draftOf, newLayer, withUnit } from './draft.js';

const layer = {
  ...newLayer('weekly', 'Weekly'),
  members: ['usr_a'],
  startsAt: '2026-11-16T08:00:00.000Z',
  endsAt: null,
};
const settings = { timezone: 'UTC', layerMode: 'last', layers: [layer], plannedGaps: [] };
const schedule = {
  id: 'sch_1',
  name: 'Primary',
  description: null,
  teamId: null,
  ...settings,
  planned: [],
} as unknown as Parameters<typeof draftOf>[0];

test('a draft that is not changed sends what is stored', () => {
  expect(bodyOf(draftOf(schedule))).toEqual({ name: 'Primary', description: null, teamId: null, ...settings });
});

test('what is planned for later is edited', () => {
  const planned = [{ ...settings, timezone: 'Europe/Berlin', effectiveFrom: '2027-01-01T00:00:00.000Z' }];
  expect(draftOf({ ...schedule, planned } as typeof schedule).timezone).toBe('Europe/Berlin');
});

test('the members of everybody are not sent', () => {
  const draft = { ...draftOf(schedule), layers: [{ ...layer, everybody: true }], effectiveAt: '2026-12-01T00:00:00Z' };
  const { layers, effectiveAt } = bodyOf(draft);
  expect([layers?.[0], effectiveAt]).toEqual([
    expect.not.objectContaining({ members: expect.anything() }),
    '2026-12-01T00:00:00Z',
  ]);
});

test.each([
  ['day', { unit: 'day', interval: 52, handoffDay: null }],
  ['month', { unit: 'month', interval: 12, handoffDay: 1 }],
] as const)('by %s', (unit, expected) => {
  const rotation = { unit: 'week' as const, interval: 52, handoffTime: '09:00', handoffDay: 5 };
  expect(withUnit(rotation, unit)).toEqual({ ...rotation, ...expected });
});
