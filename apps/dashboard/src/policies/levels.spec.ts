import { inUnit, newLevel, newTarget, sentLevels, targetTypes, unitSeconds } from './levels.js';

test.each([
  [1, 1, 'seconds'],
  [90, 90, 'seconds'],
  [600, 10, 'minutes'],
  [5400, 90, 'minutes'],
  [7200, 2, 'hours'],
] as const)('%i seconds are %i %s', (seconds, value, unit) => {
  expect(inUnit(seconds)).toEqual({ value, unit });
  expect(value * unitSeconds[unit]).toBe(seconds);
});

test('what is not filled in is not sent', () => {
  const targets = targetTypes.map(newTarget);
  expect(sentLevels([{ ...newLevel('level-1'), targets }])[0]?.targets).toEqual([
    { type: 'schedule' },
    { type: 'user' },
    { type: 'team' },
    { type: 'email' },
    { type: 'channel', kind: 'slack' },
  ]);
});
