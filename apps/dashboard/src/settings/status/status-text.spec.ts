import { shownState, valueText } from './status-text.js';

test.each([
  ['operational', 0, 'operational'],
  ['operational', 30_000, 'operational'],
  ['operational', 30_001, 'unknown'],
  ['down', 30_001, 'unknown'],
] as const)('an answer %s that is %i ms old is shown as %s', (state, ageMs, shown) => {
  expect(shownState(state, ageMs)).toBe(shown);
});

test.each([
  [{ name: 'oldestUnappliedEvent', value: 3.4, unit: 'seconds' }, '3 s'],
  [{ name: 'oldestUnappliedEvent', value: 600, unit: 'seconds' }, '10 min'],
  [{ name: 'ingestStreamFill', value: 0.756, unit: 'ratio' }, '76 %'],
  [{ name: 'ingestGatewaysNotReady', value: 0, unit: 'ratio' }, 'yes'],
  [{ name: 'notifiersNotReady', value: 1, unit: 'ratio' }, 'none'],
  [{ name: 'pagesDue', value: 3, unit: 'count' }, '3'],
  [{ name: 'streamBehind', value: null, unit: 'seconds' }, 'not known'],
] as const)('%j is written as %s', (reading, text) => {
  expect(valueText(reading)).toBe(text);
});
